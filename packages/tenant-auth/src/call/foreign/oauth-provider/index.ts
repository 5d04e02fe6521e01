import { optionsOf } from "../../../database/encrypted-fields";
import type { EndpointRules } from "../endpoint-rules";
import type { ForeignPlugin } from "../foreign-plugin";
import { findClientId } from "./client-id";

const id = "oauth-provider";

/** OAuth clients call without a tenant: the protocol has no place for one. */
const byClient: EndpointRules = {
	tenantFrom: "public-id",
	publicId: { table: "oauthClient", field: "clientId", find: findClientId },
};

const countOf = (value: unknown) => (value instanceof Set ? value.size : listOf(value).length);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const oauthProvider = {
	id,
	refusedOptions: [
		{
			uses: ({ cachedTrustedClients }) => countOf(cachedTrustedClients) > 0,
			why: "cachedTrustedClients keeps clients in memory without their tenant",
			instead: "remove the option",
		},
		{
			// One that stores nothing and keeps nothing is safe. Only the app knows.
			uses: ({ extensions }, checked) =>
				listOf(extensions)
					.flatMap((it) => Object(it).clientDiscovery ?? [])
					.some((discovery) => !checked.includes(String(Object(discovery).id))),
			why: "client discovery stores a client under its URL, once for all tenants",
			instead:
				"register the clients in each tenant, or name the id of a discovery that stores nothing in checkedPlugins",
		},
	],
	paths: {
		"/oauth2/authorize": byClient,
		"/oauth2/token": { ...byClient, servesTokens: true, refreshesTokens: true },
		"/oauth2/introspect": { ...byClient, servesTokens: true },
		"/oauth2/revoke": byClient,
		"/oauth2/userinfo": {
			...byClient,
			// An access token that is not a JWT names no client. The plugin looks up its row.
			rows: { oauthAccessToken: ["token"] },
			servesTokens: true,
		},
		"/oauth2/end-session": byClient,
		"/oauth2/public-client-prelogin": byClient,
	},
	tables: {
		// The APIs for which the app issues tokens. No endpoint writes them: they come from the app's code.
		oauthResource: "shared",
		// Hashes of a client's id and an assertion that it has used. If each belonged to a tenant, another one
		// could not find it, and the plugin would take the used id for a failure of the database.
		oauthClientAssertion: "shared",
	},
	globalFields: {
		oauthClient: ["clientId"],
		oauthAccessToken: ["token"],
		oauthRefreshToken: ["token"],
	},
	credentials: { oauthConsent: "userId" },
	grants: {
		refreshTokens: "oauthRefreshToken",
		accessTokens: "oauthAccessToken",
		consents: "oauthConsent",
	},
	// An access token references its refresh token.
	expiringTables: ["oauthAccessToken", "oauthRefreshToken", "oauthClientAssertion"],
	secrets: {
		oauthClient: [
			{
				name: "clientSecret",
				isEncrypted: (ctx) => {
					const { storeClientSecret, disableJwtPlugin } = optionsOf(ctx, id);
					return (storeClientSecret ?? (disableJwtPlugin && "encrypted")) === "encrypted";
				},
				ifUnreadable: { logAt: ["/oauth2/token", "/oauth2/introspect", "/oauth2/revoke"] },
			},
		],
	},
} satisfies ForeignPlugin;
