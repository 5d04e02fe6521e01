import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { ResolvedOptions } from "../../options";
import { TOKEN_FIELDS } from "../foreign";
import type { RowFields } from "../foreign/endpoint-rules";
import type { Features } from "../port/features";
import type { CustomHosts } from "../port/tenant-plugin";
import type { Scope, TenantRow, TenantScope } from "./tenant";

/** Whether a password must be refused. */
export type PasswordCheck = (password: string) => Promise<boolean>;

/** One Better Auth instance with this plugin. States of different instances never mix. */
export interface TenantInstance {
	readTenant(tenantId: string): Promise<TenantRow | null>;
	readTenantBySlug(slug: string): Promise<TenantRow | null>;
	/** Finds tenants by other hosts than those below the domain, if the app allows such hosts. */
	readonly customHosts: CustomHosts | null;
	/** Whether the app or another plugin has hooks around endpoints. */
	hasOtherHooks: boolean;
	/** Whether a password is too common, if the app asks for that. */
	readonly isCommon: PasswordCheck | null;
	/** Whether a password is in a known breach. */
	readonly isBreached: PasswordCheck;
	readonly options: ResolvedOptions;
	/** Of the instance, and not of a call. */
	readonly context: AuthContext;
	/** What other plugins add to tenants. */
	readonly features: Features;
}

/**
 * How far the tenant of a request is known.
 *
 * - `pending`: nothing asked for it yet. The session that the request carries decides, or else it is
 *   the platform.
 * - `awaiting-token`: the request presents a token that decides: an OAuth state, the token of a link
 *   that was sent by email, or anything else that names a row.
 * - `resolved`: every read and write keeps to this scope.
 * - `refused`: the tenant is known and does not admit the request. Reading its data throws `error`.
 *   What the request came with may still be used up: its OAuth state, or its session at a sign-out.
 */
type Resolution =
	| { kind: "pending" }
	| {
			kind: "awaiting-token";
			token: "oauth-state" | "row";
			/** The fields by which it names its row. */
			rows: RowFields;
			/** A session may decide in place of the token. */
			sessionMayDecide: boolean;
	  }
	| { kind: "resolved"; scope: Scope; tenant: TenantRow | null }
	| { kind: "refused"; error: Error; by: RefusedBy; scope: TenantScope };

type RefusedBy = "oauth-state" | "session" | "row" | "name";

/** The platform admin who acts in a tenant. One who is `ending` stops impersonating a user of it. */
export interface ActingAdmin {
	readonly userId: string;
	readonly ending: boolean;
}

/** Shared by a call and all the work that it starts in other scopes. */
interface CallData {
	tenantReads: Map<string, Promise<TenantRow | null>>;
	slots: Map<object, unknown>;
}

/**
 * What is known about the tenant of a running call. What decides its scope is private, and only the methods
 * below change it.
 */
export class RequestState {
	/** `null` in work across all tenants, which may belong to any instance. */
	readonly instance: TenantInstance | null;
	readonly outer: RequestState | null;
	readonly depth: number;
	/** The endpoint that it was started for. Its session decides, not one of a call inside of it. */
	readonly endpoint: GenericEndpointContext | null;
	#resolution: Resolution = { kind: "pending" };
	#resolving: Promise<Scope> | null = null;
	readonly #accepted = new Set<string>();
	readonly #rejected = new Set<string>();
	#hostTenantId: string | null = null;
	#expectedRow: { rows: RowFields; required: boolean } | null = null;
	#isTenantOnly = false;
	#ignoresNamedTenant = false;
	#actingAdmin: ActingAdmin | null = null;
	readonly #data: CallData;
	/** Whether the call has created a session. */
	sessionCreated = false;
	/** Why the tenant refused a new user. */
	signUpRejection: Error | null = null;
	/** Whether a session was not valid because its user has no second factor. */
	lacksSecondFactor = false;

	/**
	 * @param inside whether it is work inside of the outer call, which shares what was read for it
	 */
	constructor(
		instance: TenantInstance | null,
		outer: RequestState | null,
		{
			inside = false,
			scope,
			endpoint = null,
		}: { inside?: boolean; scope?: Scope; endpoint?: GenericEndpointContext | null } = {},
	) {
		this.instance = instance;
		this.outer = outer;
		this.depth = (outer?.depth ?? 0) + 1;
		this.endpoint = endpoint;
		this.#data = inside && outer ? outer.#data : { tenantReads: new Map(), slots: new Map() };
		if (scope) this.resolve(scope);
	}

	get resolution(): Readonly<Resolution> {
		return this.#resolution;
	}

	/** The scope, once it is known. */
	get scope(): Scope | null {
		return this.#resolution.kind === "resolved" ? this.#resolution.scope : null;
	}

	/** The tenant's row, where it was read to resolve the scope. */
	get tenant(): TenantRow | null {
		return this.#resolution.kind === "resolved" ? this.#resolution.tenant : null;
	}

	resolve(scope: Scope, tenant: TenantRow | null = null): Scope {
		this.#resolution = { kind: "resolved", scope, tenant };
		this.#accepted.clear();
		return scope;
	}

	refuse(error: Error, by: RefusedBy, scope: TenantScope): void {
		this.#resolution = { kind: "refused", error, by, scope };
	}

	/** The scope of a refused tenant in which the request may still use up what it came with. */
	refusedScope(by: RefusedBy): TenantScope | null {
		const { kind } = this.#resolution;
		return kind === "refused" && this.#resolution.by === by ? this.#resolution.scope : null;
	}

