import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";
import * as z from "zod";
import { findState } from "../../../call/context/current-state";
import { policyIn } from "../../../call/policy/tenant-policy";
import { toReturned } from "../../../database/row-fields";
import { flag, text, textOrNull, texts } from "../../../described";
import type { TenantUser } from "../../../management/users/managed-users";
import type { CoreResult } from "../dispatch-core";

/** Better Auth documents the columns of the user and of the session, also those that your app adds. */
const componentOf = (name: "User" | "Session") => ({ $ref: `#/components/schemas/${name}` });

export const userResponse = z.custom<TenantUser>().meta(componentOf("User"));

/** A user as a response has it. */
export const userOutput = (ctx: AuthContext, user: object) =>
	toReturned(ctx, "user", user) as TenantUser;

const ownSession = z.custom<Session & { tenantId: string }>().meta(componentOf("Session"));

export const sessionResponse = z.object({
	token: textOrNull("The session's token, if there is a session"),
	user: userResponse,
	session: ownSession.nullable(),
	redirect: flag("Whether the client goes to url").optional(),
	url: text("The callbackURL of the call").optional(),
	secondFactorRequired: z
		.literal(true)
		.meta({ description: "Present if the user must set up a second factor first" })
		.optional(),
});

/** The password was right, but Better Auth's `twoFactor()` requires a second factor. */
const twoFactorResponse = z.object({
	twoFactorRedirect: z.literal(true).meta({ description: "A second factor is required" }),
	twoFactorMethods: texts("The methods that the user has, for example totp"),
});

type SessionResponse = z.output<typeof sessionResponse>;
export type TwoFactorResponse = z.output<typeof twoFactorResponse>;
type Without<T> = { [Field in keyof T]?: undefined };

/** With `twoFactorRedirect` there is no session yet. */
type SignInResponse =
	| (SessionResponse & Without<TwoFactorResponse>)
	| (TwoFactorResponse & Without<Pick<SessionResponse, "token" | "user" | "session">>);

export const signInResponse: z.ZodType<SignInResponse> = z.union([
	sessionResponse,
	twoFactorResponse,
]);

/**
 * Core's response, with the session. A response without a user is returned as it is; `Other` says what it
 * is.
 */
export function withSession<Other = never>(
	ctx: GenericEndpointContext,
	{ response, newSession }: CoreResult,
): SessionResponse | Other {
	if (response === null || typeof response !== "object" || !("user" in response)) {
		return response as Other;
	}
	const session = newSession ? toReturned(ctx.context, "session", newSession.session) : null;
	return { ...response, session, ...missingFactor(response.user) } as SessionResponse;
}

/** With such a session, the user can only set up a second factor. */
function missingFactor(user: unknown): { secondFactorRequired?: true } {
	const tenant = findState()?.tenant;
	if (!tenant?.policy || !policyIn(tenant).secondFactor.required) return {};
	const { twoFactorEnabled }: { twoFactorEnabled?: unknown } = Object(user);
	return twoFactorEnabled === true ? {} : { secondFactorRequired: true };
}
