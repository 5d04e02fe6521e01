import { describe, expect, test } from "vitest";
import { describeDetail, subjectOf } from "../src/operator/audit/event-details";

const event = (
	action: string,
	detail: Record<string, unknown> | null,
	target: { targetId?: string; targetEmail?: string } = {},
) => ({ targetId: null, targetEmail: null, ...target, action, detail });

describe("an audit event", () => {
	test.each([
		[event("user:disable", null, { targetId: "1", targetEmail: "ada@acme.example" })],
		[event("user:create", { role: "admin" }, { targetId: "1", targetEmail: "ada@acme.example" })],
	])("is about a user", (given) => {
		expect(subjectOf(given)).toBe("ada@acme.example");
	});

	test.each([
		["Google", event("oauth-config:register", { enabled: true }, { targetId: "google" })],
		[
			"New password",
			event("mail-template:set", { language: "de" }, { targetId: "reset-password" }),
		],
		[
			"Fleet dashboard",
			event("application:update", { name: "Fleet dashboard" }, { targetId: "1" }),
		],
		["login.acme.example", event("domain:add", { host: "login.acme.example" }, { targetId: "1" })],
	])("is about %s", (subject, given) => {
		expect(subjectOf(given)).toBe(subject);
	});

	test.each([
		[event("tenant:update", { name: "Acme" })],
		[event("webhook:delete", null, { targetId: "1" })],
		[event("application:delete", { name: 5 }, { targetId: "1" })],
	])("has no subject if no name is known", (given) => {
		expect(subjectOf(given)).toBeNull();
	});

	test.each([
		["Role: owner", event("user:update", { fields: [], role: "owner" })],
		["Changed: email, name", event("user:update", { fields: ["email", "name"] })],
		["Changed: scopes", event("application:update", { name: "Notes", fields: ["scopes"] })],
		["Enabled: no", event("oauth-config:update", { enabled: false }, { targetId: "google" })],
		["No response", event("webhook:test", { responseStatus: null })],
		["Status of the response: 200", event("webhook:test", { responseStatus: 200 })],
		["Metadata changed", event("tenant:update", { metadata: true })],
		["Language: German", event("mail-template:reset", { language: "de" })],
		[
			"Who may sign up: invite · Shortest password: 12 · Email domains: not set",
			event("policy:update", {
				signUp: { mode: "invite" },
				password: { minLength: 12 },
				...{ "signUp.emailDomains": null },
			}),
		],
		["color: red", event("app:paint", { color: "red" })],
		["", event("user:enable", null)],
	])("says what changed: %s", (text, given) => {
		expect(describeDetail(given)).toBe(text);
	});

	test("writes a time as the reader's region does", () => {
		const expiresAt = "2026-11-17T10:00:00.000Z";
		expect(describeDetail(event("user:sign-in-link", { expiresAt }))).toMatch(/^Expires: .*2026/);
		expect(describeDetail(event("user:sign-in-link", { expiresAt }))).not.toContain("T10");
	});
});
