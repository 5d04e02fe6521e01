import { createAuthMiddleware } from "better-auth/api";
import { admin, bearer } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { type InstanceOptions, makeInstance } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";
import { openPglite } from "../support/pglite";

const password = "correct horse battery";

const stores: [string, () => Promise<InstanceOptions>][] = [
	["SQLite", async () => ({})],
	["PostgreSQL", async () => ({ on: await openPglite() })],
	["a secondary storage", async () => ({ secondaryStorage: makeMemoryStorage() })],
];

describe.each(stores)("a made-up session token, with sessions in %s", (_, store) => {
	async function setUp() {
		const instance = await makeInstance({
			...(await store()),
			// With a hook after it, a sign-in looks at the session that the browser had.
			hooks: { after: createAuthMiddleware(async () => {}) },
			plugins: [admin(), bearer()],
		});
		const tenant = await instance.makeTenant();
		const ada = await instance.signUp(tenant, "ada@example.com", password);
		const credentials = { email: "ada@example.com", password };
		/** What each call answers to somebody who presents this token. */
		const callAll = async (presented: { cookie: string } | { headers: Record<string, string> }) => {
			const calls: [string, { body?: object; tenant?: string }][] = [
				["/tenant/sign-in/email", { body: { tenantId: tenant, ...credentials } }],
				["/sign-in/email", { body: credentials, tenant }],
				["/sign-in/email", { body: { email: "nobody@example.com", password }, tenant }],
				["/get-session", {}],
				["/get-session", { tenant }],
				["/admin/list-users", { tenant }],
				["/admin/stop-impersonating", { body: {} }],
				["/tenant/list", {}],
				["/update-user", { body: { name: "Ada L." } }],
			];
			const statuses: number[] = [];
			for (const [path, call] of calls) {
				statuses.push((await instance.call(path, { ...call, ...presented })).status);
			}
			return statuses;
		};
		const expected = [200, 200, 401, 200, 200, 401, 401, 403, 401];
		return { tenant, userId: ada.body.user.id as string, callAll, expected };
	}

	it("fails no request, and tells nothing of who has sessions", async () => {
		const { tenant, userId, callAll, expected } = await setUp();
		const tokens = [
			...["%00", "a%00b", "%ED%A0%80", "%F0%9F%98%80", "__proto__", "%", "x".repeat(4000)],
			...[`active-sessions-${userId}`, "active-sessions-nobody", `tenant-suspended-${tenant}`],
		];
		for (const token of tokens) {
			const cookie = `better-auth.session_token=${token}.x`;
			expect(await callAll({ cookie }), token).toEqual(expected);
			const headers = { authorization: `Bearer ${token}` };
			expect(await callAll({ headers }), `Bearer ${token}`).toEqual(expected);
		}
	});
});
