import type { AuthContext } from "@better-auth/core";
import { initGetDefaultModelName } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
import { classifyTables } from "../isolation/tables";
import type { TenantAuthOptions } from "../options";
import { resolveOptions } from "../options";

/** Any Better Auth instance: its full type depends on the host's options. */
export interface ConformanceAuth {
	handler: (request: Request) => Promise<Response>;
	api: object;
	$context: Promise<unknown>;
}

/** What the check has to know of the host. */
export interface Host {
	ctx: AuthContext;
	auth: ConformanceAuth;
	tenantHeader: string;
	/** Models that hold tenant data, each by its key in Better Auth's schema. */
	tenantModels: string[];
	hasColumn: (model: string) => boolean;
	/** With the base path. */
	baseURL: string;
}

export async function lookAtHost(auth: ConformanceAuth): Promise<Host> {
	const ctx = (await auth.$context) as AuthContext;
	const plugin = ctx.options.plugins?.find(({ id }) => id === "tenant-auth");
	if (!plugin) throw new BetterAuthError("checkTenantIsolation: this instance has no tenantAuth()");
	const options = resolveOptions((plugin.options ?? {}) as TenantAuthOptions);
	const modelKey = initGetDefaultModelName({
		usePlural: ctx.adapter.options?.adapterConfig.usePlural,
		schema: ctx.tables,
	});
	const tables = classifyTables(ctx.tables, modelKey, options);
	const basePath = ctx.options.basePath ?? "/api/auth";
	return {
		ctx,
		auth,
		tenantHeader: options.tenantHeader,
		tenantModels: Object.keys(ctx.tables).filter((model) => tables.strategyOf(model) !== "shared"),
		hasColumn: (model) => tables.strategyOf(model) === "column",
		// It is empty where the host works it out from each request.
		baseURL: ctx.baseURL || `http://localhost:3000${basePath}`,
	};
}
