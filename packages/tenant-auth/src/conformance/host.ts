import type { AuthContext } from "@better-auth/core";
import { initGetDefaultModelName } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
// The only imports from the plugin in this folder.
import { runAcrossTenants, runInTenant } from "../context/current-tenant";
import { classifyTables } from "../isolation/tables";
import { resolveOptions } from "../options";
import type { ConformanceAuth } from "./types";

type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** What the check needs from the app's instance. */
export interface Host {
	ctx: AuthContext;
	handler: ConformanceAuth["handler"];
	tenantHeader: string;
	/** Models with tenant data, by their key in Better Auth's schema. */
	tenantModels: string[];
	/** Whether a model has a `tenantId` column. Other tenant models have row owners. */
	hasTenantColumn: (model: string) => boolean;
	/** With the base path. */
	baseURL: string;
	createTenant: (slug: string) => Promise<{ id: string }>;
	deleteTenant: (tenantId: string) => Promise<unknown>;
	/** Runs `work` in a tenant, or on the platform if the id is empty. */
	runIn: (tenantId: string) => Run;
	runAcrossTenants: Run;
}

export async function inspectHost(auth: ConformanceAuth): Promise<Host> {
	const ctx = (await auth.$context) as AuthContext;
	const { api } = auth;
	const plugin = ctx.options.plugins?.find(({ id }) => id === "tenant-auth");
	if (!plugin || !isTenantApi(api)) {
		throw new BetterAuthError("checkTenantIsolation: this instance has no tenantAuth()");
	}
	const options = resolveOptions(plugin.options ?? {});
	const modelKey = initGetDefaultModelName({
		usePlural: ctx.adapter.options?.adapterConfig.usePlural,
		schema: ctx.tables,
	});
	const tables = classifyTables(ctx.tables, modelKey, options);
	const basePath = ctx.options.basePath ?? "/api/auth";
	return {
		ctx,
		handler: auth.handler,
		tenantHeader: options.tenantHeader,
		tenantModels: Object.keys(ctx.tables).filter((model) => tables.strategyOf(model) !== "shared"),
		hasTenantColumn: (model) => tables.strategyOf(model) === "column",
		// It is empty if the app derives it from each request.
		baseURL: ctx.baseURL || `http://localhost:3000${basePath}`,
		createTenant: (slug) => api.createTenant({ body: { name: slug, slug } }),
		deleteTenant: (tenantId) => api.deleteTenant({ body: { tenantId } }),
		runIn: (tenantId) => (work) =>
			tenantId ? runInTenant({ $context: Promise.resolve(ctx) }, tenantId, work) : work(),
		runAcrossTenants,
	};
}

interface TenantApi {
	createTenant: (input: { body: { name: string; slug: string } }) => Promise<{ id: string }>;
	deleteTenant: (input: { body: { tenantId: string } }) => Promise<unknown>;
}

const isTenantApi = (api: object): api is TenantApi =>
	"createTenant" in api && "deleteTenant" in api;
