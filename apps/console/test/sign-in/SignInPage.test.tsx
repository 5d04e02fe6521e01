// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../support/answers";
import { permissionsOf } from "../support/fixtures/admins";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { allByRole, findByRole, findTexts } from "../support/screen";
import { until } from "../support/time";
import { click, type } from "../support/user";

const REQUEST = "POST /tenant/sign-in/email";

async function fill(): Promise<void> {
	await type("Email", "ada@acme.example");
	await type("Password", "correct horse");
}

describeFormStates("the form for a password", {
	open: (handlers) => openTenantPage("/sign-in", handlers),
	request: REQUEST,
	fill,
	submit: "Sign in",
	valid: {
		answer: json(adasSession),
		sends: { email: "ada@acme.example", password: "correct horse", rememberMe: true },
		shows: ["Account", "ada@acme.example"],
		handlers: {
			"GET /get-session": json(adasSession),
			"GET /grant/list": json([]),
			"GET /list-accounts": list([]),
			"GET /list-sessions": list([]),
			"GET /tenant/permissions": json(permissionsOf("member")),
		},
	},
	invalid: {
		"an empty password": { change: () => type("Password", ""), field: "Password" },
		"an email without a domain": { change: () => type("Email", "ada"), field: "Email" },
	},
	conflict: {
		"a wrong password": {
			answer: refuse(401, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password"),
			shows: ["Incorrect email or password."],
		},
		"too many attempts": {
			answer: refuse(429, "", "Too many requests"),
			shows: ["Too many attempts."],
		},
	},
	keeps: { Email: "ada@acme.example", Password: "correct horse" },
	expired: null,
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
