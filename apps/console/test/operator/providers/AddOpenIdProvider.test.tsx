// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { discord, githubConfig } from "../../support/fixtures/oauth-providers";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import {
	byLabel,
	byRole,
	findByLabel,
	findByRole,
	findTexts,
	reasonOf,
} from "../../support/screen";
import { choose, click, type } from "../../support/user";

const REQUEST = "POST /tenant/oauth-config/register";
const DIALOG = "Add an OpenID Connect provider";
const okta = { ...discord, providerId: "oidc:okta", name: "Acme Okta", config: "own" as const };

async function open(handlers: Handlers = {}): Promise<FakeServer> {
	const server = await openConsole(`/tenants/${acme.id}/providers`, {
		"GET /tenant/oauth-config/effective": json([discord]),
		"GET /tenant/oauth-config/list": json([]),
		...handlers,
	});
	await findByRole("button", "Set up Discord");
	await click("Add OpenID Connect");
	await findByRole("dialog", DIALOG);
	return server;
}

async function fill(): Promise<void> {
	await click("Continue");
	await type("Client ID", "client-1");
	await type("Issuer", "https://acme.okta.com");
	await type("Name", "Acme Okta");
}

describeFormStates("the dialog for an OpenID Connect provider", {
	open,
	request: REQUEST,
	fill,
	submit: "Save credentials",
	valid: {
		answer: json({ ...githubConfig, providerId: "oidc:okta" }),
		sends: {
			tenantId: acme.id,
			providerId: "oidc:okta",
			clientId: ["client-1"],
			clientSecret: "",
			scopes: [],
			options: { issuer: "https://acme.okta.com", name: "Acme Okta" },
			enabled: true,
		},
		shows: ["The credentials for Acme Okta were saved."],
	},
	invalid: {
		"an empty issuer": { change: () => type("Issuer", ""), field: "Issuer" },
		"an empty client ID": { change: () => type("Client ID", ""), field: "Client ID" },
	},
	conflict: {
		"an issuer that cannot be reached": {
			answer: refuse(400, "INVALID_PROVIDER_OPTIONS", "issuer has no discovery document"),
			shows: ["issuer has no discovery document"],
		},
		"one provider too many": {
			answer: refuse(
				409,
				"TOO_MANY_OWN_PROVIDERS",
				"A tenant can have at most 20 identity providers of its own",
			),
			shows: ["A tenant can have at most 20 identity providers of its own"],
		},
	},
	keeps: { "Client ID": "client-1", Issuer: "https://acme.okta.com", Name: "Acme Okta" },
});

const continueButton = () => byRole("button", "Continue");

describe("the dialog for an OpenID Connect provider, in use", () => {
	test("suggests an ID for a product, and shows its callback URL and its guide", async () => {
		await open();
		await choose("Product", "Keycloak");
		expect(byLabel("ID").value).toBe("keycloak");
		await click("Continue");
		await findTexts(
			"How to set up Keycloak",
			`http://localhost:3000/api/auth/tenant/callback/oidc:keycloak:${acme.id}`,
		);
		expect(byLabel<HTMLSelectElement>("Product").value).toBe("keycloak");
	});

	test("does not continue with an ID that has other characters", async () => {
		await open();
		await type("ID", "My Okta");
		await findTexts("Use lowercase letters, digits and hyphens.");
		expect(reasonOf(continueButton())).toBe("Complete and correct the fields first.");
	});

	test("does not continue without an ID", async () => {
		await open();
		await type("ID", "");
		await click("Continue");
		expect((await findByLabel("ID")).checkValidity()).toBe(false);
		expect(continueButton()).toBeTruthy();
	});

	test("does not continue with an ID that the tenant uses already", async () => {
		await open({ "GET /tenant/oauth-config/effective": json([discord, okta]) });
		await findTexts("This tenant has a provider with this ID.");
		expect(reasonOf(continueButton())).toBe("Complete and correct the fields first.");
	});
});
