import { expect } from "vitest";
import type { Answer } from "../support/worlds/instance";
import type { Call } from "./attack";
import type { CoreWorld } from "./core-world";

/** Which session B uses, and which tenant it names. */
export const ways = {
	"with its own session": ({ b }: CoreWorld) => ({ cookie: b.cookie }),
	"with its own session and its own name": ({ b }: CoreWorld) => ({
		cookie: b.cookie,
		tenant: b.tenantId,
	}),
	"with A's session and its own name": ({ a, b }: CoreWorld) => ({
		cookie: a.cookie,
		tenant: b.tenantId,
	}),
	"with no session and its own name": ({ b }: CoreWorld) => ({ tenant: b.tenantId }),
};

type Way = keyof typeof ways;
type Outcome = (answer: Answer, world: CoreWorld) => void;

/** What B does at an endpoint with data of A, and what it gets. */
export interface CoreAttempt {
	tries: string;
	call: (world: CoreWorld) => Call;
	/** What B gets with its own session. */
	signedIn: Outcome;
	/** What B gets with the session of A, or without one. */
	otherwise: Outcome;
	/** @default all */
	ways?: Way[];
}

const status =
	(wanted: number, code?: string): Outcome =>
	({ status, body, headers }) => {
		expect(
			[status, code && body?.code],
			`${JSON.stringify(body)} ${headers.get("location")}`,
		).toEqual([wanted, code]);
	};
const ok = status(200);
const unauthorized = status(401);

/** The answer contains the user of B. */
const aboutB: Outcome = (answer, { b }) => {
	ok(answer, {} as CoreWorld);
	expect(JSON.stringify(answer.body)).toContain(b.userId);
};

/** The flow ends at an error page, and nobody is signed in. */
const failedFlow: Outcome = ({ status, headers, cookie }) => {
	expect(status).toBe(302);
	const url = new URL(String(headers.get("location")), "http://localhost:3000");
	expect(url.searchParams.get("error")).toBeTruthy();
	expect(cookie).not.toContain("session_token");
};

const inAnyCase = (outcome: Outcome) => ({ signedIn: outcome, otherwise: outcome });
const named: Way[] = [
	"with its own session and its own name",
	"with A's session and its own name",
	"with no session and its own name",
];

/** An email went to the user of B, and none to A. */
const mailsB: Outcome = (answer, world) => {
	ok(answer, world);
	expect(world.mails.every(({ tenant }) => tenant?.id === world.b.tenantId)).toBe(true);
};

