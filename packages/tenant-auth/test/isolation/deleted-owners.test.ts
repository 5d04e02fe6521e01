import { deviceAuthorization } from "better-auth/plugins";
import { cleanUp, runAcrossTenants, runInTenant } from "better-auth-tenant";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { makeInstance } from "../support/worlds/instance";

const MODEL = "deviceCode";

async function makeCodes() {
	const app = await makeInstance({
		plugins: [deviceAuthorization({ verificationUri: "/device" })],
	});
	const { adapter } = await app.auth.$context;
	const tenantId = await app.makeTenant();
	const create = (code: string) =>
		adapter.create<{ id: string }>({
			model: MODEL,
			data: {
				deviceCode: code,
				userCode: code,
				status: "pending",
				expiresAt: new Date(Date.now() - 60_000),
			},
		});
	const owners = async () => {
		const rows = await app.db.selectFrom("tenantRow").selectAll().execute();
		return rows.map(({ rowId }) => rowId).sort();
	};
	const inTenant = <T>(work: () => Promise<T>) => runInTenant(app.auth, tenantId, work);
	const ids = [];
	for (const code of ["one", "two", "three"]) ids.push((await inTenant(() => create(code))).id);
	await create("of-the-platform");
	const byCode = (deviceCode: string) => [{ field: "deviceCode", value: deviceCode }];
	const find = (code: string) =>
		inTenant(() => adapter.findOne({ model: MODEL, where: byCode(code) }));
	/** As a row that changes between the moment when it is found and its deletion. */
	const keep = (id: unknown) =>
		sql`create trigger keep before delete on ${sql.table(MODEL)} when old.id = ${sql.lit(id)}
			begin select raise(ignore); end`.execute(app.db);
	return { ...app, adapter, ids, inTenant, owners, find, keep };
}

it("a delete across tenants removes the records of the owners too", async () => {
	const { adapter, ids, owners } = await makeCodes();
	const [one, two, three] = ids;
	const byId = (id: unknown) => ({ model: MODEL, where: [{ field: "id", value: String(id) }] });
	expect(await owners()).toEqual([...ids].sort());
	await runAcrossTenants(() => adapter.delete(byId(one)));
	expect(await owners()).toEqual([two, three].sort());
	await runAcrossTenants(() => adapter.consumeOne(byId(two)));
	expect(await owners()).toEqual([three]);
	expect(await runAcrossTenants(() => adapter.deleteMany({ model: MODEL, where: [] }))).toBe(2);
	expect(await owners()).toEqual([]);
});

it("a row that is not deleted keeps its owner, in a tenant", async () => {
	const { adapter, ids, inTenant, owners, keep, find } = await makeCodes();
	await keep(ids[1]);
	await inTenant(() => adapter.deleteMany({ model: MODEL, where: [] }));
	expect(await owners()).toEqual([ids[1]]);
	expect(await find("two")).not.toBe(null);
});

it("a row that is not deleted keeps its owner, when expired rows are cleaned up", async () => {
	const { auth, ids, owners, keep, find } = await makeCodes();
	await keep(ids[1]);
	expect((await cleanUp(auth)).oauthTokens).toBe(3);
	expect(await owners()).toEqual([ids[1]]);
	expect(await find("two")).not.toBe(null);
});
