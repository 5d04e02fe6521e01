import { expect } from "vitest";
import type { Answer } from "../support/worlds/instance";
import { type Attempt, type MatrixRows, refused } from "./attempt";
import type { World } from "./world";

/** The user is sent to an error page, without a session. */
const failed: Attempt["gets"] = ({ status, headers, cookie }: Answer) => {
	expect(status).toBe(302);
	const url = new URL(String(headers.get("location")), "http://localhost:3000");
	expect(url.searchParams.get("error")).toBe("invalid_choice");
	expect(cookie).not.toContain("session_token");
};

const notFound = refused(404, "TENANT_CHOICE_NOT_FOUND");

/** B opens a link of the chooser with what A's flows have. */
const opens = (path: string): Attempt[] => [
	{
		tries: "opens it with the state of A, and A in the query and the header",
		with: ({ asUserOfB, a }: World) =>
			asUserOfB(path, {
				query: { token: a.oauthState, state: a.oauthState, tenantId: a.tenantId },
				tenant: a.tenantId,
			}),
		gets: failed,
	},
	{
		tries: "opens it with a token of its own making",
		with: ({ asUserOfB, a }: World) =>
			asUserOfB(path, { query: { token: `chooser-${a.tenantId}`, state: a.oauthState } }),
		gets: failed,
	},
];

/** The way into A, for somebody whom no provider knows. */
export const chooserRows: MatrixRows = {
	startTenantChooser: [
		{
			tries: "starts with A's client, with A in the query and the header",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/chooser/start", {
					body: { provider: "github" },
					query: { tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: refused(404, "PROVIDER_NOT_FOUND"),
		},
		{
			tries: "names A in the body",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/chooser/start", { body: { provider: "google", tenantId: a.tenantId } }),
			gets: refused(400, "VALIDATION_ERROR"),
		},
	],
	listTenantChoices: [
		{
			tries: "lists with A's state, with A in the header",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/chooser/list", {
					query: { token: a.oauthState },
					tenant: a.tenantId,
				}),
			gets: notFound,
		},
	],
	chooseTenant: [
		{
			tries: "chooses A with A's state",
			with: ({ asUserOfB, a }) =>
				asUserOfB("/tenant/chooser/choose", {
					body: { token: a.oauthState, tenantId: a.tenantId },
				}),
			gets: notFound,
		},
		{
			tries: "chooses A with its own session, and A in the header",
			with: ({ asUserOfB, a, b }) =>
				asUserOfB("/tenant/chooser/choose", {
					body: { token: b.oauthState, tenantId: a.tenantId },
					tenant: a.tenantId,
				}),
			gets: notFound,
		},
	],
	enterChosenTenant: opens("/tenant/chooser/enter"),
	confirmChosenTenant: opens("/tenant/chooser/confirm"),
};
