import { createAuthMiddleware } from "better-auth/api";
import { admin, bearer } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { TEST_ALL } from "../../../../testing/services";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { openPglite } from "../support/databases/pglite";
import { CREDENTIALS, type InstanceOptions, makeInstance } from "../support/worlds/instance";

type Store = [name: string, options: () => Promise<InstanceOptions>];

const stores: Store[] = [
	["SQLite", async () => ({})],
	["secondary storage", async () => ({ secondaryStorage: makeMemoryStorage() })],
	// Takes seconds to start.
	...(TEST_ALL ? [["PGlite", async () => ({ on: await openPglite() })] satisfies Store] : []),
];

describe.each(stores)("an invalid session token, with sessions in %s,", (_, store) => {
	async function setUp() {
		const instance = await makeInstance({
			...(await store()),
			// With an after hook, a sign-in reads the session of the browser.
			hooks: { after: createAuthMiddleware(async () => {}) },
			plugins: [admin(), bearer()],
		});
		const tenant = await instance.makeTenant();
		const ada = await instance.signUp(tenant);
		const calls: [string, { body?: object; tenant?: string }, status: number][] = [
			["/tenant/sign-in/email", { body: { tenantId: tenant, ...CREDENTIALS } }, 200],
			["/sign-in/email", { body: CREDENTIALS, tenant }, 200],
			["/sign-in/email", { body: { ...CREDENTIALS, email: "nobody@example.com" }, tenant }, 401],
			["/get-session", {}, 200],
			["/get-session", { tenant }, 200],
			["/admin/list-users", { tenant }, 401],
			["/admin/stop-impersonating", { body: {} }, 401],
			["/tenant/list", {}, 403],
			["/update-user", { body: { name: "Ada L." } }, 401],
		];
		return { ...instance, tenant, userId: ada.body.user.id as string, calls };
	}

	it("does not fail a request, and shows nothing about sessions of others", async () => {
		const { call, tenant, userId, calls } = await setUp();
		const tokens = [
			...["%00", "a%00b", "%ED%A0%80", "%F0%9F%98%80", "__proto__", "%", "x".repeat(4000)],
			...[`active-sessions-${userId}`, "active-sessions-nobody", `tenant-suspended-${tenant}`],
		];
		for (const [n, token] of notEmpty(tokens.entries())) {
			const cookie = `better-auth.session_token=${token}.x`;
			const headers = { authorization: `Bearer ${token}` };
			for (const [m, [path, options, status]] of notEmpty(calls.entries())) {
				// Each call gets half of the tokens as cookies, and the others as bearer tokens.
				const isCookie = (n + m) % 2 === 0;
				const ways = TEST_ALL ? [{ cookie }, { headers }] : [isCookie ? { cookie } : { headers }];
				for (const way of notEmpty(ways)) {
					const answer = await call(path, { ...options, ...way });
					expect(answer.status, `${path} with ${JSON.stringify(way)}`).toBe(status);
				}
			}
		}
	});
});
