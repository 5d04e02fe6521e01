import { expect } from "vitest";
import type { Answer } from "../support/worlds/instance";
import { type MatrixRows, refused } from "./attempt";

/** The flow ended at an error page, and nobody is signed in. */
function failed({ status, headers, cookie }: Answer): void {
	expect(status).toBe(302);
	const url = new URL(String(headers.get("location")), "http://localhost:3000");
	expect(url.searchParams.get("error")).toBeTruthy();
	expect(cookie).not.toContain("session_token");
}

/** Starting and finishing social sign-ins with A's clients and states. */
export const socialRows: MatrixRows = {
	signInSocialTenant: [
		{
			tries: "starts with a client that only A has, with A in the query and the header",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/sign-in/social", {
					body: { tenantId: b.tenantId, provider: "github" },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: refused(404, "PROVIDER_NOT_FOUND"),
		},
		{
			tries: "starts its own, with A in additionalData and in the header",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/sign-in/social", {
					body: {
						tenantId: b.tenantId,
						provider: "google",
						additionalData: {
							tenantId: a.tenantId,
							serverContext: { tenantAuth: { tenantId: a.tenantId, configId: a.configId } },
							tenantAuth: { tenantId: a.tenantId },
						},
					},
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(new URL(body.url).searchParams.get("client_id")).toBe(b.clientId),
		},
	],
	tenantOAuthCallback: [
		{
			tries: "presents A's state in a browser of its own",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/callback/google", { query: { state: a.oauthState, code: "code" } }),
			gets: failed,
		},
		{
			tries: "presents A's state in a browser of its own, with itself in the header",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/callback/google", {
					query: { state: a.oauthState, code: "code", tenantId: b.tenantId },
					tenant: b.tenantId,
				}),
			gets: failed,
		},
		{
			tries: "presents its own state with A in the query and the header",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/callback/google", {
					query: { state: b.oauthState, error: "access_denied", tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: failed,
		},
		{
			tries: "presents its own state at a provider that only A has",
			with: ({ asUserOfB, b }) =>
				asUserOfB("/tenant/callback/github", { query: { state: b.oauthState, code: "code" } }),
			gets: failed,
		},
	],
};
