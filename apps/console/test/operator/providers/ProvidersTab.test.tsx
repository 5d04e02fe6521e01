// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { discord, github, githubConfig } from "../../support/fixtures/oauth-providers";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

const EFFECTIVE = "GET /tenant/oauth-config/effective";
const LIST = "GET /tenant/oauth-config/list";

const open = (handlers: Handlers, search = "") =>
	openConsole(`/tenants/${acme.id}/providers${search}`, {
		[EFFECTIVE]: json([discord, github]),
		[LIST]: json([githubConfig]),
		...handlers,
	});

describePageStates("the providers of a tenant", {
	open,
	request: EFFECTIVE,
	filled: {
		answer: json([discord, github]),
		shows: ["GitHub", "Tenant's client", "Not set up", "Discord"],
	},
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("oauth-config:effective")) },
		shows: ["You may not see this page", "oauth-config:effective"],
	},
});

describe("the providers of a tenant, in use", () => {
	test("are found by their name", async () => {
		await open({});
		await findByRole("button", "Set up Discord");
		await type("Search providers", "git");
		await pass(250);
		expect(allByRole("button", "Set up Discord")).toEqual([]);
		expect(byRole("button", "Test GitHub")).toBeTruthy();
		expect(location.search).toBe("?q=git");
	});

	test("say that none matches, and are all there again", async () => {
		await open({}, "?q=nothing");
		await findTexts("No providers match “nothing”");
		await click("Clear search");
		expect(await findByRole("button", "Set up Discord")).toBeTruthy();
	});

	test("are shown also if the credentials of one cannot be decrypted", async () => {
		await open({
			[EFFECTIVE]: json([{ ...github, config: "unreadable" }]),
			[LIST]: refuse(503, "OAUTH_CREDENTIAL_DECRYPT_FAILED", "Cannot be decrypted"),
		});
		await findTexts("Not working", "The stored credentials cannot be decrypted");
		expect(byRole("button", "Replace credentials for GitHub")).toBeTruthy();
		expect(allByRole("alert")).toEqual([]);
	});

	test("are only shown to somebody who may not register one", async () => {
		const server = await open({
			"GET /operator/me": json(operatorWithout("oauth-config:register", "oauth-config:list")),
		});
		await findTexts("Tenant's client");
		expect(allByRole("button", /Set up|Add|Replace/)).toEqual([]);
		expect(server.sent(LIST)).toEqual([]);
	});
});
