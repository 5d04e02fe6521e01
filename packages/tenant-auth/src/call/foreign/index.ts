import type { EncryptedTable } from "../../database/encrypted-fields";
import { admin } from "./admin";
import { apiKey } from "./api-key";
import { core } from "./core";
import type { EndpointRules, RowFields } from "./endpoint-rules";
import type { ForeignPlugin } from "./foreign-plugin";
import { jwt } from "./jwt";
import { oauthProvider } from "./oauth-provider";
import { organization } from "./organization";
import { others } from "./others";
import { scim } from "./scim";
import type { SignInMethod } from "./sign-in-methods";
import { passkey, signInPlugins } from "./sign-in-plugins";
import { sso } from "./sso";
import { stripe } from "./stripe";
import { twoFactor } from "./two-factor";

const plugins: readonly ForeignPlugin[] = [
	...[admin, apiKey, jwt, oauthProvider, organization, scim, sso, stripe, twoFactor],
	...signInPlugins,
	...others,
];

/** The plugins that we know, by id. `docs/compatibility.md` has a row for most. */
export const FOREIGN: ReadonlyMap<string, ForeignPlugin> = new Map(
	plugins.map((plugin) => [plugin.id, plugin]),
);

const all = [core, ...plugins];

type Facts<T> = Readonly<Record<string, T>>;

/** Without a prototype: the names come from requests and from apps. */
const join = <T>(parts: (Facts<T> | undefined)[]): Facts<T> =>
	Object.assign(Object.create(null), ...parts);

/** Several plugins may say something about one table. */
function joinFields(of: (plugin: ForeignPlugin) => RowFields | undefined): RowFields {
	const joined: Record<string, string[]> = Object.create(null);
	for (const [table, fields] of all.flatMap((plugin) => Object.entries(of(plugin) ?? {}))) {
		joined[table] = [...(joined[table] ?? []), ...fields];
	}
	return joined;
}

export const FOREIGN_PATHS: Facts<EndpointRules> = join(all.map(({ paths }) => paths));
export const CREDENTIALS: Facts<string> = join(all.map(({ credentials }) => credentials));
export const SHARED_TABLES = all.flatMap(({ tables = {} }) => Object.keys(tables));
export const TOKEN_FIELDS = joinFields(({ tokenFields }) => tokenFields);
export const EXCLUSIVE_FIELDS = joinFields(({ exclusiveFields }) => exclusiveFields);
export const GLOBAL_FIELDS = joinFields(({ globalFields }) => globalFields);
export const EXPIRING_TABLES = all.flatMap(({ expiringTables = [] }) => expiringTables);
export const FOREIGN_SECRETS = all.flatMap(({ secrets = {} }): EncryptedTable[] =>
	Object.entries(secrets).map(([model, fields]) => ({ model, fields })),
);
export const LASTING_VERIFICATIONS = all.flatMap((it) => it.lastingVerifications ?? []);
export const FOREIGN_IMPERSONATION_PATHS = all.flatMap((it) => it.impersonationPaths ?? []);
export const BEARER_PLUGINS = all.flatMap((it) => (it.bearerSessions ? [it.id] : []));

export const ACTIVE_FIELDS: Facts<string> = join(all.map(({ activeFields }) => activeFields));
export const OWNER_TABLES = ["user", ...all.flatMap(({ ownerTables = [] }) => ownerTables)];

export const IMPERSONATOR_FIELD = admin.impersonatorField;
export const STORED_TOKENS = apiKey.storedTokens;
export const ACCOUNT_PROVIDERS = sso.accountProviders;
export const SIGNING_KEYS = jwt.signingKeys;
export const {
	refreshTokens: REFRESH_TOKENS,
	accessTokens: ACCESS_TOKENS,
	consents: CONSENTS,
} = oauthProvider.grants;
export const PASSKEYS = { plugin: passkey.id, ...passkey.passkeys };
export const SECOND_FACTOR = { plugin: twoFactor.id, ...twoFactor.secondFactor };

/** The id of the plugin that a way to sign in needs; `null` if it is a part of Better Auth itself. */
export const pluginOf = (method: SignInMethod): string | null =>
	all.find(({ signInMethod }) => signInMethod === method)?.id ?? null;
