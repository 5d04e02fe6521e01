import { deviceAuthorization } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const client_id = "television";
const grant_type = "urn:ietf:params:oauth:grant-type:device_code";

async function setUp(options: InstanceOptions = {}) {
	const app = await makeTwoUsers({
		...options,
		// Two tenants may have the same code by chance.
		plugins: [deviceAuthorization({ interval: "1s", generateUserCode: () => "SAMECODE" })],
	});
	const { call } = app;
	const named = (tenant?: string) => (tenant ? { tenant } : {});
	const ask = async (tenant?: string) =>
		(await call("/device/code", { body: { client_id }, ...named(tenant) })).body as {
			device_code: string;
			user_code: string;
		};
	const poll = async (device_code: string, tenant?: string) => {
		await app.db.updateTable("deviceCode").set({ lastPolledAt: null }).execute();
		return call("/device/token", {
			body: { grant_type, device_code, client_id },
			...named(tenant),
		});
	};
	const look = (cookie: string, tenant?: string) =>
		call("/device", { query: { user_code: "SAMECODE" }, cookie, ...named(tenant) });
	const decide = (verdict: "approve" | "deny", cookie: string, tenant?: string) =>
		call(`/device/${verdict}`, { body: { userCode: "SAMECODE" }, cookie, ...named(tenant) });
	return { ...app, ask, poll, look, decide };
}

describe("a device", () => {
	const world = useWorld(() => setUp());

	it.each(orders)("is approved by a user of its tenant, plugin %s", async (_, order) => {
		const { a, b, ada, bob, ask, poll, look, decide } = await setUp(order());
		const [mine, theirs] = [await ask(a), await ask(b)];
		expect((await look(ada.cookie)).status).toBe(200);
		expect((await decide("approve", ada.cookie)).status).toBe(200);
		expect((await poll(theirs.device_code, b)).body.error).toBe("authorization_pending");
		for (const tenant of [b, undefined]) {
			expect((await poll(mine.device_code, tenant)).body.error).toBe("invalid_grant");
		}
		const { body } = await poll(mine.device_code, a);
		expect(body.access_token).toEqual(expect.any(String));
		expect((await poll(mine.device_code, a)).body.error).toBe("invalid_grant");
		await look(bob.cookie);
		expect((await decide("deny", bob.cookie)).status).toBe(200);
		expect((await poll(theirs.device_code, b)).body.error).toBe("access_denied");
	});

	it("gets a session of its tenant", async () => {
		const { a, ada, ask, poll, look, decide, db } = world();
		const { device_code } = await ask(a);
		await look(ada.cookie);
		await decide("approve", ada.cookie);
		const { body } = await poll(device_code, a);
		const session = await db
			.selectFrom("session")
			.selectAll()
			.where("token", "=", body.access_token)
			.executeTakeFirst();
		expect(session).toMatchObject({ tenantId: a, userId: ada.body.user.id });
	});

	it("cannot be read, approved or denied by a user of another tenant", async () => {
		const { a, b, ada, bob, ask, poll, look, decide } = world();
		const { device_code } = await ask(a);
		for (const tenant of [b, undefined]) {
			expect((await look(bob.cookie, tenant)).status).toBe(400);
			expect((await decide("approve", bob.cookie, tenant)).status).toBe(400);
			expect((await decide("deny", bob.cookie, tenant)).status).toBe(400);
		}
		// A session of one tenant is rejected in the other one.
		await look(bob.cookie, a);
		expect((await decide("approve", bob.cookie, a)).status).toBe(401);
		expect((await decide("approve", ada.cookie, b)).status).toBe(401);
		expect((await poll(device_code, a)).body.error).toBe("authorization_pending");
	});

	it("is deleted with its tenant", async () => {
		const { a, b, ask, manage, db } = world();
		await ask(a);
		await ask(b);
		await manage("/tenant/delete", { body: { tenantId: a } });
		expect(await db.selectFrom("deviceCode").select("id").execute()).toHaveLength(1);
		const owners = await db.selectFrom("tenantRow").select("tenantId").execute();
		expect(owners.map(({ tenantId }) => tenantId)).toEqual([b]);
	});
});
