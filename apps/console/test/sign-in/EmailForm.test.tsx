// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, offline, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { permissionsOf } from "../support/fixtures/admins";
import { loginOptions } from "../support/fixtures/login-options";
import { adasSession } from "../support/fixtures/sessions";
import { describeFormStates } from "../support/form-states";
import { openTenantPage } from "../support/open-tenant-page";
import { allByLabel, allByRole, byLabel, findByRole, findTexts } from "../support/screen";
import { pass, until } from "../support/time";
import { click, press, type } from "../support/user";

const REQUEST = "POST /tenant/sign-in/email";
const PROVIDERS = "GET /email-domain/providers";
const SOCIAL = "POST /tenant/sign-in/social";

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

/** A tenant with a provider of its own and SAML. The provider has the domain acme.example. */
const open = (handlers: Handlers = {}, options: object = {}) =>
	openTenantPage(
		"/sign-in",
		{
			"GET /tenant/login-options": json({
				...loginOptions,
				providers: ["oidc:okta"],
				providerNames: { "oidc:okta": "Okta" },
				methods: ["password", "social", "sso"],
				...options,
			}),
			[PROVIDERS]: ({ query }) =>
				json({ providers: query.domain === "acme.example" ? ["oidc:okta"] : [] })(),
			...handlers,
		},
		{ saml: "yes" },
	);

const OWN = "Your organization has its own sign-in.";

describe("the email of a domain with a provider", () => {
	test("gets the provider in place of the password, and the provider gets the email", async () => {
		const server = await open({
			[SOCIAL]: json({ url: "http://localhost:3000/provider?state=1", redirect: true }),
		});
		await type("Email", "ada@acme.example");
		await findTexts(OWN);
		expect(allByLabel("Password")).toEqual([]);
		expect(document.activeElement).toBe(byLabel("Email"));
		await press("{Enter}");
		await until(() => location.pathname === "/provider");
		expect(server.sent(SOCIAL).map(({ body }) => body)).toMatchObject([
			{ provider: "oidc:okta", loginHint: "ada@acme.example" },
		]);
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("is not sent to the service, only its domain is", async () => {
		const server = await open();
		await type("Email", "ada@acme.example");
		await findTexts(OWN);
		expect(server.sent(PROVIDERS).map(({ query }) => query)).toEqual([{ domain: "acme.example" }]);
	});

	test("leads to SAML if that has the domain", async () => {
		await open({ [PROVIDERS]: json({ providers: ["saml"] }) });
		await type("Email", "ada@acme.example");
		await findTexts(OWN);
		await click("Continue with your company");
		await until(() => location.pathname === "/t/acme/saml/sign-in");
		expect(location.pathname).toBe("/t/acme/saml/sign-in");
		expect(location.search).toContain("callbackURL=");
	});

	test("can still be used with a password", async () => {
		await open();
		await type("Email", "ada@acme.example");
		await click("Use a password instead");
		expect(byLabel("Password").value).toBe("");
		expect(byLabel("Email").value).toBe("ada@acme.example");
		await findByRole("button", "Sign in");
	});

	test("keeps a password that is there already", async () => {
		const server = await open();
		await fill();
		await until(() => server.sent(PROVIDERS).length > 0);
		await pass(500);
		expect(byLabel("Password").value).toBe("correct horse");
	});

	test("says why the provider cannot be opened", async () => {
		await open({ [SOCIAL]: refuse(503, "PROVIDER_UNAVAILABLE", "") });
		await type("Email", "ada@acme.example");
		await findTexts(OWN);
		await press("{Enter}");
		await findTexts("does not work at the moment");
		expect(byLabel("Email").value).toBe("ada@acme.example");
	});

	test.each([
		["of another domain", "ada@other.example", {}, {}],
		[
			"whose provider the policy does not allow",
			"ada@acme.example",
			{ [PROVIDERS]: json({ providers: ["oidc:other", "saml"] }) },
			{ methods: ["password", "social"] },
		],
		["while the service does not respond", "ada@acme.example", { [PROVIDERS]: offline() }, {}],
	])("keeps the password for an email %s", async (_, email, handlers, options) => {
		const server = await open(handlers, options);
		await type("Email", email);
		await until(() => server.sent(PROVIDERS).length > 0);
		await pass(500);
		expect(byLabel("Password").value).toBe("");
		expect(allByRole("status")).toEqual([]);
	});

	test("is not asked about if the tenant has no provider", async () => {
		const server = await openTenantPage("/sign-in", {});
		await type("Email", "ada@acme.example");
		await pass(500);
		expect(server.sent(PROVIDERS)).toEqual([]);
	});
});
