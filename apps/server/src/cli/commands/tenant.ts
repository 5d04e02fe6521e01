import type { Tenant } from "better-auth-tenant";
import type { Command } from "commander";
import type { Auth } from "../../auth";
import { parseInteger, parseJsonObject, requireConfirmation } from "../input";
import {
	count,
	listing,
	type OutputOptions,
	plain,
	printResult,
	SEARCH_LIMITED,
	table,
	wrongUsage,
} from "../output";
import { requireTenant, withAuth } from "../with-auth";
import { addTenantFile } from "./tenant-file";

export function addTenant(program: Command): void {
	const tenant = program
		.command("tenant")
		.description("create, list, show, update, suspend, delete, export and import tenants");
	tenant
		.command("create <slug>")
		.description("create a tenant")
		.option("--name <name>", "display name (default: the slug)")
		.option("--metadata <json>", "a JSON object", parseJsonObject)
		.option("--json", "print the tenant as JSON")
		.action(create);
	tenant
		.command("list")
		.description("list tenants, oldest first")
		.option("--search <text>", "only tenants whose name or slug contains the text")
		.option("--limit <number>", "maximum number of tenants", parseInteger, 100)
		.option("--offset <number>", "number of tenants to skip", parseInteger, 0)
		.option("--json", "print { total, searchLimited, tenants } as JSON")
		.action(list);
	tenant
		.command("show <tenant>")
		.description("show a tenant, by slug or id, with its number of users and its providers")
		.option("--json", "print the tenant as JSON")
		.action(show);
	tenant
		.command("update <tenant>")
		.description("change a tenant")
		.option("--name <name>", "display name")
		.option("--slug <slug>", "another slug; links with the old one no longer work")
		.option("--metadata <json>", "a JSON object that replaces the old one", parseJsonObject)
		.option("--json", "print the tenant as JSON")
		.action(update);
	tenant
		.command("suspend <tenant>")
		.description("reject all sign-ins and sessions until the tenant is resumed")
		.option("--json", "print the tenant as JSON")
		.action((slugOrId: string, options: OutputOptions) => suspend(slugOrId, options, true));
	tenant
		.command("resume <tenant>")
		.description("end a suspension; sessions are valid again")
		.option("--json", "print the tenant as JSON")
		.action((slugOrId: string, options: OutputOptions) => suspend(slugOrId, options, false));
	tenant
		.command("delete <tenant>")
		.description("permanently delete a tenant with its users, sessions and OAuth configs")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { deleted } as JSON")
		.action(remove);
	addTenantFile(tenant);
}

type CreateOptions = OutputOptions & { name?: string; metadata?: Record<string, unknown> };

async function create(slug: string, options: CreateOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const { name = slug, metadata } = options;
		const tenant = await api.createTenant({ body: { name, slug, ...(metadata && { metadata }) } });
		printResult(options, tenant, () => listing(summarize(tenant)));
	});
}

type ListOptions = OutputOptions & { search?: string; limit: number; offset: number };

async function list(options: ListOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const { limit, offset, search } = options;
		const query = { limit, offset, ...(search && { search }) };
		const { response: tenants, headers } = await api.listTenants({ query, returnHeaders: true });
		const total = Number(headers.get("x-total-count"));
		const { searchLimited } = tenants;
		printResult(options, { total, searchLimited, tenants }, () => {
			const rows = tenants.map(({ slug, name, id, createdAt, suspendedAt }) => [
				slug,
				name,
				id,
				day(createdAt),
				suspendedAt ? "suspended" : "",
			]);
			const shown = `${tenants.length} of ${count(total, "tenant")}`;
			const listed = `${table(["SLUG", "NAME", "ID", "CREATED", ""], rows)}\n\n${shown}`;
			return searchLimited ? `${listed}\n${SEARCH_LIMITED}` : listed;
		});
	});
}

async function show(slugOrId: string, options: OutputOptions): Promise<void> {
	await withAuth(async (auth) => {
		const tenant = await requireTenant(auth, slugOrId);
		const contents = await contentsOf(auth, tenant.id);
		printResult(options, { ...tenant, ...contents }, () =>
			listing({
				...summarize(tenant),
				users: contents.users,
				providers: contents.oauthConfigs.join(", ") || "no OAuth configs",
			}),
		);
	});
}

type UpdateOptions = CreateOptions & { slug?: string };

async function update(slugOrId: string, options: UpdateOptions): Promise<void> {
	const { name, slug, metadata } = options;
	const changes = { ...(name && { name }), ...(slug && { slug }), ...(metadata && { metadata }) };
	if (Object.keys(changes).length === 0) {
		throw wrongUsage("Pass at least one of --name, --slug and --metadata.");
	}
	await withAuth(async (auth) => {
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		const tenant = await auth.api.updateTenant({ body: { tenantId, ...changes } });
		printResult(options, tenant, () => listing(summarize(tenant)));
	});
}

async function suspend(
	slugOrId: string,
	options: OutputOptions,
	isSuspended: boolean,
): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		const change = isSuspended ? auth.api.suspendTenant : auth.api.resumeTenant;
		const tenant = await change({ body: { tenantId } });
		printResult(options, tenant, () => listing(summarize(tenant)));
	});
}

type RemoveOptions = OutputOptions & { yes?: boolean };

async function remove(slugOrId: string, options: RemoveOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id, slug, name } = await requireTenant(auth, slugOrId);
		const { users, oauthConfigs } = await contentsOf(auth, id);
		const warning = `This permanently deletes ${plain(name)} (${slug}) with ${count(users, "user")} and ${count(oauthConfigs.length, "OAuth config")}.`;
		await requireConfirmation(options, warning, slug);
		await auth.api.deleteTenant({ body: { tenantId: id } });
		printResult(options, { deleted: { id, slug } }, () => `Deleted ${slug} (${id}).`);
	});
}

async function contentsOf({ api }: Auth, tenantId: string) {
	const query = { tenantId, limit: 1 };
	const { headers } = await api.listTenantUsers({ query, returnHeaders: true });
	const providers = await api.effectiveTenantOAuthConfigs({ query: { tenantId } });
	return {
		users: Number(headers.get("x-total-count")),
		// Does not decrypt credentials, so it also shows configs that cannot be decrypted.
		oauthConfigs: providers
			.filter(({ config }) => config !== "absent")
			.map(({ providerId, config }) =>
				config === "own" ? providerId : `${providerId} (${config})`,
			),
	};
}

function summarize({ id, slug, name, metadata, createdAt, suspendedAt }: Tenant) {
	return {
		id,
		slug,
		name,
		created: createdAt.toISOString(),
		...(suspendedAt ? { suspended: suspendedAt.toISOString() } : {}),
		...(metadata ? { metadata: JSON.stringify(metadata) } : {}),
	};
}

const day = (date: Date) => date.toISOString().slice(0, 10);
