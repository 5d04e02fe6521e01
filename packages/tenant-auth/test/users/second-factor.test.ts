import { twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { type InstanceOptions, makeInstance } from "../support/instance";
import { sessionStores } from "../support/session-stores";
import { totpOf } from "../support/totp";

const password = "correct horse battery";
const email = "ada@example.com";

/** Ada has a second factor in two tenants. */
async function makeWorld(options: InstanceOptions = {}) {
	const app = await makeInstance({ ...options, plugins: [twoFactor()] });
	const signIn = (tenant: string) =>
		app.call("/tenant/sign-in/email", { tenant, body: { email, password } });
	const add = async () => {
		const tenantId = await app.makeTenant();
		const { body, cookie: first } = await app.signUp(tenantId, email, password);
		const enabled = await app.call("/two-factor/enable", { body: { password }, cookie: first });
		const code = totpOf(enabled.body.totpURI);
		const { cookie } = await app.call("/two-factor/verify-totp", { body: { code }, cookie: first });
		expect((await signIn(tenantId)).body).toMatchObject({ twoFactorRedirect: true });
		return { tenantId, userId: String(body.user.id), cookie };
	};
	const sessionOf = async (cookie: string) => (await app.call("/get-session", { cookie })).body;
	return { ...app, signIn, sessionOf, ada: await add(), other: await add() };
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

it("a manager of another tenant removes nothing", async () => {
	const { manage, signIn, ada, other } = await makeWorld();
	const body = { tenantId: other.tenantId, userId: ada.userId };
	const answer = await manage("/tenant/user/remove-second-factor", { body });
	expect([answer.status, answer.body.code]).toEqual([404, "USER_NOT_FOUND"]);
	expect((await signIn(ada.tenantId)).body).toMatchObject({ twoFactorRedirect: true });
});
