import type { Tenant } from "better-auth-tenant";
import type { Command } from "commander";
import type { Auth } from "../../auth";
import { requireConfirmation } from "../confirm";
import { wrongUsage } from "../failure";
import { requireTenant } from "../find-tenant";
import { count, listing, type OutputOptions, plain, printResult, table } from "../output";
import { parseObject } from "../parse-object";
import { withAuth } from "../with-auth";

export function addTenant(program: Command): void {
	const tenant = program.command("tenant").description("create, list, show and delete tenants");
	tenant
		.command("create <slug>")
		.description("create a tenant")
		.option("--name <name>", "what people call it; the slug if nothing else is said")
		.option("--metadata <json>", "a JSON object", parseObject)
		.option("--json", "print the tenant as JSON")
		.action(create);
	tenant
		.command("list")
		.description("list tenants, oldest first")
		.option("--search <text>", "only those with this in their name or slug")
		.option("--limit <number>", "at most so many", parseNumber, 100)
		.option("--offset <number>", "leave out so many", parseNumber, 0)
		.option("--json", "print { total, tenants } as JSON")
		.action(list);
	tenant
		.command("show <tenant>")
		.description("show a tenant, by slug or id, with what it has")
		.option("--json", "print it as JSON")
		.action(show);
	tenant
		.command("delete <tenant>")
		.description("delete a tenant with its users, sessions and OAuth clients, for good")
		.option("--yes", "do not ask for the slug")
		.option("--json", "print { deleted } as JSON")
		.action(remove);
}

type CreateOptions = OutputOptions & { name?: string; metadata?: Record<string, unknown> };

async function create(slug: string, options: CreateOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const { name = slug, metadata } = options;
		const tenant = await api.createTenant({ body: { name, slug, ...(metadata && { metadata }) } });
		printResult(options, tenant, () => listing(described(tenant)));
	});
}

type ListOptions = OutputOptions & { search?: string; limit: number; offset: number };

async function list(options: ListOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const { limit, offset, search } = options;
		const query = { limit, offset, ...(search && { search }) };
		const { response: tenants, headers } = await api.listTenants({ query, returnHeaders: true });
		const total = Number(headers.get("x-total-count"));
		printResult(options, { total, tenants }, () => {
			const rows = tenants.map(({ slug, name, id, createdAt, suspendedAt }) => [
				slug,
				name,
				id,
				day(createdAt),
				suspendedAt ? "suspended" : "",
			]);
			const shown = `${tenants.length} of ${count(total, "tenant")}`;
			return `${table(["SLUG", "NAME", "ID", "CREATED", ""], rows)}\n\n${shown}`;
		});
	});
}

async function show(name: string, options: OutputOptions): Promise<void> {
	await withAuth(async (auth) => {
		const tenant = await requireTenant(auth, name);
		const holdings = await holdingsOf(auth, tenant.id);
		printResult(options, { ...tenant, ...holdings }, () =>
			listing({
				...described(tenant),
				users: holdings.users,
				providers: holdings.oauthConfigs.join(", ") || "none of its own",
			}),
		);
	});
}

type RemoveOptions = OutputOptions & { yes?: boolean };

async function remove(name: string, options: RemoveOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id, slug, name: called } = await requireTenant(auth, name);
		const { users, oauthConfigs } = await holdingsOf(auth, id);
		const warning = `This deletes ${plain(called)} (${slug}) for good, with ${count(users, "user")} and ${count(oauthConfigs.length, "OAuth client")}.`;
		await requireConfirmation(options, warning, slug);
		await auth.api.deleteTenant({ body: { tenantId: id } });
		printResult(options, { deleted: { id, slug } }, () => `Deleted ${slug} (${id}).`);
	});
}

async function holdingsOf({ api }: Auth, tenantId: string) {
	const query = { tenantId, limit: 1 };
	const { headers } = await api.listTenantUsers({ query, returnHeaders: true });
	const providers = await api.effectiveTenantOAuthConfigs({ query: { tenantId } });
	return {
		users: Number(headers.get("x-total-count")),
		// Not the configs themselves: one whose credentials cannot be opened is to be seen here too.
		oauthConfigs: providers
			.filter(({ config }) => config !== "absent")
			.map(({ providerId, config }) =>
				config === "own" ? providerId : `${providerId} (${config})`,
			),
	};
}

function described({ id, slug, name, metadata, createdAt, suspendedAt }: Tenant) {
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

function parseNumber(value: string): number {
	if (/^\d{1,9}$/.test(value)) return Number(value);
	throw wrongUsage(`${JSON.stringify(value)} is no number.`);
}
