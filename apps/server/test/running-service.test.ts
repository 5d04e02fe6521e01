import { getMigrations } from "better-auth/db/migration";
import { expect, test } from "vitest";
import { runningService } from "./running-service";

const SWITCHES = {
	BETTER_AUTH_URL: "https://eu.example.com",
	TENANT_DOMAIN: "example.com",
	BEARER_SESSIONS: "true",
	SESSION_TOKENS: "true",
	SECOND_FACTOR_EMAILS: "true",
	REQUIRE_OPERATOR_SECOND_FACTOR: "true",
	TENANT_ADMIN_PAGES: "false",
	NEW_DEVICE_EMAILS: "false",
	API_AUDIENCES: "https://api.example.com",
	API_SCOPES: "read",
	AUDIT_RETENTION_DAYS: "30",
	CAPTCHA: "turnstile",
	CAPTCHA_SITE_KEY: "site-key",
	CAPTCHA_SECRET_KEY: "secret-key",
	REGION: "eu",
	REGIONS: "eu=https://eu.example.com,us=https://us.example.com",
	REGION_KEY: "r".repeat(32),
};

/** Services of tests use copies of a few databases. A missing table would look like a defect of a suite. */
test.each([
	["without SCIM, SAML and an event stream", {}],
	["with SCIM", { SCIM: "true" }],
	["with SAML", { SAML: "true" }],
	["with an event stream", { EVENT_STREAM_URL: "http://127.0.0.1:1/events" }],
])("no other setting decides which tables a service %s has", async (_, more) => {
	const { backend } = await runningService({ ...SWITCHES, ...more });
	const { toBeCreated, toBeAdded } = await getMigrations(backend.auth.options);
	expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
});
