// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { deploymentKey, expiredKey } from "../../support/fixtures/operator-accounts";
import { operatorWithout } from "../../support/fixtures/operators";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts, reasonOf } from "../../support/screen";
import { click, type } from "../../support/user";

const LIST = "GET /operator/key/list";
const REVOKE = "POST /operator/key/revoke";

describePageStates("the list of keys", {
	open: (handlers) => openConsole("/keys", handlers),
	request: LIST,
	filled: {
		answer: list([deploymentKey, expiredKey]),
		shows: ["Deployment", "tak_abc…", "made by olga@service.example", "Expired", "user:list"],
	},
	empty: { answer: list([]), shows: ["No keys yet"] },
});

describe("the list of keys, in use", () => {
	test("names the tenant that a key is limited to", async () => {
		await openConsole("/keys", { [LIST]: list([expiredKey]) });
		const link = await findByRole("link", "Acme");
		expect(link.getAttribute("href")).toBe("/console/tenants/tenant-acme");
	});

	test("revokes a key after the user typed its name", async () => {
		const server = await openConsole("/keys", {
			[LIST]: list([deploymentKey]),
			[REVOKE]: json({ success: true }),
		});
		await click("Revoke Deployment");
		const button = byRole("button", "Revoke key");
		expect(reasonOf(button)).toBe("Type it first.");
		server.answer({ [LIST]: list([]) });
		await type("Type the name “Deployment” to confirm", "Deployment");
		await click(button);
		await findTexts("Deployment was revoked.", "No keys yet");
		expect(server.sent(REVOKE)).toMatchObject([{ body: { id: "key-1" } }]);
	});

	test("has no buttons for what the operator may not do", async () => {
		await openConsole("/keys", {
			[LIST]: list([deploymentKey]),
			"GET /operator/me": json(operatorWithout("key:create", "key:revoke")),
		});
		await findTexts("Deployment");
		expect(allByRole("button", "New key")).toEqual([]);
		expect(allByRole("button", "Revoke Deployment")).toEqual([]);
	});
});
