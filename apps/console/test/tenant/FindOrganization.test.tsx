// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { describeFormStates } from "../support/form-states";
import { openServicePage } from "../support/open-tenant-page";
import { byLabel, byRole, findTexts } from "../support/screen";
import { until } from "../support/time";
import { click, type } from "../support/user";

const REQUEST = "GET /tenant/discover";
const acme = { id: "t1", name: "Acme", slug: "acme", loginHost: null };
const UNKNOWN = "We found no organization for this email.";

const open = (handlers: Handlers) => openServicePage("/", handlers);

describeFormStates("the form that finds an organization", {
	open,
	request: REQUEST,
	fill: () => type("Email", "ada@acme.example"),
	submit: "Continue",
	valid: { answer: json({ tenant: null }), sends: null, shows: [UNKNOWN] },
	invalid: {
		"an email without a domain": { change: () => type("Email", "ada"), field: "Email" },
	},
	conflict: {
		"too many attempts": {
			answer: refuse(429, "", "Too many requests"),
			shows: ["Too many attempts."],
		},
	},
	keeps: { Email: "ada@acme.example" },
	expired: null,
});

describe("the page of the service", () => {
	test("leads to the sign-in page of the tenant, with the email", async () => {
		const server = await open({ [REQUEST]: json({ tenant: acme }) });
		await type("Email", "ada+1@acme.example");
		await click("Continue");
		await until(() => location.pathname === "/t/acme/sign-in");
		expect(server.sent(REQUEST).map(({ query }) => query)).toEqual([
			{ email: "ada+1@acme.example" },
		]);
		expect(location.pathname).toBe("/t/acme/sign-in");
		expect(new URLSearchParams(location.search).get("login_hint")).toBe("ada+1@acme.example");
	});

	test("leads to a tenant of another region", async () => {
		const url = "https://us.auth.example.com";
		await open({ [REQUEST]: json({ tenant: { ...acme, region: "us", url } }) });
		await type("Email", "ada@acme.example");
		await click("Continue");
		await until(() => location.origin === url);
		expect(location.href).toBe(`${url}/t/acme/sign-in?login_hint=ada%40acme.example`);
	});

	test("says nothing about an email any more when it is changed", async () => {
		await open({ [REQUEST]: json({ tenant: null }) });
		await type("Email", "ada@acme.example");
		await click("Continue");
		await findTexts(UNKNOWN);
		expect(byRole("status").textContent).toContain("ask your administrator");
		await type("Email", "ada@other.example");
		expect(document.body.textContent).not.toContain(UNKNOWN);
		expect(byLabel("Email").value).toBe("ada@other.example");
	});
});