export const coreRows: Record<string, CoreAttempt[]> = {
	ok: [{ tries: "asks", call: () => ({ path: "/ok" }), ...inAnyCase(ok) }],
	error: [
		{
			tries: "asks for a page about A",
			call: ({ a }) => ({ path: "/error", query: { error: "x", tenantId: a.tenantId } }),
			...inAnyCase(({ status }) => expect(status).toBeLessThan(400)),
		},
	],
	signUpEmail: [
		{
			tries: "signs up with A's ids as fields",
			call: ({ a }) => ({
				path: "/sign-up/email",
				body: {
					name: "New",
					email: "new@example.com",
					password: "a password of mine",
					id: a.userId,
					userId: a.userId,
					tenantId: a.tenantId,
				},
			}),
			...inAnyCase(({ status, body }, { b }) => {
				expect([status, body.user.tenantId]).toEqual([200, b.tenantId]);
			}),
		},
		{
			tries: "signs up with an email that A has too",
			call: ({ a }) => ({
				path: "/sign-up/email",
				body: { name: "New", email: a.email, password: "a password of mine" },
			}),
			...inAnyCase(status(422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL")),
		},
	],
	signInEmail: [
		{
			tries: "signs in with A's password",
			call: ({ a }) => ({
				path: "/sign-in/email",
				body: { email: a.email, password: a.password, tenantId: a.tenantId },
			}),
			...inAnyCase(status(401, "INVALID_EMAIL_OR_PASSWORD")),
		},
		{
			tries: "signs in with its own password",
			call: ({ b }) => ({
				path: "/sign-in/email",
				body: { email: b.email, password: b.password },
			}),
			...inAnyCase(aboutB),
		},
	],
	signInSocial: [
		{
			tries: "starts with A in additionalData",
			call: ({ a }) => ({
				path: "/sign-in/social",
				body: { provider: "google", additionalData: { tenantId: a.tenantId } },
				query: { tenantId: a.tenantId },
			}),
			...inAnyCase(({ body }) =>
				expect(new URL(body.url).searchParams.get("client_id")).toBe("client of b at google"),
			),
		},
	],
	callbackOAuth: [
		{
			tries: "presents A's state",
			call: ({ a }) => ({
				path: "/callback/google",
				query: { state: a.oauthState, error: "access_denied" },
			}),
			...inAnyCase(failedFlow),
			// The browser of A may finish the flow of A, also with a header that names B.
			ways: [
				"with its own session",
				"with its own session and its own name",
				"with no session and its own name",
			],
		},
	],
	getSession: [
		{
			tries: "asks who it is",
			call: () => ({ path: "/get-session" }),
			signedIn: aboutB,
			otherwise: ({ body }) => expect(body).toBeNull(),
		},
	],
	signOut: [
		{ tries: "signs out", call: () => ({ path: "/sign-out", body: {} }), ...inAnyCase(ok) },
	],
	listSessions: [
		{
			tries: "lists",
			call: ({ a }) => ({ path: "/list-sessions", query: { userId: a.userId } }),
			signedIn: aboutB,
			otherwise: unauthorized,
		},
	],
	revokeSession: [
		{
			tries: "revokes one of A's",
			call: ({ a }) => ({ path: "/revoke-session", body: { token: a.otherToken } }),
			signedIn: ok,
			otherwise: unauthorized,
		},
		{
			tries: "revokes the one that A's browser holds",
			call: ({ a }) => ({ path: "/revoke-session", body: { token: a.token } }),
			signedIn: ok,
			otherwise: unauthorized,
		},
	],
	revokeSessions: [
		{
			tries: "revokes all",
			call: ({ a }) => ({ path: "/revoke-sessions", body: { userId: a.userId } }),
			signedIn: ok,
			otherwise: unauthorized,
		},
	],
	revokeOtherSessions: [
		{
			tries: "revokes all others",
			call: ({ a }) => ({ path: "/revoke-other-sessions", body: { userId: a.userId } }),
			signedIn: ok,
			otherwise: unauthorized,
		},
	],
	updateSession: [
		{
			tries: "sets a field, with A's ids beside it",
			call: ({ a }) => ({
				path: "/update-session",
				body: { device: "phone", id: a.sessionId, userId: a.userId, token: a.token },
			}),
			signedIn: ({ status }) => expect([200, 400]).toContain(status),
			otherwise: unauthorized,
		},
	],
	updateUser: [
		{
			tries: "sets a name, with A's ids beside it",
			call: ({ a }) => ({
				path: "/update-user",
				body: { name: "Taken over", id: a.userId, userId: a.userId },
			}),
			signedIn: ({ status }) => expect([200, 400]).toContain(status),
			otherwise: unauthorized,
		},
	],
	changePassword: [
		{
			tries: "knows A's password",
			call: ({ a }) => ({
				path: "/change-password",
				body: {
					currentPassword: a.password,
					newPassword: "taken over by b",
					revokeOtherSessions: true,
				},
			}),
			signedIn: status(400, "INVALID_PASSWORD"),
			otherwise: unauthorized,
		},
		{
			tries: "changes its own and ends all other sessions",
			call: ({ b }) => ({
				path: "/change-password",
				body: { currentPassword: b.password, newPassword: "a new one", revokeOtherSessions: true },
			}),
			signedIn: ok,
			otherwise: unauthorized,
		},
	],
	setPassword: [
		{
			tries: "sets one",
			call: () => ({ path: "setPassword", body: { newPassword: "taken over" }, onServer: true }),
			signedIn: status(400, "PASSWORD_ALREADY_SET"),
			otherwise: unauthorized,
		},
	],
	verifyPassword: [
		{
			tries: "asks whether A's is right",
			call: ({ a }) => ({ path: "/verify-password", body: { password: a.password } }),
			signedIn: status(400, "INVALID_PASSWORD"),
			otherwise: unauthorized,
		},
	],
	requestPasswordReset: [
		{
			tries: "asks for an email to an address that A has too",
			call: ({ a }) => ({ path: "/request-password-reset", body: { email: a.email } }),
			...inAnyCase(mailsB),
		},
	],
	requestPasswordResetCallback: [
		{
			tries: "clicks on A's link",
			call: ({ a }) => ({ path: `/reset-password/${a.resetToken}`, query: { callbackURL: "/" } }),
			...inAnyCase(({ headers }) =>
				expect(headers.get("location")).toContain("error=INVALID_TOKEN"),
			),
			// A link names its tenant, unless the request names another one.
			ways: named,
		},
	],
	resetPassword: [
		{
			tries: "has A's token",
			call: ({ a }) => ({
				path: "/reset-password",
				body: { token: a.resetToken, newPassword: "taken over" },
			}),
			...inAnyCase(status(400, "INVALID_TOKEN")),
			ways: named,
		},
	],
	sendVerificationEmail: [
		{
			tries: "asks for an email to an address that A has too",
			call: ({ a }) => ({ path: "/send-verification-email", body: { email: a.email } }),
			...inAnyCase(mailsB),
		},
	],
	verifyEmail: [
		{
			tries: "has A's token",
			call: ({ a }) => ({ path: "/verify-email", query: { token: a.verificationToken } }),
			...inAnyCase(status(401, "INVALID_TOKEN")),
			ways: named,
		},
		{
			tries: "has A's token for a new email",
			call: ({ a }) => ({ path: "/verify-email", query: { token: a.changeEmailToken } }),
			...inAnyCase(status(401, "INVALID_TOKEN")),
			ways: named,
		},
	],
	changeEmail: [
		{
			tries: "wants an email that A's user wants",
			call: () => ({ path: "/change-email", body: { newEmail: "new-a@example.com" } }),
			signedIn: mailsB,
			otherwise: unauthorized,
		},
	],
	deleteUser: [
		{
			tries: "has A's token",
			call: ({ a }) => ({ path: "/delete-user", body: { token: a.deletionToken } }),
			signedIn: status(404, "INVALID_TOKEN"),
			otherwise: unauthorized,
		},
		{
			tries: "deletes itself with its own token",
			call: ({ b }) => ({ path: "/delete-user", body: { token: b.deletionToken } }),
			signedIn: ok,
			otherwise: unauthorized,
		},
	],
	deleteUserCallback: [
		{
			tries: "clicks on A's link",
			call: ({ a }) => ({ path: "/delete-user/callback", query: { token: a.deletionToken } }),
			signedIn: status(404, "INVALID_TOKEN"),
			otherwise: status(404, "FAILED_TO_GET_USER_INFO"),
		},
	],
	listUserAccounts: [
		{
			tries: "lists",
			call: ({ a }) => ({ path: "/list-accounts", query: { userId: a.userId } }),
			signedIn: aboutB,
			otherwise: unauthorized,
		},
	],
	linkSocialAccount: [
		{
			tries: "starts, with A's user beside it",
			call: ({ a }) => ({
				path: "/link-social",
				body: { provider: "google", userId: a.userId, additionalData: { tenantId: a.tenantId } },
			}),
			signedIn: ({ body }) =>
				expect(new URL(body.url).searchParams.get("client_id")).toBe("client of b at google"),
			otherwise: unauthorized,
		},
	],
	unlinkAccount: [
		{
			tries: "names A's account",
			call: ({ a }) => ({ path: "/unlink-account", body: { accountId: a.socialAccountId } }),
			signedIn: status(400, "ACCOUNT_NOT_FOUND"),
			otherwise: unauthorized,
		},
	],
	refreshToken: [
		{
			tries: "names A's account and user",
			call: ({ a }) => ({
				path: "/refresh-token",
				body: { accountId: a.socialAccountId, userId: a.userId },
			}),
			signedIn: status(400, "ACCOUNT_NOT_FOUND"),
			otherwise: unauthorized,
		},
	],
	getAccessToken: [
		{
			tries: "names A's account and user",
			call: ({ a }) => ({
				path: "/get-access-token",
				body: { accountId: a.socialAccountId, userId: a.userId },
			}),
			signedIn: status(400, "ACCOUNT_NOT_FOUND"),
			otherwise: unauthorized,
		},
	],
	accountInfo: [
		{
			tries: "names A's account and user",
			call: ({ a }) => ({
				path: "/account-info",
				query: { accountId: a.socialAccountId, userId: a.userId },
			}),
			signedIn: status(400, "ACCOUNT_NOT_FOUND"),
			otherwise: unauthorized,
		},
	],
};
