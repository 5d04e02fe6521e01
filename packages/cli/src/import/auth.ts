import type { AuthContext, BetterAuthOptions } from "better-auth";
import type { importUsers } from "better-auth-tenant/imports";
import type { UpgradeTarget } from "better-auth-tenant/upgrade";
import type { ImportFlags } from "./arguments";

interface FoundTenant {
	id: string;
	name: string;
	slug: string;
}

/** The part of the app's instance that the command uses. */
export interface ImportAuth {
	options: BetterAuthOptions;
	$context: Promise<AuthContext>;
	api: Parameters<typeof importUsers>[0]["api"] & {
		getTenant: (call: { query: { id: string } | { slug: string } }) => Promise<FoundTenant>;
		createTenant: (call: { body: { name: string; slug: string } }) => Promise<FoundTenant>;
	};
}

/** @throws Error if the app cannot import users */
export function requireAuth(target: UpgradeTarget): ImportAuth {
	const { api }: { api?: { importTenantUsers?: unknown } } = Object(target);
	if ("$context" in target && typeof api?.importTenantUsers === "function") {
		return target as unknown as ImportAuth;
	}
	throw new Error(
		"The config must export an instance of Better Auth with tenantAuth() and tenantImports()",
	);
}

/**
 * Finds the tenant by id or slug, or creates it.
 *
 * @returns `null` in a dry run, if the tenant would be created
 */
export async function resolveTenant(
	{ api }: ImportAuth,
	flags: Pick<ImportFlags, "tenant" | "name" | "dryRun" | "createTenant">,
): Promise<FoundTenant | null> {
	const wanted = flags.tenant ?? "";
	const found =
		(await orNull(api.getTenant({ query: { id: wanted } }))) ??
		(await orNull(api.getTenant({ query: { slug: wanted } })));
	if (found) return found;
	if (!flags.createTenant) {
		throw new Error(
			`There is no tenant ${JSON.stringify(wanted)}. Use --create-tenant to create it.`,
		);
	}
	if (flags.dryRun) return null;
	const body = { name: flags.name ?? wanted, slug: wanted };
	return api.createTenant({ body }).catch((error: unknown) => {
		// Another run was faster.
		if (codeOf(error) !== "TENANT_ALREADY_EXISTS") throw error;
		return api.getTenant({ query: { slug: wanted } });
	});
}

/** An id that cannot be one is not found either. */
function orNull<T>(call: Promise<T>): Promise<T | null> {
	return call.catch((error: unknown) => {
		const code = codeOf(error);
		if (code === "TENANT_NOT_FOUND" || code === "VALIDATION_ERROR") return null;
		throw error;
	});
}

function codeOf(error: unknown): unknown {
	const { body }: { body?: { code?: unknown } } = Object(error);
	return body?.code;
}