	awaitToken(
		token: "oauth-state" | "row",
		rows: RowFields,
		{ sessionMayDecide = false, tenantOnly = false } = {},
	): void {
		this.#resolving = null;
		this.#isTenantOnly = tenantOnly;
		this.#resolution = { kind: "awaiting-token", token, rows, sessionMayDecide };
	}

	/** The request has named a tenant and will name a row too, which must belong to that tenant. */
	expectRow(rows: RowFields, { required = false } = {}): void {
		this.#expectedRow = { rows, required };
	}

	/** The expected row belongs to the tenant that the request names. */
	noteExpectedRow(): void {
		this.#expectedRow = null;
	}

	/** Whether the tenant's data is closed until the request has named a row of the tenant. */
	get requiresRow(): boolean {
		return this.#expectedRow?.required === true;
	}

	/** Whether a row of this model decides the tenant, and was not looked up yet. */
	awaitsRowOf(model: string): boolean {
		const { kind } = this.#resolution;
		return kind === "awaiting-token" && this.#resolution.rows[model] !== undefined;
	}

	/** The fields by which a query of this model names the row that decides the tenant. */
	namingFieldsOf(model: string): readonly string[] {
		const { kind } = this.#resolution;
		const rows = kind === "awaiting-token" ? this.#resolution.rows : this.#expectedRow?.rows;
		return rows?.[model] ?? (this.sessionMayDecide ? TOKEN_FIELDS[model] : undefined) ?? [];
	}

	/** Whether the token must belong to a tenant. A token of the platform finishes nothing here. */
	get isTenantOnly(): boolean {
		return this.#isTenantOnly;
	}

	/** Notes whose host was called. Only a token of this tenant is valid there. */
	bindToHost(tenantId: string): void {
		this.#hostTenantId = tenantId;
	}

	/** Whether a token of a tenant may be used at the host that was called. */
	admitsTokenOf(tenantId: string): boolean {
		return this.#hostTenantId === null || this.#hostTenantId === tenantId;
	}

	/** Forgets a scope that a hook has resolved by the session, for a tenant that the call names. */
	reset(): void {
		this.#resolution = { kind: "pending" };
		this.#resolving = null;
		this.#accepted.clear();
	}

	/** Two reads of one request may ask at once. Both wait for the same result. */
	resolveOnce(resolve: () => Promise<Scope>): Promise<Scope> {
		this.#resolving ??= resolve();
		return this.#resolving;
	}

	/** Whether the session that the request carries may still decide its tenant. */
	get sessionMayDecide(): boolean {
		const { kind } = this.#resolution;
		if (kind === "awaiting-token") return this.#resolution.sessionMayDecide;
		return kind === "pending";
	}

	/**
	 * Reads a tenant's row, once per call.
	 *
	 * @param instance of the call; work across all tenants belongs to none
	 */
	readTenant(tenantId: string, instance = this.instance): Promise<TenantRow | null> {
		if (!instance) throw new Error("work across all tenants belongs to no instance");
		const { tenantReads } = this.#data;
		const known = tenantReads.get(tenantId);
		if (known) return known;
		const row = instance.readTenant(tenantId);
		tenantReads.set(tenantId, row);
		// A failure is for the callers that wait for the row. The next one reads again.
		row.catch(() => tenantReads.delete(tenantId));
		return row;
	}

	/** Reads a tenant's row by its slug. The gate does not read it again. */
	async readTenantBySlug(slug: string): Promise<TenantRow | null> {
		return this.noteTenant((await this.instance?.readTenantBySlug(slug)) ?? null);
	}

	/** Reads the row of the tenant that has a host name of its own. The gate does not read it again. */
	async readTenantByHost(ctx: AuthContext, hostname: string): Promise<TenantRow | null> {
		const found = await this.instance?.customHosts?.findTenant(ctx, hostname);
		return this.noteTenant((found ?? null) as TenantRow | null);
	}

	/** Notes a tenant's row that was read in another way. */
	noteTenant(row: TenantRow | null): TenantRow | null {
		if (row) this.#data.tenantReads.set(row.id, Promise.resolve(row));
		return row;
	}

	/** A tenant's row, if the call has read it. */
	async findKnownTenant(tenantId: string): Promise<TenantRow | null> {
		return (await this.#data.tenantReads.get(tenantId)) ?? null;
	}

	acceptSession(token: string): void {
		this.#accepted.add(token);
	}

	/** Notes a session of another tenant that the request presents. Its cookies stay. */
	rejectSession(token: string): void {
		this.#rejected.add(token);
	}

	hasAccepted = (token: string): boolean => this.#accepted.has(token);
	hasRejected = (token: string): boolean => this.#rejected.has(token);

	get hasRejectedSessions(): boolean {
		return this.#rejected.size > 0;
	}

	/**
	 * Runs the authorization of a management call. The call names the tenant that it manages, not the
	 * tenant of its caller's session, so calls inside of it ignore that name.
	 */
	async ignoringNamedTenant<T>(work: () => Promise<T>): Promise<T> {
		this.#ignoresNamedTenant = true;
		try {
			return await work();
		} finally {
			this.#ignoresNamedTenant = false;
		}
	}

	get ignoresNamedTenant(): boolean {
		return this.#ignoresNamedTenant;
	}

	admitActingAdmin(admin: ActingAdmin): void {
		this.#actingAdmin = admin;
	}

	/** The platform admin who is admitted to the tenant of the call. */
	get actingAdmin(): ActingAdmin | null {
		return this.#actingAdmin;
	}

	/** What a feature keeps for the running call. See `defineCallState`. */
	slot<T>(key: object, init: () => T): T {
		const { slots } = this.#data;
		if (!slots.has(key)) slots.set(key, init());
		return slots.get(key) as T;
	}
}
