import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type { TwoFactorOptions } from "better-auth/plugins";
import type { AuthEmails } from "./auth-emails";

const VALID_MINUTES = 5;

/**
 * A code by email, in place of one from the authenticator app. It is the weaker factor: who can read the
 * emails of a user can also choose a new password. So it is off by default.
 */
export const secondFactorCodes = (
	emails: Pick<AuthEmails, "secondFactorCode">,
): NonNullable<TwoFactorOptions["otpOptions"]> => ({
	period: VALID_MINUTES,
	storeOTP: "hashed",
	// Not async: Better Auth would only log the error.
	sendOTP: ({ user, otp }) => {
		// Otherwise it may be the address of somebody else.
		if (!user.emailVerified) {
			throw new APIError("FORBIDDEN", {
				code: "EMAIL_NOT_VERIFIED",
				message: "The email is not verified, so it gets no code",
			});
		}
		return emails.secondFactorCode({ user, code: otp });
	},
});

const refuse = createAuthMiddleware(async () => {
	throw new APIError("FORBIDDEN", {
		code: "AUTHENTICATOR_APP_REQUIRED",
		message: "A code by email is for a sign-in only. Set up an authenticator app as second factor",
	});
});

const CODE_PATHS = ["/two-factor/send-otp", "/two-factor/verify-otp"];

/**
 * A user has an authenticator app first. With a session, Better Auth's endpoints would set up a second factor
 * of emails only, also where the tenant requires one.
 */
export const noFactorOfEmailsOnly = {
	id: "no-factor-of-emails-only",
	hooks: {
		before: [
			{
				matcher: ({ path }) => path !== undefined && CODE_PATHS.includes(path),
				handler: createAuthMiddleware(async (ctx) => {
					if (await getSessionFromCtx(ctx)) await refuse(ctx);
				}),
			},
			{
				matcher: ({ path, body }) =>
					path === "/two-factor/enable" && (body?.method ?? "totp") !== "totp",
				handler: refuse,
			},
		],
	},
} satisfies BetterAuthPlugin;
