import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { endpoints } from "./endpoints";
import type { EndpointsWith } from "./endpoints/typed-metadata";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";
import { auditActingAdmins } from "./installation/audit-admin-plugin";
import { completeResponse, rememberOurRequest } from "./installation/complete-response";
import { endpointHooks } from "./installation/endpoint-hooks";
import { install } from "./installation/install";
import { rejectOtherTenants } from "./installation/own-origins";
import { resolveOptions } from "./options";
import { tenantSchema } from "./schema";
import type { TenantAuthOptions } from "./tenant-auth-options";
import type { TenantMetadata } from "./tenants/tenant";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth": { creator: typeof tenantAuth };
	}
}

/**
 * Tenants for Better Auth: users, sessions, accounts and OAuth clients that belong to one.
 *
 * @typeParam Metadata the type of a tenant's metadata, if the option `metadata` does not say it
 *
 * @example
 * ```ts
 * export const auth = betterAuth({
 *   database,
 *   emailAndPassword: { enabled: true },
 *   plugins: [tenantAuth({ managementKeys: [process.env.MANAGEMENT_KEY as string] })],
 * });
 * ```
 */
export const tenantAuth = <Metadata extends object = TenantMetadata>(
	options: TenantAuthOptions<Metadata> = {},
) => {
	const resolved = resolveOptions(options);
	return {
		id: "tenant-auth",
		schema: tenantSchema(options.schema),
		init: (ctx: AuthContext) => install(ctx, options, resolved),
		onRequest: async (request: Request, ctx: AuthContext) => {
			await rememberOurRequest(request, ctx);
			return resolved.hosts ? rejectOtherTenants(request, ctx, resolved.hosts) : undefined;
		},
		onResponse: completeResponse(resolved),
		hooks: { ...endpointHooks, after: [...(endpointHooks.after ?? []), auditActingAdmins] },
		// Only the types differ: the option `metadata` checks what is stored.
		endpoints: endpoints as unknown as EndpointsWith<Metadata>,
		options,
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
	} satisfies BetterAuthPlugin;
};
