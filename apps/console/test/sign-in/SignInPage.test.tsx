// @vitest-environment happy-dom
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { json } from "../support/answers";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, findByLabel, findByRole, findTexts } from "../support/screen";
import { until } from "../support/time";
import { click, type } from "../support/user";

const REQUEST = "POST /tenant/sign-in/email";

async function fill(): Promise<void> {
	await type("Email", "ada@acme.example");
	await type("Password", "correct horse");
}

/** A device with a mouse, or one with a touch screen. */
function usePointer(pointer: "fine" | "coarse"): void {
	const spy = vi
		.spyOn(window, "matchMedia")
		.mockImplementation(
			(query) => ({ matches: query === `(pointer: ${pointer})` }) as MediaQueryList,
		);
	onTestFinished(() => spy.mockRestore());
}

describe("the focus of the sign-in page", () => {
	test("is at the email", async () => {
		usePointer("fine");
		await openTenantPage("/sign-in");
		const email = await findByLabel("Email");
		expect(document.activeElement).toBe(email);
	});

	test("is at the password if the app has sent the email", async () => {
		usePointer("fine");
		await openTenantPage("/sign-in?login_hint=ada@acme.example");
		expect((await findByLabel("Email")).value).toBe("ada@acme.example");
		const password = await findByLabel("Password");
		expect(document.activeElement).toBe(password);
	});

	test("is at the email after the first page of the tenant has led here", async () => {
		usePointer("fine");
		await openTenantPage("/");
		const email = await findByLabel("Email");
		await until(() => document.activeElement === email);
		expect(document.activeElement).toBe(email);
	});

	test("opens no keyboard on a touch screen", async () => {
		usePointer("coarse");
		await openTenantPage("/sign-in");
		await findByLabel("Email");
		expect(document.activeElement).toBe(document.body);
	});
});

describe("the sign-in page", () => {
	test("leads to the identity provider of the company, and back to where the user wanted to go", async () => {
		const handlers = {
			"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "sso"] }),
		};
		await openTenantPage("/sign-in", handlers, { saml: "yes" });
		const link = await findByRole("link", "Continue with your company");
		const { pathname, searchParams } = new URL(link.getAttribute("href") ?? "", location.origin);
		expect(pathname).toBe("/t/acme/saml/sign-in");
		expect(searchParams.get("callbackURL")).toMatch(/\/t\/acme\/account$/);
		// It looks like the buttons beside it.
		expect(link.classList).toContain("button-secondary");
	});

	test.each([
		["the tenant has none", ["password", "sso"], ""],
		["the policy does not allow it", ["password"], "yes"],
	])("does not lead to a company if %s", async (_, methods, saml) => {
		const handlers = { "GET /tenant/login-options": json({ ...loginOptions, methods }) };
		await openTenantPage("/sign-in", handlers, { saml });
		await findByRole("button", "Sign in");
		expect(allByRole("link", "Continue with your company")).toEqual([]);
	});

	test.each([
		["an email", "ada%40acme.example", "ada@acme.example"],
		["something else", "%2B49301234567", ""],
	])("fills in the login_hint of an app if it is %s", async (_, hint, value) => {
		await openTenantPage(`/sign-in?login_hint=${hint}`, {});
		const field = (await findByRole("textbox", "Email")) as HTMLInputElement;
		expect(field.value).toBe(value);
	});

	test("asks for a second factor where the user has one", async () => {
		await openTenantPage("/sign-in", { [REQUEST]: json({ twoFactorRedirect: true }) });
		await findByRole("heading", "Sign in");
		await fill();
		await click("Sign in");
		await until(() => location.pathname === "/t/acme/two-factor");
		expect(location.pathname).toBe("/t/acme/two-factor");
	});

	test("says so if the tenant has no way to sign in", async () => {
		await openTenantPage("/sign-in", {
			"GET /tenant/login-options": json({
				...loginOptions,
				email: { signIn: false, signUp: false, reset: false, verification: false },
				methods: [],
			}),
		});
		await findTexts("No sign-in method is available yet.");
		expect(allByRole("button", "Sign in")).toEqual([]);
	});

	test("has links to the tenant's terms and privacy policy, which learn nothing about this page", async () => {
		const branding = {
			termsUrl: "https://acme.example/terms",
			privacyUrl: "https://acme.example/privacy",
		};
		await openTenantPage("/sign-in", {
			"GET /tenant/login-options": json({ ...loginOptions, branding }),
		});
		const links = [
			await findByRole("link", "Terms of service"),
			await findByRole("link", "Privacy policy"),
		];
		expect(links.map((link) => link.getAttribute("href"))).toEqual(Object.values(branding));
		expect(links.map((link) => link.getAttribute("rel"))).toEqual([
			"noopener noreferrer",
			"noopener noreferrer",
		]);
	});

	test("has no links to terms that the tenant does not have", async () => {
		await openTenantPage("/sign-in");
		await findByRole("button", "Sign in");
		expect(document.querySelectorAll("footer a[target]")).toHaveLength(0);
	});

	test("sends a user who is signed in on to the app", async () => {
		const app = "http://localhost:3000/app";
		await openTenantPage(
			`/sign-in?callbackURL=${encodeURIComponent(app)}`,
			{ "GET /get-session": json(adasSession) },
			{ "callback-url": app },
		);
		await until(() => location.href === app);
		expect(location.href).toBe(app);
	});
});
