import type { GenericEndpointContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import * as z from "zod";
import { findState } from "../../context/current-state";
import { toReturned } from "../../database/returned-fields";
import { policyIn } from "../../policy/tenant-policy";
import type { TenantUser } from "../../users/managed-users";
import type { CoreAnswer } from "../dispatch-core";

/** Better Auth documents the columns of the user and of the session, also those that your app adds. */
const componentOf = (name: "User" | "Session") => ({ $ref: `#/components/schemas/${name}` });

export const userAnswer = z.custom<User>().meta(componentOf("User"));

/** A user as those who manage the tenant see it. */
export const managedUserAnswer = z.custom<TenantUser>().meta(componentOf("User"));

const ownUser = z.custom<User & { tenantId: string }>().meta(componentOf("User"));
const ownSession = z.custom<Session & { tenantId: string }>().meta(componentOf("Session"));

export const sessionAnswer = z.object({
	token: z.string().nullable().meta({ description: "The session's token, if there is a session" }),
	user: ownUser,
	session: ownSession.nullable(),
	redirect: z.boolean().meta({ description: "Whether the client goes to url" }).optional(),
	url: z.string().meta({ description: "The callbackURL of the call" }).optional(),
	secondFactorRequired: z
		.literal(true)
		.meta({ description: "Present if the user must set up a second factor first" })
		.optional(),
});

/** The password was right, but Better Auth's `twoFactor()` requires a second factor. */
const twoFactorAnswer = z.object({
	twoFactorRedirect: z.literal(true).meta({ description: "A second factor is required" }),
	twoFactorMethods: z
		.array(z.string())
		.meta({ description: "The methods that the user has, for example totp" }),
});

type SessionAnswer = z.output<typeof sessionAnswer>;
export type TwoFactorAnswer = z.output<typeof twoFactorAnswer>;
type Without<T> = { [Field in keyof T]?: undefined };

/** With `twoFactorRedirect` there is no session yet. */
type SignInAnswer =
	| (SessionAnswer & Without<TwoFactorAnswer>)
	| (TwoFactorAnswer & Without<Pick<SessionAnswer, "token" | "user" | "session">>);

export const signInAnswer: z.ZodType<SignInAnswer> = z.union([sessionAnswer, twoFactorAnswer]);

/**
 * Core's answer, with the session. An answer without a user is returned as it is; `Other` says what it
 * is.
 */
export function withSession<Other = never>(
	ctx: GenericEndpointContext,
	{ response, newSession }: CoreAnswer,
): SessionAnswer | Other {
	if (response === null || typeof response !== "object" || !("user" in response)) {
		return response as Other;
	}
	const session = newSession ? toReturned(ctx.context, "session", newSession.session) : null;
	return { ...response, session, ...missingFactor(response.user) } as SessionAnswer;
}

/** With such a session, the user can only set up a second factor. */
function missingFactor(user: unknown): { secondFactorRequired?: true } {
	const tenant = findState()?.tenant;
	if (!tenant?.policy || !policyIn(tenant).secondFactor.required) return {};
	const { twoFactorEnabled }: { twoFactorEnabled?: unknown } = Object(user);
	return twoFactorEnabled === true ? {} : { secondFactorRequired: true };
}
