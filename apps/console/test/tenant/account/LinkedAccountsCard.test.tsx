// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import { describeCardStates } from "../../support/card-states";
import type { Handlers } from "../../support/fake-server";
import { adasAccount, sessionEnded } from "../../support/fixtures/adas-account";
import { loginOptions } from "../../support/fixtures/login-options";
import { openTenantPage } from "../../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, reasonOf } from "../../support/screen";
import { until } from "../../support/time";
import { click } from "../../support/user";

const REQUEST = "GET /list-accounts";
const LINK = "POST /link-social";
const UNLINK = "POST /unlink-account";

const password = { id: "account-password", providerId: "credential", accountId: "user-ada" };
const github = { id: "account-github", providerId: "github", accountId: "ada-at-github" };

const open = (handlers: Handlers) =>
	openTenantPage("/account", {
		...adasAccount,
		"GET /tenant/login-options": json({
			...loginOptions,
			providers: ["github", "acme-sso"],
			providerNames: { "acme-sso": "Acme SSO" },
		}),
		...handlers,
	});

describeCardStates("the linked accounts of a user", {
	open,
	title: "Linked accounts",
	request: REQUEST,
	filled: {
		answer: list([password, github]),
		shows: ["GitHub", "ada-at-github", "Unlink", "Acme SSO"],
	},
});

describe("the linked accounts of a user, in use", () => {
	test("open the provider that the user wants to link", async () => {
		const server = await open({
			[REQUEST]: list([password]),
			[LINK]: json({ url: "http://localhost:3000/provider", redirect: true }),
		});
		await click("Link Acme SSO");
		await until(() => location.pathname === "/provider");
		expect(location.pathname).toBe("/provider");
		expect(server.sent(LINK).map(({ body }) => body)).toEqual([
			{
				provider: "acme-sso",
				callbackURL: "/t/acme/account",
				errorCallbackURL: "/t/acme/error",
			},
		]);
	});

	test("can be linked again after the user unlinks them", async () => {
		const server = await open({
			[REQUEST]: list([password, github]),
			[UNLINK]: json({ status: true }),
		});
		await findByRole("button", "Unlink GitHub");
		server.answer({ [REQUEST]: list([password]) });
		await click("Unlink GitHub");
		expect(await findByRole("button", "Link GitHub")).toBeTruthy();
		expect(server.sent(UNLINK).map(({ body }) => body)).toEqual([{ accountId: "account-github" }]);
	});

	test("keep the only sign-in method of the user", async () => {
		await open({ [REQUEST]: list([github]) });
		const button = await findByRole("button", "Unlink GitHub");
		expect(reasonOf(button)).toBe("You cannot remove your only sign-in method.");
	});

	test.each([
		["a provider that is gone", LINK, refuse(404, "PROVIDER_NOT_FOUND", ""), "no longer available"],
		[
			"the last method",
			UNLINK,
			refuse(400, "FAILED_TO_UNLINK_LAST_ACCOUNT", ""),
			"You cannot remove your only sign-in method.",
		],
		["an ended session", UNLINK, sessionEnded.answer, sessionEnded.shows[0] as string],
	])("stay as they are if the service rejects %s", async (_, request, answer, text) => {
		await open({ [REQUEST]: list([password, github]), [request]: answer });
		await click(request === LINK ? "Link Acme SSO" : "Unlink GitHub");
		await findTexts(text);
		expect(byRole("button", "Unlink GitHub")).toBeTruthy();
	});

	test("are not on the page if there is no provider", async () => {
		await openTenantPage("/account", adasAccount);
		await findByRole("region", "Password");
		expect(allByRole("region", "Linked accounts")).toEqual([]);
	});
});
