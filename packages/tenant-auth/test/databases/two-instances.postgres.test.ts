import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { openRedis } from "../support/databases/redis-storage";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import type { Answer, Instance } from "../support/worlds/instance";
import { beginSocial, readSession } from "../support/worlds/social-app";
import { makeTwoInstances, type TwoInstances } from "../support/worlds/two-instances";

const password = "correct horse battery";
const EMAIL = "ada@example.com";
const SIX = [0, 1, 2, 3, 4, 5];

const { postgres, redis } = services;

const makeWithRedis = async (): Promise<TwoInstances> => {
	const prefix = `two-instances-${Date.now()}-${Math.random().toString(36).slice(2, 8)}:`;
	const storages = [openRedis(String(redis), prefix), openRedis(String(redis), prefix)];
	let given = 0;
	const app = await makeTwoInstances(String(postgres), () => {
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

const stores = [
	{
		on: "on PostgreSQL, serializable by default",
		isMissing: !postgres,
		open: () => makeTwoInstances(atLevel("serializable")),
	},
	{
		on: "on PostgreSQL, repeatable read by default",
		isMissing: !postgres,
		open: () => makeTwoInstances(atLevel("repeatable read")),
	},
	{ on: "on PostgreSQL", isMissing: !postgres, open: () => makeTwoInstances(String(postgres)) },
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

		/** Calls of both instances at the same time, in turn. */
		const onBoth = <T>(call: (instance: Instance, n: number) => Promise<T>) =>
			Promise.all(SIX.map((n) => call(n % 2 === 0 ? one : other, n)));

		const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

		const rowsOf = (table: string, tenantId: string) =>
			app.db.selectFrom(table).where("tenantId", "=", tenantId).selectAll().execute();

		const signIn = ({ call }: Instance, tenantId: string, secret = password) =>
			call("/tenant/sign-in/email", { body: { tenantId, email: EMAIL, password: secret } });

		const sessionAt = async ({ call }: Instance, cookie: string) =>
			(await call("/get-session", { cookie })).body?.session ?? null;

		const config = (tenantId: string, change: object = {}) => ({
			...{ tenantId, providerId: "gitlab", clientId: "first", clientSecret: "secret" },
			options: { issuer: gitlab.url },
			...change,
		});
		const register = ({ manage }: Instance, tenantId: string, change: object = {}) =>
			manage("/tenant/oauth-config/register", { body: config(tenantId, change) });

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
			it("for a slug: one tenant is made, the others hear that it is taken", async () => {
				const slug = `slug-${randomUUID()}`;
				const answers = await onBoth(({ manage }) =>
					manage("/tenant/create", { body: { name: "Acme", slug } }),
				);
				expect(statuses(answers)).toEqual([200, 409, 409, 409, 409, 409]);
				const rows = app.db.selectFrom("tenant").where("slug", "=", slug).selectAll();
				expect(await rows.execute()).toHaveLength(1);
			});

			it("for an address: one user is made, the others hear that it is taken", async () => {
				const tenantId = await one.makeTenant();
				const answers = await onBoth(({ signUp }) => signUp(tenantId, EMAIL));
				expect(statuses(answers)).toEqual([200, 422, 422, 422, 422, 422]);
				expect(await rowsOf("user", tenantId)).toHaveLength(1);
				expect(await rowsOf("account", tenantId)).toHaveLength(1);
				const winner = answers.find(({ status }) => status === 200) as Answer;
				for (const instance of [one, other]) {
					expect(await sessionAt(instance, winner.cookie)).toMatchObject({ tenantId });
				}
			});

			it("of different people for nothing: all get in", async () => {
				const tenantId = await one.makeTenant();
				const rounds = SIX.map((round) =>
					onBoth(({ signUp }, n) => signUp(tenantId, `user${round}.${n}@example.com`)),
				);
				const answers = (await Promise.all(rounds)).flat();
				expect(statuses(answers)).toEqual(answers.map(() => 200));
				expect(await rowsOf("user", tenantId)).toHaveLength(36);
			});

			it("for a config: there is one, with the values of one caller", async () => {
				const tenantId = await one.makeTenant();
				const answers = await onBoth((instance, n) =>
					register(instance, tenantId, { clientId: `client-${n}`, scopes: [`scope-${n}`] }),
				);
				expect(statuses(answers)).toEqual(SIX.map(() => 200));
				expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
				expect(await rowsOf("tenantOauthConfig", tenantId)).toHaveLength(1);
				const { body } = await one.manage("/tenant/oauth-config/list", { query: { tenantId } });
				const [{ clientId, scopes }] = body;
				expect(scopes).toEqual([clientId.replace("client", "scope")]);
				expect(await startedWith(other, tenantId)).toBe(clientId);
			});

			it("of sign-ups and a deletion: nobody is left", async () => {
				const tenantId = await one.makeTenant();
				await one.signUp(tenantId, EMAIL);
				const answers = await onBoth(({ manage, signUp }, n) =>
					n === 2
						? manage("/tenant/delete", { body: { tenantId } })
						: signUp(tenantId, `late${n}@example.com`),
				);
				for (const { status } of answers) expect([200, 404]).toContain(status);
				expect(answers[2]?.status).toBe(200);
				for (const table of ["user", "account"]) {
					expect(await rowsOf(table, tenantId)).toEqual([]);
				}
				for (const { cookie } of answers.filter(({ cookie }) => cookie)) {
					expect(await sessionAt(one, cookie)).toBeNull();
				}
			});

			it("of deletions: no error, and nothing is left", async () => {
				const tenantId = await one.makeTenant();
				for (const n of SIX) await one.signUp(tenantId, `user${n}@example.com`);
				const answers = await onBoth(({ manage }) =>
					manage("/tenant/delete", { body: { tenantId } }),
				);
				expect(statuses(answers)).toContain(200);
				for (const { status } of answers) expect([200, 404]).toContain(status);
				for (const table of ["user", "account"]) {
					expect(await rowsOf(table, tenantId)).toEqual([]);
				}
			});
		});

		describe("a social sign-in whose requests go to one and the other in turn", () => {
			async function makeFlow() {
				const tenantId = await one.makeTenant();
				const redirectURIs = [`${app.balanced.baseURL}/tenant/callback/gitlab`];
				const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs });
				await register(one, tenantId, { clientId, clientSecret });
				const person = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
				const { browser, url } = await beginSocial(app.balanced, { tenantId, provider: "gitlab" });
				const until = (at: URL) => at.pathname.includes("/callback/");
				const { url: callback } = await browser.follow(url, { as: person, until });
				return { tenantId, browser, callback };
			}

			/** All there is of a user, or nothing at all. */
			async function expectWhole(tenantId: string, users: 0 | 1) {
				expect(await rowsOf("user", tenantId)).toHaveLength(users);
				expect(await rowsOf("account", tenantId)).toHaveLength(users);
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

			it("makes one user at most of a callback that is presented to both at once", async () => {
				const { tenantId, browser, callback } = await makeFlow();
				const visits = await Promise.all([browser.follow(callback), browser.follow(callback)]);
				// A provider that sees its code twice may take back what it gave for it: then nobody enters.
				const entered = visits.filter(({ url }) => url.pathname === "/home").length;
				expect(entered).toBeLessThanOrEqual(1);
				await expectWhole(tenantId, entered === 1 ? 1 : 0);
			});
		});
	});
}
