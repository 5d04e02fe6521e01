import type { Tenant } from "better-auth-tenant";
import type { Auth } from "../../auth";
import { requireConfirmation } from "../input";
import {
	count,
	Failure,
	listing,
	type OutputOptions,
	plain,
	printResult,
	SEARCH_LIMITED,
	table,
	wrongUsage,
} from "../output";
import { requireTenant, withAuth } from "../with-auth";
import { findElsewhere, findMoveProblem } from "./moved-tenant";

type CreateOptions = OutputOptions & { name?: string; metadata?: Record<string, unknown> };

export async function create(slug: string, options: CreateOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const { name = slug, metadata } = options;
		const tenant = await api.createTenant({ body: { name, slug, ...(metadata && { metadata }) } });
		printResult(options, tenant, () => listing(summarize(tenant)));
	});
}

type ListOptions = OutputOptions & { search?: string; limit: number; offset: number };

export async function list(options: ListOptions): Promise<void> {
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

export async function show(slugOrId: string, options: OutputOptions): Promise<void> {
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

export async function update(slugOrId: string, options: UpdateOptions): Promise<void> {
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

export const suspend = (slugOrId: string, options: OutputOptions) =>
	setSuspended(slugOrId, options, true);

export const resume = (slugOrId: string, options: OutputOptions) =>
	setSuspended(slugOrId, options, false);

async function setSuspended(
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

type RemoveOptions = OutputOptions & { yes?: boolean; moved?: boolean };

export async function remove(slugOrId: string, options: RemoveOptions): Promise<void> {
	await withAuth(async (auth, { settings, log }) => {
		const tenant = await requireTenant(auth, slugOrId);
		const { id, slug, name } = tenant;
		const { users, oauthConfigs } = await contentsOf(auth, id);
		const warning = `This permanently deletes ${plain(name)} (${slug}) with ${count(users, "user")} and ${count(oauthConfigs.length, "OAuth config")}.`;
		const elsewhere = await findElsewhere(id, settings.regions, log);
		const problem = options.moved ? await findMoveProblem(auth, tenant, elsewhere) : null;
		if (problem) throw new Failure(`${slug} was not deleted. ${problem}`, { code: "NOT_MOVED" });
		await requireConfirmation(options, `${warning} ${elsewhere.message}`.trim(), slug);
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
