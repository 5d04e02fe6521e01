import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { openRedis } from "../support/databases/redis-storage";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import { rowsOf, runRace, sessionAt } from "../support/races/race";
import { races } from "../support/races/races";
import { makeSocialTenant, oauthConfig, untilCallback } from "../support/races/social";
import type { Instance } from "../support/worlds/instance";
import { readSession } from "../support/worlds/social-app";
import {
	makeTwoInstances,
	openPostgresTwice,
	type TwoInstances,
} from "../support/worlds/two-instances";

const password = "correct horse battery";
const EMAIL = "ada@example.com";

const { postgres, redis } = services;

const makeWithRedis = async (): Promise<TwoInstances> => {
	const prefix = `two-instances-${Date.now()}-${Math.random().toString(36).slice(2, 8)}:`;
	const storages = [openRedis(String(redis), prefix), openRedis(String(redis), prefix)];
	let given = 0;
	const app = await makeTwoInstances(await openPostgresTwice(String(postgres)), () => {
		const storage = storages[given % 2]?.storage;
		given += 1;
		return storage ? { secondaryStorage: storage } : {};
	});
	return {
		...app,
		async close() {
			await app.close();
			for (const storage of storages) await storage.close();
		},
	};
};

/** As if the server had another default for its transactions. */
function atLevel(level: "serializable" | "repeatable read"): string {
	const url = new URL(String(postgres));
	const escaped = level.replace(" ", "\\ ");
	url.searchParams.set("options", `-c default_transaction_isolation=${escaped}`);
	return url.href;
}

const openAt = async (url: string) => makeTwoInstances(await openPostgresTwice(url));

const stores = [
	{
		on: "on PostgreSQL, serializable by default",
		isMissing: !postgres,
		open: () => openAt(atLevel("serializable")),
	},
	{
		on: "on PostgreSQL, repeatable read by default",
		isMissing: !postgres,
		open: () => openAt(atLevel("repeatable read")),
	},
	{ on: "on PostgreSQL", isMissing: !postgres, open: () => openAt(String(postgres)) },
	{ on: "on PostgreSQL and on Redis", isMissing: !postgres || !redis, open: makeWithRedis },
];

