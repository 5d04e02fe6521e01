// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, never, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { sessionEnded } from "../support/fixtures/adas-account";
import { adasSession } from "../support/fixtures/sessions";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, isBusy, textOf } from "../support/screen";
import { pass, until } from "../support/time";
import { click } from "../support/user";

const APPLICATION = "GET /oauth2/public-client";
const REQUEST = "POST /oauth2/consent";
const QUERY = "client_id=wiki&scope=openid+email+wiki%3Aread&sig=signature";

const open = (handlers: Handlers = {}) =>
	openTenantPage(`/consent?${QUERY}`, {
		"GET /get-session": json(adasSession),
		[APPLICATION]: json({ client_name: "Wiki" }),
		...handlers,
	});

describe("the page that asks for consent", () => {
	test("says that it loads, and offers nothing yet", async () => {
		const server = await open({ [APPLICATION]: never() });
		await until(() => server.sent(APPLICATION).length > 0);
		await pass(10);
		expect(isBusy()).toBe(true);
		expect(allByRole("button", "Allow")).toEqual([]);
	});

	test("says which application wants what, from which user", async () => {
		const server = await open();
		await findTexts(
			"Continue to Wiki?",
			"You are signed in as ada@acme.example.",
			"Wiki wants to:",
		);
		expect(allByRole("listitem").map(textOf)).toEqual([
			"Know who you are",
			"See your email",
			"Use the API of your organization: wiki:read",
		]);
		expect(server.sent(APPLICATION)[0]?.query).toEqual({ client_id: "wiki" });
	});

	test.each([
		["Allow", true],
		["Do not allow", false],
	])("sends nothing until the user decides, and then returns: %s", async (button, accept) => {
		const server = await open({
			[REQUEST]: json({ redirect: true, url: "http://localhost:3000/app" }),
		});
		await findByRole("button", button);
		expect(server.sent(REQUEST)).toEqual([]);
		await click(button);
		await until(() => location.pathname === "/app");
		expect(location.pathname).toBe("/app");
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([{ accept, oauth_query: QUERY }]);
	});

	test.each([
		["a request that is too old", refuse(400, "INVALID_QUERY", "Invalid query"), "Invalid query"],
		["a user whose session has ended", sessionEnded.answer, sessionEnded.shows[0] as string],
	])("shows that the service rejects %s", async (_, answer, text) => {
		await open({ [REQUEST]: answer });
		await click("Allow");
		await findTexts(text);
		expect(byRole("button", "Allow").getAttribute("aria-busy")).toBeNull();
	});

	test("has a name for an application without one", async () => {
		await open({ [APPLICATION]: json({}) });
		await findTexts("Continue to This application?");
		expect(byRole("button", "Allow")).toBeTruthy();
	});

	test("says that an application is gone", async () => {
		await open({ [APPLICATION]: refuse(404, "CLIENT_NOT_FOUND", "Not found") });
		await findTexts("This application is not available", "It may have been removed.");
		expect(allByRole("button", "Allow")).toEqual([]);
	});

	test.each([APPLICATION, "GET /get-session"])(
		"says why it could not load if %s fails, and loads again when the user asks for it",
		async (request) => {
			const server = await open({ [request]: refuse(503, "", "") });
			await findTexts("Could not load this page", "Something went wrong on our side.");
			server.answer({
				"GET /get-session": json(adasSession),
				[APPLICATION]: json({ client_name: "Wiki" }),
			});
			await click("Try again");
			expect(await findByRole("button", "Allow")).toBeTruthy();
		},
	);

	test("leads somebody who is not signed in to the sign-in page, with the request", async () => {
		await open({ "GET /get-session": json(null) });
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(`${location.pathname}${location.search}`).toBe(`/t/acme/sign-in?${QUERY}`);
	});

	test("leads to the start page if no application asks", async () => {
		await openTenantPage("/consent");
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/sign-in");
	});
});
