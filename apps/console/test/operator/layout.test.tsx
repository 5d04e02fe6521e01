// @vitest-environment happy-dom
import { describe, expect, test, vi } from "vitest";
import { json, list } from "../support/answers";
import { crmWebhook } from "../support/fixtures/webhooks";
import { openConsole } from "../support/open-console";
import { byRole, findTexts } from "../support/screen";

describe("a page that does not exist", () => {
	test("says so, and leads to the tenants", async () => {
		await openConsole("/nothing-here");
		await findTexts("This page does not exist");
		expect(byRole("link", "Go to tenants").getAttribute("href")).toBe("/console/tenants");
	});
});

describe("a page that throws an error", () => {
	test("says that it is a bug, and offers to load it again", async () => {
		// The service never sends a webhook without a valid URL.
		await openConsole("/tenants/tenant-acme/webhooks", {
			"GET /tenant/webhook/list": json([{ ...crmWebhook, description: null, url: "nowhere" }]),
			"GET /tenant/webhook/delivery/list": list([]),
		});
		await findTexts("Something went wrong", "This is a bug in the console.");
		expect(byRole("button", "Reload")).toBeTruthy();
		// Whoever looks for the cause finds it there. Other tests fail if a page logs an error.
		expect(console.error).toHaveBeenCalled();
		vi.mocked(console.error).mockClear();
	});
});