/** Two instances on one database, and one storage if there is one, are as good as one. */
for (const { on, isMissing, open } of stores) {
	describe.skipIf(isMissing)(`two instances ${on}`, () => {
		let app: TwoInstances;
		let one: Instance;
		let other: Instance;
		let gitlab: IdentityProvider;

		beforeAll(async () => {
			app = await open();
			({ one, other } = app);
			gitlab = await startIdentityProvider("gitlab");
		});
		afterAll(async () => {
			await gitlab.close();
			await app.close();
		});

		const signIn = ({ call }: Instance, tenantId: string, secret = password) =>
			call("/tenant/sign-in/email", { body: { tenantId, email: EMAIL, password: secret } });

		const register = ({ manage }: Instance, tenantId: string, change: object = {}) =>
			manage("/tenant/oauth-config/register", { body: oauthConfig(gitlab, tenantId, change) });

		/** The client that a social sign-in is sent to the provider with, or the error's code. */
		async function startedWith({ call }: Instance, tenantId: string): Promise<string | null> {
			const { body } = await call("/tenant/sign-in/social", {
				body: { tenantId, provider: "gitlab" },
			});
			return body.url ? new URL(body.url).searchParams.get("client_id") : body.code;
		}

		describe("what one instance changes, the other obeys at the next request", () => {
			it("a config that is registered, replaced, disabled and deleted", async () => {
				const tenantId = await one.makeTenant();
				expect(await startedWith(other, tenantId)).toBe("PROVIDER_NOT_FOUND");
				await register(one, tenantId);
				expect(await startedWith(other, tenantId)).toBe("first");
				await register(one, tenantId, { clientId: "second" });
				expect(await startedWith(other, tenantId)).toBe("second");
				await register(other, tenantId, { clientId: "third", enabled: false });
				expect(await startedWith(one, tenantId)).toBe("PROVIDER_NOT_FOUND");
				await register(other, tenantId, { clientId: "fourth" });
				expect(await startedWith(one, tenantId)).toBe("fourth");
				await one.manage("/tenant/oauth-config/delete", {
					body: { tenantId, providerId: "gitlab" },
				});
				expect(await startedWith(other, tenantId)).toBe("PROVIDER_NOT_FOUND");
			});

			it("a tenant's new name and slug", async () => {
				const [slug, renamed] = [`a-${randomUUID()}`, `b-${randomUUID()}`];
				const tenantId = await one.makeTenant(slug);
				const find = (slug: string) => other.manage("/tenant/get", { query: { slug } });
				expect((await find(slug)).body.id).toBe(tenantId);
				await one.manage("/tenant/update", { body: { tenantId, name: "New", slug: renamed } });
				expect((await find(slug)).status).toBe(404);
				expect((await find(renamed)).body).toMatchObject({ id: tenantId, name: "New" });
			});

			it("a tenant that is deleted", async () => {
				const tenantId = await one.makeTenant();
				const { cookie } = await one.signUp(tenantId, EMAIL);
				expect(await sessionAt(other, cookie)).not.toBeNull();
				await one.manage("/tenant/delete", { body: { tenantId } });
				expect(await sessionAt(other, cookie)).toBeNull();
				expect((await signIn(other, tenantId)).body.code).toBe("TENANT_NOT_FOUND");
				expect((await other.signUp(tenantId, EMAIL)).body.code).toBe("TENANT_NOT_FOUND");
			});

			it("sessions that are revoked or signed out of", async () => {
				const tenantId = await one.makeTenant();
				const first = await one.signUp(tenantId, EMAIL);
				const [second, third] = [await signIn(one, tenantId), await signIn(other, tenantId)];
				await one.call("/revoke-session", {
					body: { token: second.body.token },
					cookie: first.cookie,
				});
				expect(await sessionAt(other, second.cookie)).toBeNull();
				await one.call("/sign-out", { body: {}, cookie: third.cookie });
				expect(await sessionAt(other, third.cookie)).toBeNull();
				expect(await sessionAt(other, first.cookie)).not.toBeNull();
			});

			it("a password that is changed", async () => {
				const tenantId = await one.makeTenant();
				const { cookie } = await one.signUp(tenantId, EMAIL);
				const elsewhere = await signIn(other, tenantId);
				const newPassword = "another long password";
				await one.call("/change-password", {
					body: { currentPassword: password, newPassword, revokeOtherSessions: true },
					cookie,
				});
				expect(await sessionAt(other, elsewhere.cookie)).toBeNull();
				expect((await signIn(other, tenantId)).status).toBe(401);
				expect((await signIn(other, tenantId, newPassword)).status).toBe(200);
			});

			it("a user who is deleted", async () => {
				const tenantId = await one.makeTenant();
				const { cookie } = await one.signUp(tenantId, EMAIL);
				const elsewhere = await signIn(other, tenantId);
				const gone = await one.call("/delete-user", { body: { password }, cookie });
				expect(gone.status).toBe(200);
				expect(await sessionAt(other, elsewhere.cookie)).toBeNull();
				expect((await signIn(other, tenantId)).status).toBe(401);
				expect((await other.signUp(tenantId, EMAIL)).status).toBe(200);
			});
		});

		describe("a race across the two ends as inside one", () => {
			it.each(Object.entries(races))("%s", async (_, race) => {
				const result = await runRace({ ...app, gitlab, conflicts: false }, race, 2);
				expect(result).toMatchObject({ conflicts: 0, lost: 0, duplicates: 0, halfMade: 0 });
			});
		});

		describe("a social sign-in whose requests go to one and the other in turn", () => {
			async function makeFlow() {
				const world = await makeSocialTenant({ ...app, gitlab });
				return { ...world, ...(await untilCallback(app.balanced, world)) };
			}

			/** All there is of a user, or nothing at all. */
			async function expectWhole(tenantId: string, users: 0 | 1) {
				expect(await rowsOf(app, "user", tenantId)).toHaveLength(users);
				expect(await rowsOf(app, "account", tenantId)).toHaveLength(users);
			}

			it("ends in the tenant", async () => {
				const { tenantId, browser, callback } = await makeFlow();
				expect((await browser.follow(callback)).url.pathname).toBe("/home");
				expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
				await expectWhole(tenantId, 1);
			});

			it("fails when the config went away before the callback", async () => {
				const { tenantId, browser, callback } = await makeFlow();
				const body = { tenantId, providerId: "gitlab" };
				await one.manage("/tenant/oauth-config/delete", { body });
				const { url } = await browser.follow(callback);
				expect(url.searchParams.get("error")).toBe("oauth_config_changed");
				expect(await readSession(browser)).toBeNull();
				await expectWhole(tenantId, 0);
			});

			it("ends whole or not at all when the config goes away during the callback", async () => {
				const { tenantId, browser, callback } = await makeFlow();
				const body = { tenantId, providerId: "gitlab" };
				const [{ url }] = await Promise.all([
					browser.follow(callback),
					one.manage("/tenant/oauth-config/delete", { body }),
				]);
				const session = await readSession(browser);
				expect(["/home", "/failed"]).toContain(url.pathname);
				expect(session !== null).toBe(url.pathname === "/home");
				await expectWhole(tenantId, session ? 1 : 0);
			});
		});
	});
}
