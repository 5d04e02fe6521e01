import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, getSessionFromCtx } from "better-auth/api";
import { bearer, multiSession } from "better-auth/plugins";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { CREDENTIALS, type Instance, makeInstance } from "../support/worlds/instance";

/** `tenantInSessionTokens`. The suites of sessions run with it too, in `npm run test:all`. */
describe.each([
	["the database", {}],
	["a secondary storage", { secondaryStorage: makeMemoryStorage() }],
])("a session token that names its tenant, in %s,", (_, store) => {
	let app: Instance;
	let own: string;
	let other: string;
	let token: string;
	let cookie: string;

	beforeAll(async () => {
		app = await makeInstance({
			...store,
			tenants: { tenantInSessionTokens: true },
			plugins: [bearer(), multiSession()],
		});
		[own, other] = [await app.makeTenant(), await app.makeTenant()];
		await app.signUp(other);
		const mine = await app.signUp(own);
		[token, cookie] = [mine.body.token, mine.cookie];
	});

	const ask = (bearerToken: string, tenant?: string) =>
		app.call("/get-session", {
			headers: { authorization: `Bearer ${bearerToken}` },
			...(tenant ? { tenant } : {}),
		});

	it("is 32 random characters and the id", async () => {
		expect(token).toMatch(/^[a-zA-Z\d]{32}_/);
		expect(token.slice(33)).toBe(own);
		expect((await app.call("/get-session", { cookie })).body.session).toMatchObject({
			token,
			tenantId: own,
		});
		expect((await ask(token)).body.session.tenantId).toBe(own);
	});

	it("is no session in another tenant, and none if it names another one", async () => {
		const random = token.slice(0, 32);
		const forged = [random, `${random}_`, `${random}_${other}`, `${token}_`, `${random}-${own}`];
		for (const it of notEmpty([...forged, `${random}_${"x".repeat(5000)}`])) {
			for (const tenant of [undefined, own, other]) {
				expect((await ask(it, tenant)).body, `${it} in ${tenant}`).toBeNull();
			}
		}
		expect((await ask(token, other)).body).toBeNull();
	});

	it("names nothing for a user of no tenant, who may move into one", async () => {
		const { body, cookie } = await app.call("/sign-up/email", { body: CREDENTIALS_OF_PLATFORM });
		expect(body.token).toMatch(/^[a-zA-Z\d]{32}$/);
		expect((await app.call("/get-session", { cookie })).body.user.email).toBe(
			CREDENTIALS_OF_PLATFORM.email,
		);
	});

	it("works for all that Better Auth does with tokens", async () => {
		const { cookie } = await app.call("/sign-in/email", { body: CREDENTIALS, tenant: own });
		const list = async () =>
			(await app.call("/list-sessions", { cookie })).body.map(
				(session: { token: string }) => session.token,
			);
		const tokens = await list();
		expect(tokens.length).toBeGreaterThan(1);
		const devices = await app.call("/multi-session/list-device-sessions", { cookie });
		expect(devices.body).toHaveLength(1);
		await app.call("/revoke-session", { cookie, body: { token } });
		expect(await list()).toEqual(tokens.filter((it: string) => it !== token));
		expect((await ask(token)).body).toBeNull();
	});
});

const CREDENTIALS_OF_PLATFORM = { ...CREDENTIALS, name: "User", email: "platform@example.com" };

describe("without the name of the tenant in its token, a session", () => {
	it("from before goes on, and so does one with it when the option is off again", async () => {
		const before = await makeInstance();
		const tenantId = await before.makeTenant();
		const old = await before.signUp(tenantId);
		const on = { db: before.db, type: "sqlite" } as const;
		const now = await makeInstance({ on, tenants: { tenantInSessionTokens: true } });
		expect((await now.call("/get-session", { cookie: old.cookie })).body.session).toMatchObject({
			tenantId,
			token: expect.stringMatching(/^[a-zA-Z\d]{32}$/),
		});
		const { cookie } = await now.call("/sign-in/email", { body: CREDENTIALS, tenant: tenantId });
		expect((await before.call("/get-session", { cookie })).body.session.token).toContain("_");
	});

	it("of a tenant whose id has a dot is as always", async () => {
		const app = await makeInstance({ tenants: { tenantInSessionTokens: true } });
		const body = { id: "acme.example", name: "Acme", slug: "acme" };
		const tenantId = (await app.manage("/tenant/create", { body })).body.id;
		const { body: signedUp, cookie } = await app.signUp(tenantId);
		expect(signedUp.token).toMatch(/^[a-zA-Z\d]{32}$/);
		expect((await app.call("/get-session", { cookie })).body.session.tenantId).toBe(tenantId);
	});
});

/** A plugin may create a session with values of another one, and may decide all of them. */
const copies: BetterAuthPlugin = {
	id: "copies",
	schema: { session: { fields: { theme: { type: "string", defaultValue: "light" } } } },
	endpoints: {
		copySession: createAuthEndpoint("/copy-session", { method: "POST" }, async (ctx) => {
			const { session, user } = (await getSessionFromCtx(ctx)) ?? {};
			const values = { ...session, theme: "dark", expiresAt: new Date(LONG_AGO) };
			const decidesAll = ctx.query?.all === "true";
			const { token, ...rest } = values;
			return ctx.context.internalAdapter.createSession(
				String(user?.id),
				false,
				decidesAll ? rest : values,
				decidesAll,
			);
		}),
	},
};

const LONG_AGO = "2020-01-01T00:00:00.000Z";

describe("a session that a plugin makes of another one", () => {
	it.each([true, false])("has the values of core, also with the option: %s", async (on) => {
		const app = await makeInstance({
			tenants: { tenantInSessionTokens: on, checkedPlugins: ["copies"] },
			plugins: [copies],
		});
		const tenantId = await app.makeTenant();
		const { cookie, body } = await app.signUp(tenantId);
		const copy = async (query: string) =>
			(await app.call(`/copy-session${query}`, { cookie, body: {} })).body;
		const own = on ? new RegExp(`^[a-zA-Z\\d]{32}_${tenantId}$`) : /^[a-zA-Z\d]{32}$/;
		const some = await copy("");
		expect(some).toMatchObject({ theme: "light", tenantId, token: expect.stringMatching(own) });
		expect(some.token).not.toBe(body.token);
		expect(Date.parse(some.expiresAt)).toBeGreaterThan(Date.now());
		const all = await copy("?all=true");
		expect(all).toMatchObject({ theme: "dark", expiresAt: LONG_AGO, tenantId });
	});
});
