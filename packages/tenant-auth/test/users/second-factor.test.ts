import { twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { totpOf } from "../support/providers/totp";
import { type InstanceOptions, makeInstance } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";

const password = "correct horse battery";
const email = "ada@example.com";

/** Ada has a second factor in two tenants. */
async function makeWorld(options: InstanceOptions = {}) {
	const app = await makeInstance({ ...options, plugins: [twoFactor()] });
	const signIn = (tenant: string, cookie?: string) =>
		app.call("/tenant/sign-in/email", { tenant, cookie, body: { email, password } });
	const enroll = async (first: string) => {
		const enabled = await app.call("/two-factor/enable", { body: { password }, cookie: first });
		const totpURI = String(enabled.body.totpURI);
		const body = { code: totpOf(totpURI) };
		const { cookie } = await app.call("/two-factor/verify-totp", { body, cookie: first });
		return { totpURI, cookie };
	};
	const add = async () => {
		const tenantId = await app.makeTenant();
		const { body, cookie } = await app.signUp(tenantId, email, password);
		const enrolled = await enroll(cookie);
		expect((await signIn(tenantId)).body).toMatchObject({ twoFactorRedirect: true });
		return { tenantId, userId: String(body.user.id), ...enrolled };
	};
	const sessionOf = async (cookie: string) => (await app.call("/get-session", { cookie })).body;
	return { ...app, signIn, enroll, sessionOf, ada: await add(), other: await add() };
}

describe.each(sessionStores)("with sessions %s", (_, store) => {
	it("a lost second factor is removed, with all sessions, in one tenant only", async () => {
		const { manage, signIn, sessionOf, db, ada, other } = await makeWorld(store());
		const { tenantId, userId } = ada;
		const removed = await manage("/tenant/user/remove-second-factor", {
			body: { tenantId, userId },
		});
		expect(removed.body).toMatchObject({ id: userId, twoFactorEnabled: false });
		const factors = await db.selectFrom("twoFactor").select("userId").execute();
		expect(factors).toEqual([{ userId: other.userId }]);
		expect((await signIn(tenantId)).body.user.id).toBe(userId);
		expect((await signIn(other.tenantId)).body).toMatchObject({ twoFactorRedirect: true });
		expect(await sessionOf(other.cookie)).not.toBeNull();
		if (!store().session?.cookieCache) expect(await sessionOf(ada.cookie)).toBeNull();
		const query = { tenantId, action: "user:remove-second-factor" };
		const events = await manage("/tenant/audit/list", { query });
		expect(events.body).toMatchObject([{ targetId: userId }]);
	});
});

it.each<[string, () => InstanceOptions]>([
	["in the database", () => ({})],
	["hashed", () => ({ verification: { storeIdentifier: "hashed" } })],
	["in secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
	[
		"in secondary storage and the database",
		() => ({ secondaryStorage: makeMemoryStorage(), verification: { storeInDatabase: true } }),
	],
])("a trusted device, %s, is asked for the next second factor", async (_, store) => {
	const { call, manage, signIn, enroll, ada, other } = await makeWorld(store());
	const { tenantId, userId } = ada;
	const trust = async (tenantId: string, totpURI: string) => {
		const { cookie } = await signIn(tenantId);
		const body = { code: totpOf(totpURI), trustDevice: true };
		const trusted = await call("/two-factor/verify-totp", { body, cookie });
		return trusted.cookie.split("; ").find((it) => it.includes("trust_device")) ?? "";
	};
	const before = await trust(tenantId, ada.totpURI);
	const elsewhere = await trust(other.tenantId, other.totpURI);
	await manage("/tenant/user/remove-second-factor", { body: { tenantId, userId } });
	const { totpURI } = await enroll((await signIn(tenantId)).cookie);
	expect((await signIn(tenantId, before)).body).toMatchObject({ twoFactorRedirect: true });
	expect((await signIn(other.tenantId, elsewhere)).body.user.id).toBe(other.userId);
	const after = await trust(tenantId, totpURI);
	expect((await signIn(tenantId, after)).body.user.id).toBe(userId);
});

it("a manager of another tenant removes nothing", async () => {
	const { manage, signIn, ada, other } = await makeWorld();
	const body = { tenantId: other.tenantId, userId: ada.userId };
	const answer = await manage("/tenant/user/remove-second-factor", { body });
	expect([answer.status, answer.body.code]).toEqual([404, "USER_NOT_FOUND"]);
	expect((await signIn(ada.tenantId)).body).toMatchObject({ twoFactorRedirect: true });
});
