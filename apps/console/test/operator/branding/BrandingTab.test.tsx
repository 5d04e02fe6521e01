// @vitest-environment happy-dom
import { act } from "react";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { loginOptions } from "../../support/fixtures/login-options";
import { operatorWithout } from "../../support/fixtures/operators";
import { saml } from "../../support/fixtures/saml";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByLabel, findTexts, reasonOf } from "../../support/screen";
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
		"terms without https": {
			change: () => type("Terms of service", "http://acme.example/terms"),
			shows: ["The link to the terms is a URL that begins with https://."],
		},
		"a privacy policy that is a script": {
			change: () => type("Privacy policy", "javascript:alert(1)"),
			shows: ["The link to the privacy policy is a URL that begins with https://."],
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
async function chooseLogo(label = "Upload a logo", name = "logo.png"): Promise<void> {
	const { readAsDataURL } = FileReader.prototype;
	const spy = vi.spyOn(FileReader.prototype, "readAsDataURL");
	const isRead = new Promise<void>((resolve) => {
		spy.mockImplementation(function (this: FileReader, file) {
			this.addEventListener("loadend", () => resolve());
			readAsDataURL.call(this, file);
		});
	});
	onTestFinished(() => spy.mockRestore());
	await upload(label, new File(["png"], name, { type: "image/png" }));
	await act(() => isRead);
	// The next file needs the original again.
	spy.mockRestore();
}

describe("the branding of a tenant", () => {
	test("goes back to what is stored", async () => {
		await open();
		await type("Tagline", "Better tools");
		await click("Discard changes");
		expect(byLabel("Tagline").value).toBe("Tools");
		expect(reasonOf(byRole("button", "Save branding"))).toBe("Nothing has changed.");
	});

	test("shows a light color as it is", async () => {
		await open();
		await type("Primary color", "#ffff00");
		const style = () =>
			document.querySelector<HTMLIFrameElement>("iframe")?.contentDocument?.documentElement.style;
		await until(() => style()?.getPropertyValue("--fill") === "#ffff00");
		expect(style()?.getPropertyValue("--fill")).toBe("#ffff00");
		expect(style()?.getPropertyValue("--on-fill")).toBe("#000000");
	});

	test("shows the sign-in page with values that are not saved", async () => {
		await open();
		await type("Tagline", "Better tools");
		await until(() => preview().includes("Better tools"));
		expect(preview()).toContain("Better tools");
		expect(preview()).toContain("Sign in");
	});

	test("saves links to the terms and the privacy policy, and shows them in the preview", async () => {
		const server = await open({ [REQUEST]: json(branded) });
		await type("Terms of service", "https://acme.example/terms");
		await type("Privacy policy", "https://acme.example/privacy");
		await until(() => preview().includes("Privacy policy"));
		expect(preview()).toContain("Terms of service");
		await click("Save branding");
		await findTexts("Saved.");
		expect(server.sent(REQUEST)).toMatchObject([
			{
				body: {
					metadata: {
						branding: {
							tagline: "Tools",
							termsUrl: "https://acme.example/terms",
							privacyUrl: "https://acme.example/privacy",
						},
					},
				},
			},
		]);
	});

	test("shows the button of the company, if the tenant has an identity provider", async () => {
		const handlers = {
			"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "sso"] }),
		};
		await open({ ...handlers, "GET /tenant/saml/get": json(saml) });
		await until(() => preview().includes("Continue with your company"));
		expect(preview()).toContain("Continue with your company");
	});

	test("shows no button of the company without an identity provider", async () => {
		const server = await open({
			"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "sso"] }),
		});
		await until(() => preview().includes("Sign in"));
		expect(server.sent("GET /tenant/saml/get")).toHaveLength(1);
		expect(preview()).not.toContain("Continue with your company");
	});

	test("uploads a logo when the user saves, and changes nothing else", async () => {
		const server = await open({ [UPLOAD]: json({ logoUrl: "https://acme.example/logo.png" }) });
		await chooseLogo();
		await findTexts("logo.png is uploaded when you save.");
		expect(server.sent(UPLOAD)).toEqual([]);
		await click("Save branding");
		await findTexts("Saved.");
		expect(server.sent(UPLOAD).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, field: "logoUrl", image: btoa("png") },
		]);
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("uploads a logo for dark pages and an icon, and then saves the other fields", async () => {
		const url = "https://acme.example/image.png";
		const server = await open({
			[UPLOAD]: ({ body }) => json({ [Object(body).field]: url })(),
			[REQUEST]: json(branded),
		});
		await chooseLogo("Upload a dark logo", "dark.png");
		await chooseLogo("Upload an icon", "icon.png");
		await findTexts("dark.png is uploaded when you save.", "icon.png is uploaded when you save.");
		await type("Tagline", "Better tools");
		await click("Save branding");
		await findTexts("Saved.");
		expect(server.sent(UPLOAD).map(({ body }) => Object(body).field)).toEqual([
			"darkLogoUrl",
			"faviconUrl",
		]);
		expect(server.sent(REQUEST)).toMatchObject([
			{
				body: {
					metadata: {
						branding: { tagline: "Better tools", darkLogoUrl: url, faviconUrl: url },
					},
				},
			},
		]);
	});

	test("shows the logo for dark pages in the dark preview only, and the icon in its tab", async () => {
		const logoUrl = "https://acme.example/light.png";
		const darkLogoUrl = "https://acme.example/dark.png";
		const faviconUrl = "https://acme.example/icon.png";
		const branding = { logoUrl, darkLogoUrl, faviconUrl };
		await open({ "GET /tenant/get": json({ ...acme, metadata: { branding } }) });
		const logo = () =>
			document.querySelector("iframe")?.contentDocument?.querySelector("img")?.getAttribute("src");
		await until(() => logo() === logoUrl);
		expect(logo()).toBe(logoUrl);
		await click(byLabel("Dark"));
		await until(() => logo() === darkLogoUrl);
		expect(logo()).toBe(darkLogoUrl);
		expect(document.querySelector(".preview-tab img")?.getAttribute("src")).toBe(faviconUrl);
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
		expect(reasonOf(byRole("button", "Save branding"))).toBe("Nothing has changed.");
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
