import type { AuthContext, BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { EncryptedField } from "../../database/encrypted-fields";
import type { OwnProviders } from "./own-providers";

/** What a feature can do, such as `note:create`. */
export type ActionName = `${string}:${string}`;

/**
 * Who may do something by the role in their tenant:
 *
 * - `owner`: owners and admins, by default
 * - `optional`: nobody, unless the app gives it to one of its `roles`
 * - `app`: nobody, ever. It concerns other tenants, or the app's say over the tenant.
 *
 * If in doubt, it is `app`. Those who act for the app may do everything.
 */
export type Grant = "owner" | "optional" | "app";

/** What the audit log says about a change. */
export interface ChangeFacts {
	targetId: string;
	detail: Record<string, unknown>;
}

/** What happened in a tenant, such as `note.created`. It must not contain a secret. */
export interface FeatureEvent {
	type: `${string}.${string}`;
	data: Record<string, unknown>;
}

export interface TenantAction {
	grant: Grant;
	/** The event of a change with this action. Without it, the change has none. */
	event?: (facts: ChangeFacts) => FeatureEvent;
}

/** A tenant's row, as the database stores it. */
export type TenantRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

/** An event as listeners get it. */
export interface DispatchedEvent extends FeatureEvent {
	/** Unique. */
	id: string;
	tenantId: string;
	createdAt: Date;
}

/** Hears of everything that happens in tenants, as a part of the transaction in which it happens. */
export interface TransactionListener {
	/**
	 * Whether it wants an event of this tenant, or any event if there is no type. It runs for every write to
	 * a user, session or account, so it must be fast and decide by the tenant's row.
	 */
	wants(tenant: TenantRecord, type?: string): boolean;
	/** Writes with `adapter` only. If it fails, the change does not happen. */
	write(
		adapter: Pick<DBTransactionAdapter, "create">,
		tenant: TenantRecord,
		event: DispatchedEvent,
	): Promise<void>;
}

/** An event of a sign-in, as a recorder gets it. */
export interface SignInEvent extends DispatchedEvent {
	type: "sign-in.succeeded" | "sign-in.challenged" | "sign-in.failed";
	data: {
		userId: string | null;
		reason?: string;
		method: string;
		providerId: string | null;
		ipAddress: string | null;
		userAgent: string | null;
	};
}

/**
 * Stores sign-ins in a table of the plugin. Rows are written in the background, many at once. Anybody can
 * fail to sign in as often as they like, so a tenant has a limit per minute.
 */
export interface SignInRecorder {
	table: string;
	/** The row of a sign-in. It runs in the call, so it must not query. */
	rowOf(ctx: GenericEndpointContext, event: SignInEvent): Promise<Record<string, unknown>>;
	/** The row that stands for those of a minute that were too many. */
	rowOfRest(rest: {
		tenantId: string;
		createdAt: Date;
		type: SignInEvent["type"];
		attempts: number;
	}): Record<string, unknown>;
}

/** A new row of the audit log, or of a table that stores sign-ins. */
export interface LoggedRow {
	/** `tenantAuditEvent`, or the table of a {@link SignInRecorder}. */
	table: string;
	id: string;
	createdAt: Date;
}

/** A new user who is accepted, in the transaction that creates them. */
export interface AcceptedUser {
	/** Fields of the user's row that are written with it, such as `tenantRole`. */
	fields: Readonly<Record<string, unknown>>;
	/** Runs after the user was created. */
	created(user: { id: string }): Promise<void>;
	/** Undoes what was done to accept the user, who was not created. */
	undo(): Promise<void>;
}

/** Says who may sign up in a tenant that admits only people with an invitation, and what they get. */
export interface Admission {
	/** Whether a call presents a valid invitation for this email. It runs before a sign-up and changes nothing. */
	isInvited(ctx: GenericEndpointContext, tenantId: string, email: string): Promise<boolean>;
	/** Runs for each new user of a tenant. `null` if the call presents no invitation. Queries with `trx` only. */
	acceptUser(
		ctx: GenericEndpointContext,
		trx: DBTransactionAdapter,
		tenantId: string,
		email: string,
	): Promise<AcceptedUser | null>;
	/**
	 * Whether somebody who proves this email will get something. Then all access to an account that was
	 * created with the email before ends first.
	 */
	isExpected(
		db: Pick<DBTransactionAdapter, "findOne">,
		tenantId: string,
		email: string,
	): Promise<boolean>;
}

/** A session of a tenant that is being created. */
export interface NewSession {
	/** `null` in code of the app that runs outside of an endpoint. */
	endpoint: GenericEndpointContext | null;
	tenantId: string;
	userId: string;
	/** Whether management creates the session, to act as the user. */
	isByManagement: boolean;
}

/** What a feature has to say when a session of a tenant is created or used. */
export interface SessionStage {
	/** Before the session is created, and after the tenant's policy has allowed it. Throw to refuse it. */
	before?(session: NewSession): Promise<void>;
	/** After the session was created. */
	after?(session: NewSession): Promise<void>;
	/**
	 * Whether a session is still valid. It runs in every request with a session, so it should decide by the
	 * rows that it gets. Sessions are not cached in cookies then.
	 */
	admits?(found: { session: Session; user: User }, tenantId: string): Promise<boolean>;
	/**
	 * After somebody has signed out in their browser. It may end more sessions, and change cookies. If it
	 * fails, the user is signed out all the same. A sign-out that names another tenant than that of its
	 * session ends nothing: find out whether the session has ended.
	 */
	signedOut?(endpoint: GenericEndpointContext, token: string): Promise<void>;
}

/** What an identity provider has sent to the callback of a social sign-in. */
export interface ProviderResponse {
	providerId: string;
	parameters: Record<string, string>;
}

/**
 * Takes part in the social sign-ins of tenants. For a flow that is not its own, it must return at once: it runs
 * in each of them.
 */
export interface SocialFlowStage {
	/** Runs first at the callback. It redirects if the sign-in goes on elsewhere. */
	beforeCallback?(ctx: GenericEndpointContext, response: ProviderResponse): Promise<void>;
	/** The provider of a sign-in in a tenant, at its start and at its callback. */
	adaptProvider?(ctx: GenericEndpointContext, provider: OAuthProvider): Promise<OAuthProvider>;
}

/**
 * Knows the host names of tenants that are not below the domain of `tenantHosts()`. They are used if the
 * app allows them with `tenantHosts({ customDomains })`.
 */
export interface CustomHosts {
	/**
	 * The tenant of a host name that its tenant has proved to own: its whole row, whether it is suspended or
	 * not. It runs for each request to such a host.
	 *
	 * @param hostname in lowercase, without the port
	 */
	findTenant(ctx: AuthContext, hostname: string): Promise<TenantRecord | null>;
	/** The host name to which links in emails of a tenant lead; `null` if it has none. */
	findLinkHost(ctx: Pick<AuthContext, "adapter">, tenantId: string): Promise<string | null>;
	/**
	 * The provider of a social sign-in in a tenant, for the host that was called. Use it if the callback of
	 * the sign-in is at another host.
	 */
	adaptProvider?(ctx: GenericEndpointContext, provider: OAuthProvider): Promise<OAuthProvider>;
	/** Runs first at the callback. It redirects if the sign-in must end at another host. */
	beforeCallback?(ctx: GenericEndpointContext, response: ProviderResponse): Promise<void>;
}

/** A password that somebody has typed, and what the database has for it. */
export interface StoredPassword {
	stored: string;
	password: string;
	/** Hashes a password as the app does. */
	hash(password: string): Promise<string>;
}

/** A column of the feature that is encrypted with Better Auth's secret. */
export type FeatureSecret = Pick<EncryptedField, "name" | "placeOf" | "isUsed">;

/** Deletes what has expired in all tenants, in batches, and returns how many rows. */
export type CleanUp = (ctx: AuthContext, signal: AbortSignal | undefined) => Promise<number>;

/**
 * What a plugin of Better Auth declares to `tenantAuth()`. Without it, a plugin works in tenants too:
 * each row of its tables belongs to the tenant whose call wrote it.
 */
export interface TenantPart {
	/** What callers of its endpoints may do. Endpoints check it with `manageTenant()`. */
	actions?: Readonly<Record<ActionName, Grant | TenantAction>>;
	/**
	 * Tables of this plugin whose rows are not owned by the tenant of the call:
	 *
	 * - `explicit`: the table has a column `tenantId`, and each query of the plugin names the tenant itself.
	 *   The rows of a tenant are deleted with it.
	 * - `short-lived`: the same, but the rows do not move with the tenant to another service.
	 * - `shared`: it holds no data of tenants.
	 */
	tables?: Readonly<Record<string, "explicit" | "short-lived" | "shared">>;
	/** Columns that are encrypted with Better Auth's secret, by table. They are re-encrypted with the others. */
	secrets?: Readonly<Record<string, readonly FeatureSecret[]>>;
	/** The types of its events, with what each means. */
	events?: Readonly<Record<FeatureEvent["type"], string>>;
	listener?: TransactionListener;
	signIns?: SignInRecorder;
	/**
	 * Hears of each row that was added to the audit log or to a log of sign-ins, in the transaction that adds
	 * it. It writes with `adapter` only. If it fails, the row and its change are not stored.
	 */
	logged?: (adapter: Pick<DBTransactionAdapter, "create">, row: LoggedRow) => Promise<void>;
	admission?: Admission;
	session?: SessionStage;
	/** One plugin at most has it. */
	hosts?: CustomHosts;
	/**
	 * The email domains that a tenant has proved to own, in lowercase. Its owners may trust an identity
	 * provider with emails of these. If it loses one, remove it from `trustEmails` of its OAuth configs.
	 */
	emailDomains?: (ctx: AuthContext, tenantId: string) => Promise<readonly string[]>;
	/** The tenant that has proved to own an email domain: its whole row, whether it is suspended or not. */
	emailDomainOwner?: (ctx: AuthContext, domain: string) => Promise<TenantRecord | null>;
	socialFlow?: SocialFlowStage;
	/** Paths of this plugin's endpoints that end a sign-in, with the method that events name. */
	signInPaths?: Readonly<Record<string, string>>;
	/** Identity providers that tenants register themselves. Only one plugin can have this field. */
	ownProviders?: OwnProviders;
	/**
	 * Verifies passwords that are stored in a form of the plugin, such as the hashes of another system. `null`
	 * if this one has another form.
	 */
	verifyPassword?: (ctx: AuthContext, stored: StoredPassword) => Promise<boolean | null>;
	/** Runs when a user is deleted, in the transaction and in the tenant. Foreign keys need no such function. */
	forgetUser?: (
		ctx: Pick<AuthContext, "adapter">,
		user: { id: string; tenantId: string },
	) => Promise<void>;
	/** What `cleanUp()` deletes, by the name that its report has for it. */
	cleanUp?: Readonly<Record<string, CleanUp>>;
	/** Paths of this plugin's endpoints that an impersonated session may call. */
	impersonationPaths?: readonly string[];
	/** The ids of plugins that it needs. They come before it in the list of plugins. */
	requires?: readonly string[];
	/**
	 * The function that makes the plugin, such as `tenantWebhooks`, if its option `schema` renames tables and
	 * columns. Messages name it where a name of the plugin is taken.
	 */
	creator?: string;
}

export type TenantPlugin = BetterAuthPlugin & { tenant: TenantPart };

/**
 * Checks the types of a plugin with a `tenant` part, and returns the plugin.
 *
 * @example
 * ```ts
 * export const notes = () =>
 *   defineTenantPlugin({
 *     id: "notes",
 *     schema: { note: { fields: { text: { type: "string", required: true } } } },
 *     endpoints: { listNotes, createNote },
 *     tenant: { actions: { "note:list": "owner", "note:create": "owner" } },
 *   });
 * ```
 */
export const defineTenantPlugin = <const Plugin extends TenantPlugin>(
	plugin: Plugin,
): Omit<Plugin, "tenant"> & { tenant: TenantPart } => plugin;
