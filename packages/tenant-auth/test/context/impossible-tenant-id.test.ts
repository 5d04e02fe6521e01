import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type InstanceOptions, makeInstance } from "../support/worlds/instance";

const password = "correct horse battery";

const kinds: [string, InstanceOptions, string[]][] = [
	["texts", {}, ["x".repeat(129), "a\u0001b", "a\u007fb"]],
	["serial numbers", { advanced: { database: { generateId: "serial" } } }, ["abc", "0", "1.5"]],
	["UUIDs", { advanced: { database: { generateId: "uuid" } } }, ["abc", "1", "g".repeat(36)]],
];

const refusals = ["404 TENANT_NOT_FOUND", "400 VALIDATION_ERROR"];

/** Some databases fail when they are asked for what cannot be an id. */
describe.each(kinds)("where ids are %s, what cannot be one", (_, options, ids) => {
	it.each(ids)("names no tenant, and no database is asked for it (%j)", async (id) => {
		const host = await makeInstance(options);
		await host.signUp(await host.makeTenant(), "ada@example.com", password);
		const user = { email: "ada@example.com", password };
		const calls: [string, object][] = [
			["/tenant/sign-in/email", { body: { tenantId: id, ...user } }],
			["/tenant/sign-up/email", { body: { tenantId: id, name: "Ada", ...user } }],
			["/tenant/sign-in/social", { body: { tenantId: id, provider: "google" } }],
			["/tenant/login-options", { query: { tenantId: id } }],
			["/tenant/get", { query: { id } }],
			["/tenant/delete", { body: { tenantId: id } }],
			["/tenant/suspend", { body: { tenantId: id } }],
			["/tenant/user/list", { query: { tenantId: id } }],
			["/tenant/oauth-config/list", { query: { tenantId: id } }],
		];
		const isInHeader = /^[\x20-\x7e]*$/.test(id);
		if (isInHeader) {
			calls.push(["/sign-in/email", { tenant: id, body: user }]);
			calls.push(["/get-session", { tenant: id }]);
		}
		for (const [path, call] of notEmpty(calls)) {
			host.statements.length = 0;
			const { status, body } = await host.manage(path, call);
			expect(refusals, path).toContain(`${status} ${body.code}`);
			expect([path, host.statements]).toEqual([path, []]);
		}
	});
});
