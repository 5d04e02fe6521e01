import { expect } from "vitest";
import { type MatrixRows, refused } from "./attempt";

const wrong = refused(401, "INVALID_EMAIL_OR_PASSWORD");

/** Signing up and in with A's identities and secrets. */
export const emailRows: MatrixRows = {
	signUpEmailTenant: [
		{
			tries: "signs up in A with an address that A has, while signed in to B",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/sign-up/email", {
					body: { tenantId: a.tenantId, name: "Ada", email: a.email, password: "my own password" },
				}),
			gets: refused(422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"),
		},
		{
			tries: "signs up in itself, with A's ids as fields and A in the query and the header",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/sign-up/email", {
					body: {
						tenantId: b.tenantId,
						id: a.userId,
						userId: a.userId,
						accountId: a.accountId,
						token: a.token,
						name: "New",
						email: "new@example.com",
						password: "my own password",
					},
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: refused(400, "VALIDATION_ERROR"),
		},
	],
	signInEmailTenant: [
		{
			tries: "signs in to itself with A's password",
			with: ({ call, a, b }) =>
				call("/tenant/sign-in/email", {
					body: { tenantId: b.tenantId, email: a.email, password: a.password },
				}),
			gets: wrong,
		},
		{
			tries: "signs in to itself with A's password, with A in the query and the header",
			with: ({ call, a, b }) =>
				call("/tenant/sign-in/email", {
					body: { tenantId: b.tenantId, email: a.email, password: a.password },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: wrong,
		},
		{
			tries: "signs in to A with its own password and session",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/sign-in/email", {
					body: { tenantId: a.tenantId, email: b.email, password: b.password },
				}),
			gets: wrong,
		},
		{
			tries: "signs in to itself with A's session and its own password",
			with: ({ call, a, b }) =>
				call("/tenant/sign-in/email", {
					body: { tenantId: b.tenantId, email: b.email, password: b.password },
					cookie: a.cookie,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toMatchObject({ user: { id: b.userId }, session: { tenantId: b.tenantId } }),
		},
	],
};
