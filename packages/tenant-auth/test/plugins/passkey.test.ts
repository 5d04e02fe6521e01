import { passkey } from "@better-auth/passkey";
import { describe, expect, it } from "vitest";
import { makeAuthenticator } from "../support/providers/software-authenticator";
import { idKinds } from "../support/worlds/id-kinds";
import { type InstanceOptions, ORIGIN } from "../support/worlds/instance";
import { makeTwoUsers, orders, stores } from "../support/worlds/two-tenants";
import { combine } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

type Authenticator = ReturnType<typeof makeAuthenticator>;

async function setUp(options: InstanceOptions = {}) {
	const app = await makeTwoUsers({ ...options, plugins: [passkey()] });
	const { call, ada, bob } = app;
	const headers = { origin: ORIGIN };
	const as = (cookie: string, path: string, body?: object, tenant?: string) =>
		call(`/passkey${path}`, {
			cookie,
			headers,
			...(body ? { body } : {}),
			...(tenant ? { tenant } : {}),
		});
	async function register(authenticator: Authenticator, cookie: string) {
		const asked = await as(cookie, "/generate-register-options");
		const response = authenticator.register(asked.body.challenge);
		return as(`${cookie}; ${asked.cookie}`, "/verify-registration", { response });
	}
	const ask = (tenant?: string) => as("", "/generate-authenticate-options", undefined, tenant);
	const enter = (
		authenticator: Authenticator,
		asked: Awaited<ReturnType<typeof ask>>,
		tenant?: string,
	) => {
		const response = authenticator.authenticate(asked.body.challenge);
		return as(asked.cookie, "/verify-authentication", { response }, tenant);
	};
	const authenticator = makeAuthenticator(ORIGIN);
	const mine = await register(authenticator, ada.cookie);
	const theirs = await register(makeAuthenticator(ORIGIN), bob.cookie);
	return { ...app, as, register, ask, enter, authenticator, mine, theirs };
}

describe.each(combine(stores, orders))("a passkey, with challenges %s,", (_, options) => {
	const world = useWorld(() => setUp(options()));

	it("signs in to its own tenant only", async () => {
		const { a, b, ada, ask, enter, authenticator, mine } = world();
		expect(mine.status).toBe(200);
		for (const tenant of [a, undefined]) {
			const { status, body } = await enter(authenticator, await ask(a), tenant);
			expect([status, body.user?.id, body.session?.tenantId]).toEqual([200, ada.body.user.id, a]);
		}
		for (const tenant of [b, undefined]) {
			expect((await enter(authenticator, await ask(tenant), tenant)).status).toBe(401);
		}
		// A challenge of another tenant is rejected.
		expect((await enter(authenticator, await ask(a), b)).status).toBe(400);
		expect((await enter(authenticator, await ask(b), a)).status).toBe(400);
	});

	it("of the same authenticator may exist in two tenants", async () => {
		const { a, b, ada, bob, register, ask, enter, authenticator } = world();
		expect((await register(authenticator, bob.cookie)).status).toBe(200);
		for (const [tenant, user] of [
			[a, ada],
			[b, bob],
		] as const) {
			const { body } = await enter(authenticator, await ask(tenant), tenant);
			expect(body.user?.id).toBe(user.body.user.id);
		}
	});
});

describe.each(idKinds)("a passkey, with %s,", (_, kind) => {
	const world = useWorld(() => setUp(kind()));

	it("cannot be changed or deleted in another tenant by its id", async () => {
		const { as, a, b, ada, bob, mine, theirs, db } = world();
		const id = String(theirs.body.id);
		for (const tenant of [undefined, a, b]) {
			const status = tenant === b ? 401 : 404;
			expect((await as(ada.cookie, "/delete-passkey", { id }, tenant)).status).toBe(status);
			const update = { id, name: "taken" };
			expect((await as(ada.cookie, "/update-passkey", update, tenant)).status).toBe(status);
		}
		const list = async (cookie: string) =>
			(await as(cookie, "/list-user-passkeys")).body.map((it: { id: string }) => String(it.id));
		expect(await list(ada.cookie)).toEqual([String(mine.body.id)]);
		expect(await list(bob.cookie)).toEqual([id]);
		const own = { id: String(mine.body.id), name: "my key" };
		expect((await as(ada.cookie, "/update-passkey", own)).body.passkey.name).toBe("my key");
		expect((await as(ada.cookie, "/delete-passkey", { id: own.id })).status).toBe(200);
		expect(await db.selectFrom("tenantRow").select("rowId").execute()).toEqual([{ rowId: id }]);
	});

	it("is deleted with its tenant", async () => {
		const { a, manage, theirs, db } = world();
		await manage("/tenant/delete", { body: { tenantId: a } });
		const left = await db.selectFrom("passkey").select("id").execute();
		expect(left.map(({ id }) => String(id))).toEqual([String(theirs.body.id)]);
		expect(await db.selectFrom("tenantRow").select("id").execute()).toHaveLength(1);
	});
});
