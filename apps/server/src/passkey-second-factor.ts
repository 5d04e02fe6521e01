import type { GenericEndpointContext } from "@better-auth/core";
import type { PasskeyOptions } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware, isAPIError } from "better-auth/api";
import { expireCookie } from "better-auth/cookies";
import { TWO_FACTOR_ERROR_CODES } from "better-auth/plugins";

/**
 * A request with this header is the second step of a sign-in, and not a sign-in with a passkey alone. Pages of
 * other origins cannot send it.
 */
const SECOND_STEP_HEADER = "x-second-factor";

/** The cookie in which Better Auth keeps the first step of a sign-in. */
const FIRST_STEP_COOKIE = "two_factor";
/** No other signed value of a cookie begins like this. */
const FIRST_STEP_PREFIX = "2fa-";

const isSecondStep = ({ headers }: { headers?: Headers | undefined }): boolean =>
	headers?.get(SECOND_STEP_HEADER) === "passkey";

type Context = Pick<GenericEndpointContext, "context" | "getSignedCookie">;
type Passkey = { credentialID: string; userId: string; transports?: string | null };

/** Whose password was entered in this browser, in the tenant of the call. */
async function requireFirstStep(ctx: Context): Promise<{ identifier: string; userId: string }> {
	const { context } = ctx;
	const { name } = context.createAuthCookie(FIRST_STEP_COOKIE);
	// `false` if somebody has changed it.
	const identifier = (await ctx.getSignedCookie(name, context.secret)) || "";
	if (!identifier.startsWith(FIRST_STEP_PREFIX)) throw noFirstStep();
	const found = await context.internalAdapter.findVerificationValue(identifier);
	if (!found || found.expiresAt <= new Date()) throw noFirstStep();
	return { identifier, userId: found.value };
}

const noFirstStep = () =>
	APIError.from("UNAUTHORIZED", TWO_FACTOR_ERROR_CODES.INVALID_TWO_FACTOR_COOKIE);

/** Lets the browser offer only passkeys of the user who has entered a password. */
const offerOwnPasskeys = createAuthMiddleware(async (ctx) => {
	const { returned, adapter } = ctx.context;
	if (isAPIError(returned)) return;
	const { userId } = await requireFirstStep(ctx);
	const where = [{ field: "userId", value: userId }];
	const passkeys = await adapter.findMany<Passkey>({ model: "passkey", where });
	if (passkeys.length === 0) {
		throw new APIError("BAD_REQUEST", { code: "NO_PASSKEY", message: "The user has no passkey" });
	}
	const allowCredentials = passkeys.map(({ credentialID, transports }) => ({
		id: credentialID,
		type: "public-key",
		...(transports ? { transports: transports.split(",") } : {}),
	}));
	return ctx.json({ ...(returned as object), allowCredentials });
});

/**
 * The passkey of the user who has entered the password ends the sign-in. The first step is used up before the
 * session is made, in one statement, so that it makes one session only.
 */
export const endSecondStep: NonNullable<
	NonNullable<PasskeyOptions["authentication"]>["afterVerification"]
> = async ({ ctx, clientData }) => {
	if (!isSecondStep(ctx)) return;
	const { context } = ctx;
	const { identifier, userId } = await requireFirstStep(ctx);
	const passkey = await context.adapter.findOne<Passkey>({
		model: "passkey",
		where: [{ field: "credentialID", value: clientData.id }],
	});
	if (passkey?.userId !== userId) {
		throw new APIError("UNAUTHORIZED", {
			code: "PASSKEY_NOT_FOUND",
			message: "The passkey does not belong to the user of this sign-in",
		});
	}
	const used = await context.internalAdapter.consumeVerificationValue(identifier);
	if (used?.value !== userId) throw noFirstStep();
	expireCookie(ctx, context.createAuthCookie(FIRST_STEP_COOKIE));
};

/**
 * A passkey in place of the code of an authenticator app, after the password. A user needs the app first:
 * without it, Better Auth does not ask for a second step.
 */
export const passkeySecondFactor = {
	id: "passkey-second-factor",
	hooks: {
		after: [
			{
				matcher: ({ path, headers }) =>
					path === "/passkey/generate-authenticate-options" && isSecondStep({ headers }),
				handler: offerOwnPasskeys,
			},
		],
	},
} satisfies BetterAuthPlugin;
