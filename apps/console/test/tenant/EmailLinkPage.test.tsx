// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { loginOptions } from "../support/fixtures/login-options";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { byRole, findByRole, findTexts } from "../support/screen";
import { until } from "../support/time";
import { click, type } from "../support/user";

const REQUEST = "POST /sign-in/magic-link";

const ALLOWED: Handlers = {
	"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "magic-link"] }),
};

describeFormStates("the form for a sign-in link", {
	open: (handlers) => openTenantPage("/email-link", { ...ALLOWED, ...handlers }),
	request: REQUEST,
	fill: () => type("Email", "ada@acme.example"),
	submit: "Send link",
	valid: {
		answer: json({ status: true }),
		sends: {
			email: "ada@acme.example",
			callbackURL: "/t/acme/account",
			errorCallbackURL: "/t/acme/error",
		},
		shows: ["Check your email", "If an account exists for ada@acme.example, we sent it a link."],
	},
	invalid: {
		"an empty email": { change: () => type("Email", ""), field: "Email" },
		"an email without a domain": { change: () => type("Email", "ada"), field: "Email" },
	},
	conflict: {
		"a method that the tenant no longer allows": {
			answer: refuse(403, "SIGN_IN_METHOD_NOT_ALLOWED", "Not allowed"),
			shows: ["Your organization does not allow this way to sign in."],
		},
		"too many requests": {
			answer: refuse(429, "", "Too many requests"),
			shows: ["Too many attempts."],
		},
	},
	keeps: { Email: "ada@acme.example" },
	expired: null,
});

describe("the page for a sign-in link", () => {
	test("opens the link of an email only when the user asks for it", async () => {
		const link = "token=secret&callbackURL=%2Ft%2Facme%2Faccount";
		await openTenantPage(`/email-link?${new URLSearchParams({ link })}`, ALLOWED);
		await findTexts("Press the button to sign in to Acme.");
		// A program that follows links finds none.
		const targets = [...document.querySelectorAll("a")].map(({ href }) => href);
		expect(targets.filter((href) => href.includes("secret"))).toEqual([]);
		expect(location.pathname).toBe("/t/acme/email-link");
		await click(byRole("button", "Sign in"));
		await until(() => location.pathname === "/api/auth/magic-link/verify");
		expect(location.search).toBe(`?${link}`);
	});

	test("leads to the sign-in page if the tenant does not allow links", async () => {
		await openTenantPage("/email-link");
		expect(await findByRole("heading", "Sign in")).toBeTruthy();
		expect(location.pathname).toBe("/t/acme/sign-in");
	});

	test("brings the user back to the app, whose query Better Auth decodes once more", async () => {
		const app = "http://localhost:3000/app?name=a%20b";
		const server = await openTenantPage(
			`/email-link?callbackURL=${encodeURIComponent(app)}`,
			{ ...ALLOWED, [REQUEST]: json({ status: true }) },
			{ "callback-url": app },
		);
		await type("Email", "ada@acme.example");
		await click("Send link");
		await findByRole("heading", "Check your email");
		expect(server.sent(REQUEST)).toMatchObject([
			{ body: { callbackURL: "http://localhost:3000/app?name=a%2520b" } },
		]);
	});
});
