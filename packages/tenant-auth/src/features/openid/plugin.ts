import type { OwnProviders } from "../../call/port/own-providers";
import { defineTenantPlugin } from "../../call/port/tenant-plugin";
import { checkConfig } from "./check-config";
import { testTenantOAuthConfig } from "./endpoints";
import { buildOwnProvider, nameOfOwn } from "./own-provider";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-openid": { creator: typeof tenantOpenId };
	}
}

const OPENID_ACTIONS = { "connection:test": "owner" } as const;

/** What callers may do with this plugin. */
export type OpenIdAction = keyof typeof OPENID_ACTIONS;

/** With this type, an app can export the type of the plugin. */
const ownProviders: OwnProviders = {
	check: checkConfig,
	build: buildOwnProvider,
	nameOf: nameOfOwn,
};

/**
 * Own identity providers of tenants: a tenant registers an OpenID Connect provider by its issuer, such as
 * Okta, Entra ID or Keycloak. It also adds the endpoint that tests an OAuth config without a person.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: [tenantAuth(), tenantOpenId()] });
 * ```
 */
export const tenantOpenId = () =>
	defineTenantPlugin({
		id: "tenant-auth-openid",
		endpoints: { testTenantOAuthConfig },
		tenant: {
			requires: ["tenant-auth"],
			creator: "tenantOpenId",
			actions: OPENID_ACTIONS,
			ownProviders,
		},
	});
