import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { TENANT_AUTH_ERROR_CODES } from "./error-codes";
import { endpoints } from "./features/endpoints";
import type { EndpointsWith } from "./features/endpoints/typed-metadata";
import type { WithUserFields } from "./features/endpoints/typed-user-fields";
import { completeResponse, noteOurRequest } from "./installation/complete-response";
import { endpointHooks } from "./installation/endpoint-hooks";
import { install } from "./installation/install";
import { rejectOtherTenants } from "./installation/trusted-origins";
import type { TenantMetadata } from "./management/tenants/tenant";
import { resolveOptions } from "./options";
import { tenantSchema } from "./schema";
import type { TenantAuthOptions, UserFields } from "./tenant-auth-options";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth": { creator: typeof tenantAuth };
	}
}

function createPlugin(options: TenantAuthOptions = {}) {
	const resolved = resolveOptions(options);
	return {
		id: "tenant-auth",
		schema: tenantSchema(options.schema),
		init: (ctx: AuthContext) => install(ctx, options, resolved),
		onRequest: async (request: Request, ctx: AuthContext) => {
			noteOurRequest(request, ctx);
			return resolved.hosts ? rejectOtherTenants(request, ctx, resolved.hosts) : undefined;
		},
		onResponse: completeResponse(resolved),
		hooks: endpointHooks,
		// Their types for callers are in `PluginWith`.
		endpoints: endpoints as NonNullable<BetterAuthPlugin["endpoints"]>,
		options,
		$ERROR_CODES: TENANT_AUTH_ERROR_CODES,
	} satisfies BetterAuthPlugin;
}

/** Only the types differ: the option `metadata` checks what is stored, and Better Auth the user fields. */
type PluginWith<Endpoints> = Omit<ReturnType<typeof createPlugin>, "endpoints"> & {
	endpoints: Endpoints;
};

/** What `tenantAuth()` returns. */
export type TenantAuthPlugin<Metadata> = PluginWith<EndpointsWith<Metadata>>;

/** Two signatures: the types of user fields are work for the compiler, and most apps have none. */
interface TenantAuth {
	<Fields extends UserFields, Metadata extends object = TenantMetadata>(
		options: TenantAuthOptions<Metadata> & { userFields: Fields },
	): PluginWith<WithUserFields<EndpointsWith<Metadata>, Fields>>;
	<Metadata extends object = TenantMetadata>(
		options?: TenantAuthOptions<Metadata>,
	): TenantAuthPlugin<Metadata>;
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
export const tenantAuth = createPlugin as unknown as TenantAuth;
