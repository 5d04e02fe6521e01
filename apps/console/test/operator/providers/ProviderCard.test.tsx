// @vitest-environment happy-dom
import { PROVIDER_PROBLEMS } from "better-auth-tenant/rules";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { describeFailure } from "../../../src/operator/providers/provider-details";
import { describeReason } from "../../../src/operator/sign-ins/reasons";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { github, githubConfig } from "../../support/fixtures/oauth-providers";
import { operatorWithout } from "../../support/fixtures/operators";
import { serviceInfo } from "../../support/fixtures/service";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, reasonOf, textOf } from "../../support/screen";
import { until } from "../../support/time";
import { click, type } from "../../support/user";

const EFFECTIVE = "GET /tenant/oauth-config/effective";
const UPDATE = "POST /tenant/oauth-config/update";
const DELETE = "POST /tenant/oauth-config/delete";
const SIGN_IN = "POST /tenant/sign-in/social";
const TEST = "POST /tenant/oauth-config/test";
const SWITCH = "Use the tenant's client for GitHub";

const SIGN_IN_URL =
	"https://github.com/login?client_id=client-1&redirect_uri=http%3A%2F%2Flocalhost%3A3000%2Fcallback&scope=repo";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/providers`, {
		[EFFECTIVE]: json([github]),
		"GET /tenant/oauth-config/list": json([githubConfig]),
		...handlers,
	});

describe("the card of a provider", () => {
	test("shows the client, and never its secret", async () => {
		await open({});
		await findTexts(
			"Sign-in uses the tenant's OAuth client.",
			"Client ID client-1",
			"Stored, cannot be shown",
			"Additional scopes repo",
			github.callbackURL,
		);
		expect(allByRole("switch", SWITCH)).toHaveLength(1);
	});

	test("says why the last sign-in failed", async () => {
		await open({
			[EFFECTIVE]: json([
				{ ...github, lastFailure: { at: "2026-11-16T09:00:00.000Z", code: "invalid_client" } },
			]),
		});
		await findTexts("The provider rejected the client ID or the client secret.", "invalid_client");
		expect(allByRole("alert")).toEqual([]);
	});

	test("has a sentence for each problem of a provider, here and in the list of sign-ins", () => {
		for (const code of notEmpty(Object.keys(PROVIDER_PROBLEMS))) {
			expect([code, describeFailure(code)]).not.toEqual([code, describeFailure("")]);
			expect([code, describeReason(code)]).toEqual([code, describeFailure(code)]);
		}
	});

	test("disables the client of the tenant", async () => {
		const server = await open({ [UPDATE]: json({ ...githubConfig, enabled: false }) });
		await findByRole("switch", SWITCH);
		server.answer({ [EFFECTIVE]: json([{ ...github, source: "none", config: "disabled" }]) });
		await click(byRole("switch", SWITCH));
		await findTexts("The tenant's client for GitHub was disabled.", "Users cannot sign in with");
		expect(server.sent(UPDATE).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, providerId: "github", enabled: false },
		]);
		expect(byRole("switch", SWITCH).getAttribute("aria-checked")).toBe("false");
		expect(allByRole("button", "Test GitHub")).toEqual([]);
	});

	test("says why the client was not disabled, and still shows it as enabled", async () => {
		await open({ [UPDATE]: refuse(404, "OAUTH_CONFIG_NOT_FOUND", "OAuth config not found") });
		await click(await findByRole("switch", SWITCH));
		await findTexts("OAuth config not found");
		await until(() => byRole("switch", SWITCH).getAttribute("aria-checked") === "true");
		expect(byRole("switch", SWITCH).getAttribute("aria-checked")).toBe("true");
	});

	test("deletes the credentials after the slug was typed", async () => {
		const server = await open({ [DELETE]: json({ success: true }) });
		await click("Delete the credentials for GitHub");
		await findByRole("dialog", "Delete the credentials for GitHub?");
		expect(reasonOf(byRole("button", "Delete credentials"))).toBe("Type it first.");
		await type("Type the slug “acme” to confirm", "acme");
		await click("Delete credentials");
		await findTexts("The credentials for GitHub were deleted.");
		expect(server.sent(DELETE).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, providerId: "github" },
		]);
	});

	test("says in the dialog why the credentials were not deleted", async () => {
		await open({ [DELETE]: refuse(403, "TENANT_MANAGEMENT_NOT_ALLOWED", "Not allowed") });
		await click("Delete the credentials for GitHub");
		await type("Type the slug “acme” to confirm", "acme");
		await click("Delete credentials");
		const dialog = byRole("dialog", "Delete the credentials for GitHub?");
		expect(textOf(await findByRole("alert", undefined, dialog))).toBe("Not allowed");
	});

	test("tests the client, and shows what a sign-in would send", async () => {
		await open({
			[SIGN_IN]: json({ url: SIGN_IN_URL, redirect: false }),
			[TEST]: json({
				ok: false,
				steps: [
					{ name: "config", state: "passed", message: "The settings are valid" },
					{ name: "discovery", state: "skipped", message: "Not needed" },
					{ name: "client", state: "failed", message: "The secret is wrong" },
				],
			}),
		});
		await click("Test GitHub");
		await findTexts("A sign-in will not work.", "The secret is wrong", "Host github.com");
		expect(textOf(document.body)).not.toContain("Not needed");
		const link = byRole("link", "Sign in (new tab)");
		expect(link.getAttribute("href")).toBe(SIGN_IN_URL);
	});

	test("says why a test could not start", async () => {
		await open({
			[SIGN_IN]: refuse(403, "TENANT_SUSPENDED", "This tenant is suspended"),
		});
		await click("Test GitHub");
		await findTexts("Could not start a sign-in: This tenant is suspended");
		expect(allByRole("link", "Sign in (new tab)")).toEqual([]);
	});

	test("says why the provider could not be asked", async () => {
		await open({
			[SIGN_IN]: json({ url: SIGN_IN_URL, redirect: false }),
			[TEST]: refuse(429, "TOO_MANY_REQUESTS", "Too many requests. Please try again later."),
		});
		await click("Test GitHub");
		await findTexts("Could not test it: Too many requests. Please try again later.");
		expect(byRole("link", "Sign in (new tab)")).toBeTruthy();
	});

	test("leads to the sign-in page of a tenant with its own host", async () => {
		await open({
			"GET /service/info": json({ ...serviceInfo, tenantDomain: "tenants.example" }),
			[SIGN_IN]: json({ url: SIGN_IN_URL, redirect: false }),
			[TEST]: json({ ok: true, steps: [] }),
		});
		await click("Test GitHub");
		const link = await findByRole("link", "Open the sign-in page");
		expect(link.getAttribute("href")).toBe("http://acme.tenants.example:3000/");
		await findTexts("The provider accepts this client.");
	});

	test("offers nothing that the operator may not do", async () => {
		await open({
			"GET /operator/me": json(
				operatorWithout(
					"oauth-config:update",
					"connection:test",
					"oauth-config:register",
					"oauth-config:delete",
				),
			),
		});
		await findTexts("Client ID client-1");
		expect(allByRole("switch")).toEqual([]);
		expect(allByRole("button", /GitHub/)).toEqual([]);
	});
});
