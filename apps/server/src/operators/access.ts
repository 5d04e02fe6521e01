import { createHash, timingSafeEqual } from "node:crypto";
import type { GenericEndpointContext } from "@better-auth/core";
import type { AuthContext } from "better-auth";
import { type Actor, runOnPlatform, type TenantAuthOptions } from "better-auth-tenant";
import { type ConsoleSession, consoleCookieName, findConsoleSession } from "./console-cookie";
import { operatorError } from "./errors";
import { findValidKey, isOperatorKey, type OperatorKey } from "./key-store";
import { operatorStore, type PlatformUser } from "./operator-store";
import { isOfOwnPage } from "./own-pages";
import { ACTIONS, type Action, type Role, roleAllows, scopesAllow } from "./permissions";

export type AccessConfig = {
	/** MANAGEMENT_KEYS: they may do everything. */
	managementKeys: readonly string[];
	/** ADMIN_USER_IDS: platform users who are owners. */
	adminUserIds: readonly string[];
	requireSecondFactor: boolean;
	/** The origins of the service itself. Cookies of operators are valid only in requests of their pages. */
	ownOrigins: readonly string[];
};

/** Somebody who may do at least something. */
export type Caller = {
	/** As the audit log names the caller. */
	actor: Actor;
	email: string | null;
	/** `null` for a key with scopes. */
	role: Role | null;
	/** The only tenant that a key may manage. */
	tenantId: string | null;
	actions: readonly Action[];
};

export type Identity =
	| { status: "allowed"; caller: Caller; session: ConsoleSession; endsAt?: Date }
	/** An operator who has to set up a second factor first. */
	| { status: "second-factor-required"; user: PlatformUser; session: ConsoleSession }
	/** A platform user who is not an operator. */
	| { status: "not-an-operator"; user: PlatformUser };

export type Access = ReturnType<typeof createAccess>;

