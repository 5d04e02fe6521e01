import type { EncryptedField } from "../../database/encrypted-fields";
import type { TenantPart } from "../port/tenant-plugin";
import type { EndpointRules, RowFields } from "./endpoint-rules";
import type { SignInMethod } from "./sign-in-methods";

/** Why something cannot be isolated, and what to do instead. */
export interface Refusal {
	readonly why: string;
	readonly instead: string;
}

type Options = Readonly<Record<string, unknown>>;

/**
 * What we know about a plugin that does not know us, or about core. Fields that a `TenantPart` has too mean
 * the same, so that a plugin can say it itself one day. Whatever is not said here is refused, or belongs to
 * the tenant of the call.
 */
export interface ForeignPlugin
	extends Pick<TenantPart, "impersonationPaths" | "secrets" | "tables"> {
	readonly id: string;
	/** It stops the start. */
	readonly refused?: Refusal;
	/**
	 * Options that stop the start, each with a test whether the app uses it.
	 *
	 * @param checked the app's `checkedPlugins`
	 */
	readonly refusedOptions?: readonly (Refusal & {
		readonly uses: (options: Options, checked: readonly string[]) => boolean;
	})[];
	/** Its endpoints at which something is different. */
	readonly paths?: Readonly<Record<string, EndpointRules>>;
	/** Its tables that hold no data of tenants. */
	readonly tables?: Readonly<Record<string, "shared">>;
	/** Columns that are encrypted with Better Auth's secret, by table. */
	readonly secrets?: Readonly<Record<string, readonly EncryptedField[]>>;
	/** The way to sign in that needs it. */
	readonly signInMethod?: SignInMethod;
	/**
	 * Fields whose values nobody can guess and only the holder of a token can present, at any endpoint. In a
	 * call that has named no tenant yet, a query by one of them decides it, before the session does.
	 */
	readonly tokenFields?: RowFields;
	/** The keys of a secondary storage that has copies of such rows, or the only ones. */
	readonly storedTokens?: {
		readonly table: string;
		/** Whether a key contains the value of a token. */
		readonly isTokenKey: (key: string) => boolean;
		readonly keysOf: (row: Readonly<Record<string, unknown>>) => string[];
		/** Where the ids of all tokens of an owner are. */
		readonly listKeyOf: (ownerId: string) => string;
	};
	/** Ids of another system that belong to one tenant. */
	readonly exclusiveFields?: RowFields;
	/** Unique values that are random, and are looked up before the tenant is known. */
	readonly globalFields?: RowFields;
	/**
	 * Tables whose rows let somebody act as a user, with the field that names the user. Those of a session, an
	 * account or a second factor end in another way, and tokens of applications end with the sessions.
	 */
	readonly credentials?: Readonly<Record<string, string>>;
	/** Tables whose rows only fill the database after they have expired, in the order of their deletion. */
	readonly expiringTables?: readonly string[];
	/** Its tables whose rows own others, as users do. */
	readonly ownerTables?: readonly string[];
	/** Fields of a session that name what the user has chosen to work with, each with its table. */
	readonly activeFields?: Readonly<Record<string, string>>;
	/** The field of a session that names the admin who impersonates its user. */
	readonly impersonatorField?: string;
	/** Who is an admin by its options. */
	readonly adminsOf?: (options: Options) => { adminUserIds: string[]; adminRoles: string[] };
	/** Accounts have its id as their provider, though it is not in the list of social providers. */
	readonly ownsAccounts?: true;
	/** The table of other providers that are not in that list, with a field `providerId`. */
	readonly accountProviders?: string;
	/** How identifiers of verifications start that belong to a user for longer than a sign-in takes. */
	readonly lastingVerifications?: readonly string[];
	/** The table of the keys that sign tokens. Each tenant may have its own. */
	readonly signingKeys?: string;
	/** The tables of the tokens that it issues to applications. */
	readonly grants?: {
		readonly refreshTokens: string;
		/** Each references its refresh token. */
		readonly accessTokens: string;
		readonly consents: string;
	};
	readonly passkeys?: { readonly table: string };
	readonly secondFactor?: {
		readonly table: string;
		/** How the identifier of a device starts that needs no second factor. The value is the user. */
		readonly trustedDevices: string;
		/** How long a device stays trusted, in seconds. */
		readonly trustMaxAge: (options: Options) => number;
	};
	/** Its endpoints are for admins. One of the platform may act in a tenant there. */
	readonly actsInTenants?: true;
	/** A request may present its session as a bearer token. */
	readonly bearerSessions?: true;
	/** Its hooks make sessions by hand: without our fields, and without a check of the user. */
	readonly makesSessions?: true;
	/** Its `onRequest` looks at the path of a request, and lets some through only with a proof. */
	readonly guardsPaths?: true;
	/** Its after-hooks on `/get-session` make no token of the session. */
	readonly makesNoTokens?: true;
	/** It hands the cookies of a response to a framework. Better Auth wants it last. */
	readonly comesLast?: true;
}
