import type { BetterAuthOptions } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import { operatorError } from "./errors";

/**
 * Platform users are operators, and only an owner or the CLI makes them. So nobody signs up on the
 * platform, and an operator signs in with a password and a second factor only: Better Auth asks for the
 * second factor after a password, and not after a social sign-in or a link in an email.
 */
const closed = () =>
	new APIError("FORBIDDEN", {
		code: "PLATFORM_SIGN_UP_CLOSED",
		message: "This request names no tenant, and only invited operators are users of no tenant",
	});

/** An operator's account is removed by an owner: the last owner stays. */
const CLOSED_PATHS = ["/delete-user", "/delete-user/callback"];

const isClosed = (path: string) =>
	path.startsWith("/sign-up/") ||
	(path.startsWith("/sign-in/") && path !== "/sign-in/email") ||
	CLOSED_PATHS.includes(path);

export const closedPaths = {
	matcher: ({ path }: { path?: string }) => path !== undefined && isClosed(path),
	handler: createAuthMiddleware(async () => {
		if ((await getCurrentTenantId()) === null) throw closed();
	}),
};

/** The endpoints that may create a session of a platform user. */
const SESSION_PATHS = [
	"/sign-in/email",
	"/two-factor/verify-totp",
	"/two-factor/verify-backup-code",
];

const ACCOUNT_PATHS = ["/change-password", "/change-email", "/update-user"];

const isAccountPath = (path: string) =>
	ACCOUNT_PATHS.includes(path) ||
	(path.startsWith("/two-factor/") && !SESSION_PATHS.includes(path));

/** Better Auth's own endpoints would change an operator's account without an event in the audit log. */
export const closedAccountPaths = {
	matcher: ({ path }: { path?: string }) => path !== undefined && isAccountPath(path),
	handler: createAuthMiddleware(async (ctx) => {
		if ((await getCurrentTenantId()) !== null) return;
		// As Better Auth says it to a user whose session has ended. It named the tenant.
		if (!(await getSessionFromCtx(ctx))) {
			throw new APIError("UNAUTHORIZED", { code: "UNAUTHORIZED", message: "Unauthorized" });
		}
		throw operatorError("OPERATOR_ACCOUNT_CLOSED");
	}),
};

/** A trusted device needs no code for 30 days, also after the second factor was replaced. */
export const closedTrustedDevices = {
	matcher: ({ path, body }: { path?: string; body?: { trustDevice?: unknown } }) =>
		path?.startsWith("/two-factor/") === true && body?.trustDevice === true,
	handler: createAuthMiddleware(async () => {
		if ((await getCurrentTenantId()) === null) throw operatorError("TRUSTED_DEVICE_NOT_ALLOWED");
	}),
};

/** Whatever endpoint it is: also one that a plugin adds later. */
export const closedTables: NonNullable<BetterAuthOptions["databaseHooks"]> = {
	user: {
		create: {
			before: async () => {
				if ((await getCurrentTenantId()) === null) throw closed();
			},
		},
	},
	session: {
		create: {
			before: async (_, ctx) => {
				if (ctx && SESSION_PATHS.includes(ctx.path)) return;
				if ((await getCurrentTenantId()) === null) throw closed();
			},
		},
	},
};
