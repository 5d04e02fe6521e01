import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { tenantOpenId } from "better-auth-tenant/openid";
import { describe, expect, it } from "vitest";
import { collectFeatures } from "../../src/call/port/features";
import { makeInstance } from "../support/worlds/instance";

const endpoints = {
	listNotes: createAuthEndpoint("/tenant/note/list", { method: "GET" }, async (ctx) =>
		ctx.json([]),
	),
};
const schema: BetterAuthPlugin["schema"] = {
	note: { fields: { text: { type: "string", required: true } } },
};

/** In JavaScript, a part may be anything. */
const withPart = (tenant: unknown, id = "notes") =>
	({ id, schema, endpoints, tenant }) as BetterAuthPlugin;

describe("the tenant part of a plugin stops the start", () => {
	it.each([
		["for an unknown field", { action: {} }, "has the unknown field action"],
		[
			"for an action of tenantAuth",
			{ actions: { "user:list": "owner" } },
			"user:list, which exists",
		],
		["for a name that is no action", { actions: { note: "owner" } }, "has the action note"],
		["for an unknown grant", { actions: { "note:list": "all" } }, "grants note:list to all"],
		["for a table of others", { tables: { user: "shared" } }, "names the table user"],
		[
			"for a table without a tenant",
			{ tables: { note: "explicit" } },
			"needs a column tenantId in note",
		],
		[
			"for a table of a short time without a tenant",
			{ tables: { note: "short-lived" } },
			"needs a column tenantId in note",
		],
		["for secrets of others", { secrets: { account: [] } }, "names the table account"],
		["for a path of others", { impersonationPaths: ["/sign-out"] }, "names the path /sign-out"],
		["for a sign-in at others", { signInPaths: { "/sign-out": "x" } }, "names the path /sign-out"],
		[
			"for own providers without a function",
			{ ownProviders: { check: () => {}, build: () => {} } },
			"has ownProviders without nameOf",
		],
		[
			"for an admission without a function",
			{ admission: { isInvited: () => {}, acceptUser: () => {} } },
			"has admission without isExpected",
		],
		[
			"for half of its hosts",
			{ hosts: { findTenant: () => null } },
			"has hosts without findLinkHost",
		],
		["for a missing plugin", { requires: ["admin"] }, "needs the plugin admin"],
	])("%s", async (_, part, sentence) => {
		const { auth } = await makeInstance({ plugins: [withPart(part)], features: false });
		const whole = `tenantAuth: the tenant part of the plugin notes ${sentence}`;
		const message = sentence.startsWith("user:list") ? `the plugin notes has ${sentence}` : whole;
		await expect(auth.$context).rejects.toThrow(message);
	});

	it("if it comes before a plugin that it needs", () => {
		const admin = { id: "admin" };
		const needing = withPart({ requires: ["admin"] });
		expect(() => collectFeatures([needing, admin], [])).toThrow("must come after the plugin admin");
		expect(() => collectFeatures([admin, needing], [])).not.toThrow();
	});

	it("for what two plugins do", () => {
		const one = withPart({ actions: { "note:list": "owner" } });
		const two = withPart({ actions: { "note:list": "owner" } }, "other");
		expect(() => collectFeatures([one, two], [])).toThrow("the plugin other has note:list");
		const cleanUp = { notes: async () => 0 };
		const cleaning = [withPart({ cleanUp }), withPart({ cleanUp }, "other")];
		expect(() => collectFeatures(cleaning, [])).toThrow("the plugin other cleans up notes");
		const hosts = { findTenant: async () => null, findLinkHost: async () => null };
		const finding = [withPart({ hosts }), withPart({ hosts }, "other")];
		expect(() => collectFeatures(finding, [])).toThrow("the plugin other finds tenants by their");
		const { ownProviders } = tenantOpenId().tenant;
		const providing = [withPart({ ownProviders }), withPart({ ownProviders }, "other")];
		expect(() => collectFeatures(providing, [])).toThrow("the plugin other has ownProviders");
	});
});
