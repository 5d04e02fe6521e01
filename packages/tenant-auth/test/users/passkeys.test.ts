import { passkey } from "@better-auth/passkey";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { makeAuthenticator } from "../support/providers/software-authenticator";
import { type InstanceOptions, makeInstance, ORIGIN } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";

const headers = { origin: ORIGIN };

/** Ada has two passkeys in one tenant, and one in another. */
async function makeWorld(options: InstanceOptions = {}) {
	const app = await makeInstance({ ...options, plugins: [passkey()] });
	const { call, manage } = app;

	const signInWith = async (
		authenticator: ReturnType<typeof makeAuthenticator>,
		tenant: string,
	): Promise<number> => {
		const asked = await call("/passkey/generate-authenticate-options", { tenant, headers });
		const response = authenticator.authenticate(asked.body.challenge);
		const path = "/passkey/verify-authentication";
		return (await call(path, { body: { response }, cookie: asked.cookie, tenant, headers })).status;
	};

	const add = async (names: string[]) => {
		const tenantId = await app.makeTenant();
		const { body, cookie } = await app.signUp(tenantId, "ada@example.com");
		const authenticators = [];
		for (const name of names) {
			const authenticator = makeAuthenticator(ORIGIN);
			const asked = await call("/passkey/generate-register-options", { cookie, headers });
			const response = authenticator.register(asked.body.challenge);
			await call("/passkey/verify-registration", {
				body: { response, name },
				cookie: `${cookie}; ${asked.cookie}`,
				headers,
			});
			authenticators.push(authenticator);
		}
		return { tenantId, userId: String(body.user.id), cookie, authenticators };
	};

	type User = { tenantId: string; userId: string };
	const passkeysOf = async ({ tenantId, userId }: User) =>
		(await manage("/tenant/user/get", { query: { tenantId, userId } })).body.passkeys;
	const remove = async (body: User & { passkeyId?: string }) => {
		const { tenantId, userId, passkeyId } = body;
		const answer = await manage("/tenant/user/remove-passkeys", {
			body: { tenantId, userId, ...(passkeyId ? { passkeyId } : {}) },
		});
		return { status: answer.status, body: answer.body };
	};
	const sessionOf = async (cookie: string) => (await call("/get-session", { cookie })).body;
	const ada = await add(["Phone", "Laptop"]);
	const other = await add(["Tablet"]);
	return { ...app, signInWith, passkeysOf, remove, sessionOf, ada, other };
}

const notFound = { status: 404, body: { code: "PASSKEY_NOT_FOUND" } };

describe.each(sessionStores)("with sessions %s", (_, store) => {
	it("a lost passkey is removed, with all sessions, in one tenant only", async () => {
		const { manage, passkeysOf, remove, signInWith, sessionOf, ada, other } = await makeWorld(
			store(),
		);
		const [phone, laptop] = ada.authenticators;
		const passkeys: { id: string; name: string }[] = await passkeysOf(ada);
		expect(passkeys.map(({ name }) => name).sort()).toEqual(["Laptop", "Phone"]);
		// Not the credential.
		expect(Object.keys(passkeys[0] ?? {}).sort()).toEqual(["backedUp", "createdAt", "id", "name"]);
		const lost = passkeys.find(({ name }) => name === "Phone")?.id ?? "";
		expect(await remove({ ...ada, passkeyId: lost })).toEqual({
			status: 200,
			body: { removed: 1 },
		});
		expect(await passkeysOf(ada)).toMatchObject([{ name: "Laptop" }]);
		if (!store().session?.cookieCache) expect(await sessionOf(ada.cookie)).toBeNull();
		expect(await sessionOf(other.cookie)).not.toBeNull();
		if (!phone || !laptop) throw new Error("There are two authenticators");
		expect(await signInWith(phone, ada.tenantId)).toBe(401);
		expect(await signInWith(laptop, ada.tenantId)).toBe(200);
		expect(await passkeysOf(other)).toHaveLength(1);
		expect(await remove({ ...ada, passkeyId: lost })).toMatchObject(notFound);

		const { tenantId, userId: targetId } = ada;
		const query = { tenantId, action: "user:remove-passkeys" };
		const events = await manage("/tenant/audit/list", { query });
		expect(events.body).toMatchObject([{ targetId, detail: { removed: 1 } }]);
	});
});

it("all passkeys of a user are removed, also if no session is left", async () => {
	const { passkeysOf, remove, ada, other } = await makeWorld();
	expect((await remove(ada)).body).toEqual({ removed: 2 });
	expect((await remove(ada)).body).toEqual({ removed: 0 });
	expect(await passkeysOf(ada)).toEqual([]);
	expect(await passkeysOf(other)).toHaveLength(1);
});

it("all passkeys are removed, also if there are more than are listed", async () => {
	const { auth, passkeysOf, remove, ada, other } = await makeWorld();
	const { adapter } = await auth.$context;
	await runInTenant(auth, ada.tenantId, async () => {
		const [row] = await adapter.findMany<{ id: string }>({ model: "passkey", limit: 1 });
		for (let n = 0; n < 1000; n += 1) {
			const { id: _, ...data } = { ...row, credentialID: `credential-${n}` };
			await adapter.create({ model: "passkey", data });
		}
	});
	expect((await remove(ada)).body).toEqual({ removed: 1002 });
	expect(await passkeysOf(ada)).toEqual([]);
	expect(await passkeysOf(other)).toHaveLength(1);
});

it("a passkey of another tenant or of another user is not found", async () => {
	const { passkeysOf, remove, signUp, ada, other } = await makeWorld();
	const { body } = await signUp(ada.tenantId, "bob@example.com");
	const bob = { tenantId: ada.tenantId, userId: String(body.user.id) };
	const [ofOther] = await passkeysOf(other);
	const [ofAda] = await passkeysOf(ada);
	expect(await remove({ ...ada, passkeyId: ofOther.id })).toMatchObject(notFound);
	expect(await remove({ ...bob, passkeyId: ofAda.id })).toMatchObject(notFound);
	expect(await remove({ tenantId: ada.tenantId, userId: other.userId })).toMatchObject({
		status: 404,
		body: { code: "USER_NOT_FOUND" },
	});
	expect(await passkeysOf(ada)).toHaveLength(2);
	expect(await passkeysOf(other)).toHaveLength(1);
});

it("without the plugin, nobody has a passkey", async () => {
	const { makeTenant, signUp, manage } = await makeInstance();
	const tenantId = await makeTenant();
	const { body } = await signUp(tenantId);
	const userId = body.user.id;
	const user = await manage("/tenant/user/get", { query: { tenantId, userId } });
	expect(user.body.passkeys).toEqual([]);
	const one = { tenantId, userId, passkeyId: "unknown" };
	const answer = await manage("/tenant/user/remove-passkeys", { body: one });
	expect([answer.status, answer.body.code]).toEqual([404, "PASSKEY_NOT_FOUND"]);
});
