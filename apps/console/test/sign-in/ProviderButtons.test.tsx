// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, offline, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { loginOptions } from "../support/fixtures/login-options";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../support/screen";
import { until } from "../support/time";
import { click } from "../support/user";

const REQUEST = "POST /tenant/sign-in/social";

const open = (handlers: Handlers = {}) =>
	openTenantPage("/sign-in", {
		"GET /tenant/login-options": json({
			...loginOptions,
			providers: ["google", "acme-sso"],
			providerNames: { "acme-sso": "Acme SSO" },
			methods: ["password", "social"],
		}),
		...handlers,
	});

describe("the buttons for providers", () => {
	test("open the provider, which leads back to the account or to the error page", async () => {
		const server = await open({
			[REQUEST]: json({ url: "http://localhost:3000/provider?state=1", redirect: true }),
		});
		await click("Continue with Google");
		await until(() => location.pathname === "/provider");
		expect(location.pathname).toBe("/provider");
		expect(server.sent(REQUEST).map(({ body }) => body)).toEqual([
			{
				provider: "google",
				callbackURL: "/t/acme/account",
				errorCallbackURL: "/t/acme/error",
			},
		]);
	});

	test("have the name that the tenant gave to its provider", async () => {
		await open();
		expect(await findByRole("button", "Continue with Acme SSO")).toBeTruthy();
	});

	test("are four at most, and the others are behind them", async () => {
		const providers = ["google", "github", "gitlab", "apple", "slack", "discord"];
		await open({ "GET /tenant/login-options": json({ ...loginOptions, providers }) });
		await findByRole("button", "Continue with Google");
		const more = byRole("group");
		expect(allByRole("button", /^Continue with/, more).map(textOf)).toEqual([
			"Continue with Slack",
			"Continue with Discord",
		]);
		expect(textOf(more)).toContain("More ways to sign in");
		expect(more.hasAttribute("open")).toBe(false);
		expect(allByRole("button", /^Continue with/)).toHaveLength(6);
	});

	test("fold nothing if there are four", async () => {
		const providers = ["google", "github", "gitlab", "apple"];
		await open({ "GET /tenant/login-options": json({ ...loginOptions, providers }) });
		await findByRole("button", "Continue with Google");
		expect(allByRole("button", /^Continue with/)).toHaveLength(4);
		expect(allByRole("group")).toEqual([]);
	});

	test.each([
		["a removed provider", refuse(404, "PROVIDER_NOT_FOUND", ""), "is no longer available"],
		[
			"a provider that is down",
			refuse(503, "PROVIDER_UNAVAILABLE", ""),
			"does not work at the moment",
		],
		["a service that is away", offline(), "Could not reach the server."],
	])("say so after a click for %s, and can be used again", async (_, answer, text) => {
		await open({ [REQUEST]: answer });
		await click("Continue with Google");
		await findTexts(text);
		expect(byRole("button", "Continue with Google").getAttribute("aria-busy")).toBeNull();
	});
});
