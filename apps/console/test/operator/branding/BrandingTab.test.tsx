// @vitest-environment happy-dom
import { act } from "react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { loginOptions } from "../../support/fixtures/login-options";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByLabel, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { click, type, upload } from "../../support/user";

const REQUEST = "POST /tenant/update";
const UPLOAD = "POST /tenant/logo/upload";
const branded = {
	...acme,
	metadata: { plan: "pro", branding: { tagline: "Tools", primaryColor: "#336699" } },
};

async function open(handlers: Handlers = {}): Promise<FakeServer> {
	const server = await openConsole(`/tenants/${acme.id}/branding`, {
		"GET /tenant/get": json(branded),
		"GET /tenant/login-options": json(loginOptions),
		...handlers,
	});
	await findByLabel("Tagline");
	return server;
}

describeFormStates("the form for the branding", {
	open,
	request: REQUEST,
	fill: () => type("Tagline", "Better tools"),
	submit: "Save branding",
	valid: {
		answer: json(branded),
		// Everything else in the metadata stays.
		sends: {
			tenantId: acme.id,
			metadata: { plan: "pro", branding: { tagline: "Better tools", primaryColor: "#336699" } },
		},
		shows: ["Saved."],
	},
	invalid: {
		"a color that is not one": {
			change: () => type("Primary color", "blue"),
			shows: ["The color is a # with six hexadecimal digits"],
		},
		"a logo without https": {
			change: () => type("Logo URL", "http://acme.example/logo.png"),
			shows: ["The logo is a URL that begins with https://."],
		},
		"a support email without a domain": {
			change: () => type("Support email", "help"),
			shows: ["This is not an email address."],
		},
	},
	conflict: {
		"another change at the same time": {
			answer: refuse(409, "WRITE_CONFLICT", "Another call changes the same data, try again"),
			shows: ["Another call changes the same data, try again"],
		},
	},
	keeps: { Tagline: "Better tools", "Primary color": "#336699" },
});

const preview = () => document.querySelector("iframe")?.contentDocument?.body.textContent ?? "";

/** happy-dom reads a file in real time, and not by the clock of the page. */
async function chooseLogo(): Promise<void> {
	const { readAsDataURL } = FileReader.prototype;
	const isRead = new Promise<void>((resolve) => {
		const spy = vi.spyOn(FileReader.prototype, "readAsDataURL");
		spy.mockImplementation(function (this: FileReader, file) {
			this.addEventListener("loadend", () => resolve());
			readAsDataURL.call(this, file);
		});
		onTestFinished(() => spy.mockRestore());
	});
	await upload("Upload a logo", new File(["png"], "logo.png", { type: "image/png" }));
	await act(() => isRead);
}

describe("the branding of a tenant", () => {
	test("goes back to what is stored", async () => {
		await open();
		await type("Tagline", "Better tools");
		await click("Discard changes");
		expect(byLabel("Tagline").value).toBe("Tools");
		expect(byRole<HTMLButtonElement>("button", "Save branding").disabled).toBe(true);
	});

	test("warns about a color that is hard to see", async () => {
		await open();
		await type("Primary color", "#ffff00");
		await findTexts("#ffff00 is hard to see on the light page.");
		expect(byRole<HTMLButtonElement>("button", "Save branding").disabled).toBe(false);
	});

	test("shows the sign-in page with values that are not saved", async () => {
		await open();
		await type("Tagline", "Better tools");
		await until(() => preview().includes("Better tools"));
		expect(preview()).toContain("Better tools");
		expect(preview()).toContain("Sign in");
	});

	test("uploads a logo when the user saves, and changes nothing else", async () => {
		const server = await open({ [UPLOAD]: json({ logoUrl: "https://acme.example/logo.png" }) });
		await chooseLogo();
		await findTexts("logo.png is uploaded when you save.");
		expect(server.sent(UPLOAD)).toEqual([]);
		await click("Save branding");
		await findTexts("Saved.");
		expect(server.sent(UPLOAD).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, image: btoa("png") },
		]);
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("says why a logo was rejected, and keeps it", async () => {
		await open({ [UPLOAD]: refuse(400, "INVALID_LOGO", "This is not an image") });
		await chooseLogo();
		await click("Save branding");
		await findTexts("This is not an image", "logo.png is uploaded when you save.");
		expect(byRole("button", "Discard logo.png")).toBeTruthy();
	});

	test("says that a file is too large", async () => {
		await open();
		const file = new File(["png"], "logo.png", { type: "image/png" });
		Object.defineProperty(file, "size", { value: 21 * 1024 * 1024 });
		await upload("Upload a logo", file);
		await findTexts("logo.png: This file has more than 20 MB.");
		expect(byRole<HTMLButtonElement>("button", "Save branding").disabled).toBe(true);
	});

	test("shows the usual sign-in page for a tenant that is suspended", async () => {
		await open({
			"GET /tenant/login-options": refuse(403, "TENANT_SUSPENDED", "This tenant is suspended"),
		});
		await until(() => preview().includes("Sign in"));
		expect(preview()).toContain("Tools");
		expect(preview()).toContain("Sign in");
	});

	test("is not there without the right to change the tenant", async () => {
		await openConsole(`/tenants/${acme.id}/branding`, {
			"GET /operator/me": json(operatorWithout("tenant:update")),
		});
		await findTexts("You may not see this page", "tenant:update");
		expect(allByRole("button", "Save branding")).toEqual([]);
	});
});