/** Decides who may do what, for the endpoints of the plugin, of operators and of the service. */
export function createAccess(config: AccessConfig) {
	const sharedKeys = config.managementKeys.map((key) => digestOf(key));

	const findSharedKey = (key: string): string | null => {
		const wanted = digestOf(key);
		// All keys are compared: the time must not reveal anything about a key.
		const found = sharedKeys.filter((digest) => timingSafeEqual(digest, wanted));
		return found.length > 0 ? fingerprintOf(wanted) : null;
	};

	const bySharedKey = (value: string): Identity => ({
		status: "allowed",
		caller: {
			actor: { kind: "key", id: value },
			email: null,
			role: "owner",
			tenantId: null,
			actions: ACTIONS,
		},
		session: { kind: "shared-key", value },
	});

	const byKey = ({ id, name, scopes, tenantId }: OperatorKey): Identity => ({
		status: "allowed",
		caller: {
			actor: { kind: "key", id, name },
			email: null,
			role: null,
			tenantId,
			actions: ACTIONS.filter((action) => scopesAllow(scopes, action)),
		},
		session: { kind: "key", value: id },
	});

	/** Not through Better Auth's own reading of the session: the request may name a tenant. */
	const bySessionToken = (context: AuthContext, token: string): Promise<Identity | null> =>
		runOnPlatform(async () => {
			const found = await context.internalAdapter.findSession(token);
			if (!found || found.session.expiresAt <= new Date()) return null;
			const store = operatorStore(context, config.adminUserIds);
			// The copy of the user in Redis may be old.
			const user = await store.findUser(found.user.id);
			if (!user) return null;
			const role = await store.findRole(user.id, { used: true });
			if (!role) return { status: "not-an-operator", user };
			const session = { kind: "session", value: token } as const;
			if (config.requireSecondFactor && !user.twoFactorEnabled) {
				return { status: "second-factor-required", user, session };
			}
			return {
				status: "allowed",
				caller: {
					actor: { kind: "administrator", id: user.id, name: user.name },
					email: user.email,
					role,
					tenantId: null,
					actions: ACTIONS.filter((action) => roleAllows(role, action)),
				},
				session,
				endsAt: found.session.expiresAt,
			};
		});

	const findByKey = async (context: AuthContext, text: string): Promise<Identity | null> => {
		const shared = findSharedKey(text);
		if (shared) return bySharedKey(shared);
		const key = isOperatorKey(text) ? await findValidKey(context, { key: text }) : null;
		return key && byKey(key);
	};

	const findByCookie = async (
		context: AuthContext,
		{ kind, value }: ConsoleSession,
	): Promise<Identity | null> => {
		if (kind === "session") return bySessionToken(context, value);
		if (kind === "shared-key") {
			// The key may have been removed from the settings.
			return sharedKeys.some((digest) => fingerprintOf(digest) === value)
				? bySharedKey(value)
				: null;
		}
		const key = await findValidKey(context, { id: value });
		return key && byKey(key);
	};

	/** The user of Better Auth's own session cookie. */
	const findByAuthSession = async (ctx: GenericEndpointContext): Promise<Identity | null> => {
		if (!isOfOwnPage(ctx, config.ownOrigins)) return null;
		const { authCookies, secret } = ctx.context;
		const token = await ctx.getSignedCookie(authCookies.sessionToken.name, secret);
		return token ? bySessionToken(ctx.context, token) : null;
	};

	/** The session that the cookie of the console stands for. */
	const findOpened = async (ctx: GenericEndpointContext): Promise<ConsoleSession | null> =>
		isOfOwnPage(ctx, config.ownOrigins) ? findConsoleSession(ctx) : null;

	const find = async (ctx: GenericEndpointContext): Promise<Identity | null> => {
		const bearer = bearerOf(ctx);
		// A key that is presented decides alone.
		if (bearer !== null) {
			const identity = await findByKey(ctx.context, bearer);
			if (identity || isOperatorKey(bearer)) return identity;
		}
		const opened = await findOpened(ctx);
		const identity = opened && (await findByCookie(ctx.context, opened));
		return identity?.status === "allowed" ? identity : findByAuthSession(ctx);
	};

	/** The plugin's `canManageTenants`. */
	const canManageTenants: NonNullable<TenantAuthOptions["canManageTenants"]> = async (
		ctx,
		{ action, tenantId },
	) => {
		const identity = await find(ctx);
		if (identity?.status !== "allowed" || !allows(identity.caller, action, tenantId)) return false;
		const { kind, id, name } = identity.caller.actor;
		return { actor: { kind: kind as "administrator" | "key", id: id ?? "", name } };
	};

	/** The error for a caller who is unknown. */
	const rejection = (ctx: GenericEndpointContext) =>
		operatorError(
			"TENANT_MANAGEMENT_NOT_ALLOWED",
			presentsNothing(ctx) ? { status: "UNAUTHORIZED" } : {},
		);

	return { config, rejection, find, findOpened, findByKey, findByAuthSession, canManageTenants };
}

/** @param tenantId the tenant that the action concerns; `null` for none or all of them */
export const allows = (caller: Caller, action: string, tenantId: string | null): boolean =>
	caller.actions.some((allowed) => allowed === action) &&
	(caller.tenantId === null || caller.tenantId === tenantId);

const digestOf = (key: string) => createHash("sha256").update(key).digest();

/** The same as in the plugin's audit events. */
const fingerprintOf = (digest: Buffer) => digest.toString("hex").slice(0, 12);

function presentsNothing(ctx: GenericEndpointContext): boolean {
	const headers = ctx.request?.headers ?? ctx.headers;
	const cookies = [ctx.context.authCookies.sessionToken.name, consoleCookieName(ctx)];
	return !headers?.get("authorization") && !cookies.some((name) => ctx.getCookie(name));
}

function bearerOf({ headers, request }: GenericEndpointContext): string | null {
	const given = (request?.headers ?? headers)?.get("authorization") ?? "";
	return /^bearer +(\S+)$/i.exec(given.trim())?.[1] ?? null;
}
