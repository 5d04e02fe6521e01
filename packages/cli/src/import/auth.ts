import type { AuthContext, BetterAuthOptions } from "better-auth";
import type { importUsers } from "better-auth-tenant/imports";
import { findSlugProblem } from "better-auth-tenant/rules";
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

const isTenantAuth = ({ id }: { id: string }) => id === "tenant-auth";

/** A tenant that records name. */
export interface NamedTenant {
	name: string;
	/** `null` if it does not exist: in a dry run it would be created, otherwise `problem` says why. */
	id: string | null;
	problem?: { code: string; message: string };
}

/** Finds a tenant by id or slug, or creates it. */
export async function resolveTenant(
	{ api, options }: ImportAuth,
	wanted: string,
	flags: Pick<ImportFlags, "name" | "dryRun" | "createTenant">,
): Promise<NamedTenant> {
	const found =
		(await orNull(api.getTenant({ query: { id: wanted } }))) ??
		(await orNull(api.getTenant({ query: { slug: wanted } })));
	if (found) return { name: wanted, id: found.id };
	if (!flags.createTenant) {
		const message = `There is no tenant ${JSON.stringify(wanted)}. Use --create-tenant to create it.`;
		return { name: wanted, id: null, problem: { code: "TENANT_NOT_FOUND", message } };
	}
	if (flags.dryRun) {
		const { reservedSlugs } = Object(options.plugins?.find(isTenantAuth)?.options);
		const problem = findSlugProblem(wanted, reservedSlugs);
		return { name: wanted, id: null, ...(problem && { problem }) };
	}
	const body = { name: flags.name ?? wanted, slug: wanted };
	try {
		return { name: wanted, id: (await api.createTenant({ body })).id };
	} catch (error) {
		const code = codeOf(error);
		if (typeof code !== "string") throw error;
		// Another run was faster.
		if (code === "TENANT_ALREADY_EXISTS") {
			return { name: wanted, id: (await api.getTenant({ query: { slug: wanted } })).id };
		}
		const { message }: { message?: unknown } = Object(error);
		return { name: wanted, id: null, problem: { code, message: String(message) } };
	}
}

/** An id that cannot be one is not found either. */
function orNull<T>(call: Promise<T>): Promise<T | null> {
	return call.catch((error: unknown) => {
		const code = codeOf(error);
		if (code === "TENANT_NOT_FOUND" || code === "VALIDATION_ERROR") return null;
		throw error;
	});
}

/** The code of an error of the API, if it is one. */
export function codeOf(error: unknown): unknown {
	const { body }: { body?: { code?: unknown } } = Object(error);
	return body?.code;
}
