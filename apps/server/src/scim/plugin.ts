import type { DBFieldAttribute } from "@better-auth/core/db";
import { scim } from "@better-auth/scim";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { defineTenantPlugin, getCurrentTenant } from "better-auth-tenant";
import { mappableRoles } from "../group-roles";
import { type Issuers, issuerOf } from "../openid-provider/issuer";
import type { ServiceConfig } from "../settings/service-config";
import { SCIM_ACTIONS } from "../tenant-actions";
import { scimEndpoints } from "./endpoints";
import { identity } from "./identity";
import { directoryFirst, roleProjection } from "./mapped-roles";
import { scimSchema } from "./schema";
import { MAX_TOKENS } from "./token-limits";

/**
 * The digest of a token needs no secret: a token has 288 random bits. With a secret, all tokens would stop
 * when the secret is rotated.
 */
const DIGEST_KEY = "better-auth-tenant-server: digests of SCIM tokens";

/** The plugin refuses more in one group. */
export const MAX_GROUP_MEMBERS = 1000;

/** A column of MySQL has room for so much. The plugin counts characters, and not everywhere. */
const MAX_COLUMN_BYTES = 65_535;
const MAX_NAME_BYTES = 4096;

/** A SCIM server in each tenant. Without the setting, no endpoint and no table. */
export function scimPlugins(config: ServiceConfig) {
	const plugin = scim({
		connections: [],
		managedConnections: { credentialHashSecret: DIGEST_KEY, maxActiveCredentials: MAX_TOKENS },
		identity,
		projection: roleProjection(mappableRoles(config.settings)),
		compatibility: { microsoftEntra: { acceptLegacyGroupSchema: true } },
	});
	limitText(plugin.schema.scimUser.fields.serializedAttributes, MAX_COLUMN_BYTES);
	for (const field of ["displayName", "externalId"] as const) {
		limitText(plugin.schema.scimGroup.fields[field], MAX_NAME_BYTES);
	}
	const endpoints = scimEndpoints(plugin, config);
	const isOn = config.settings.scim;
	return [
		...(isOn ? [tenantUrls(config), plugin] : []),
		defineTenantPlugin({
			id: "tenant-auth-scim",
			...(isOn ? { schema: scimSchema } : {}),
			endpoints: isOn ? endpoints : ({} as typeof endpoints),
			// TENANT_ROLES may name the actions in any case.
			tenant: {
				actions: SCIM_ACTIONS,
				...(isOn ? { session: directoryFirst, tables: { scimGroupRoles: "explicit" } } : {}),
			},
		}),
	];
}

/** Refuses a text that does not fit into every database. */
function limitText(field: DBFieldAttribute, maxBytes: number): void {
	field.transform = {
		input: (value) => {
			if (typeof value !== "string" || Buffer.byteLength(value) <= maxBytes) return value;
			throw new APIError("BAD_REQUEST", { message: "The attributes are too long" });
		},
	};
}

/** Makes the URLs in responses those of the tenant. */
const tenantUrls = (issuers: Issuers): BetterAuthPlugin => ({
	id: "tenant-auth-scim-urls",
	hooks: {
		before: [
			{
				matcher: ({ path }) => path?.startsWith("/scim/v2/") === true,
				handler: createAuthMiddleware(async (ctx) => {
					const tenant = await getCurrentTenant();
					if (tenant) ctx.context.baseURL = issuerOf(issuers, tenant.slug);
				}),
			},
		],
	},
});
