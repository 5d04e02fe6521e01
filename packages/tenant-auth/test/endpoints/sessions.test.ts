import { runWithTransaction } from "@better-auth/core/context";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import type { InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";

type World = Awaited<ReturnType<typeof makeTwoUsers>>;
type DatabaseHooks = NonNullable<InstanceOptions["databaseHooks"]>;

const ways: [path: string, action: string][] = [
	["/tenant/session/revoke", "session:revoke"],
	["/tenant/user/revoke-sessions", "user:revoke-sessions"],
];

const stores: [string, () => InstanceOptions][] = [
	["the database", () => ({})],
	["secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
	[
		"both",
		() => ({ secondaryStorage: makeMemoryStorage(), session: { storeSessionInDatabase: true } }),
	],
	[
		"both, with preserveSessionInDatabase",
		() => ({
			secondaryStorage: makeMemoryStorage(),
			session: { storeSessionInDatabase: true, preserveSessionInDatabase: true },
		}),
	],
];

const watching = (session: NonNullable<DatabaseHooks["session"]>["delete"]): InstanceOptions => ({
	databaseHooks: { session: { delete: session } } as DatabaseHooks,
});

async function revoke({ manage, a, ada }: World, path: string) {
	const { user, session } = ada.body;
	const one = path === "/tenant/session/revoke" ? { sessionId: session.id } : {};
	return manage(path, { body: { tenantId: a, userId: user.id, ...one } });
}

async function eventsOf({ manage, a, ada }: World, action: string) {
	const query = { tenantId: a, targetId: ada.body.user.id as string, action };
	return (await manage("/tenant/audit/list", { query })).body;
}

describe.each(ways)("%s", (path, action) => {
	it.each(stores)("ends sessions in %s, and writes one audit event", async (_, options) => {
		const world = await makeTwoUsers(options());
		expect((await revoke(world, path)).status).toBe(200);
		expect(await world.sessionOf(world.ada.cookie)).toBeNull();
		expect(await world.sessionOf(world.bob.cookie)).not.toBeNull();
		expect(await eventsOf(world, action)).toHaveLength(1);
	});

	it("works if a hook queries the database, with the adapter or directly", async () => {
		const seen: number[] = [];
		const look = async () => {
			const { adapter } = await world.auth.$context;
			seen.push(await adapter.count({ model: "user" }));
			seen.push((await world.db.selectFrom("user").selectAll().execute()).length);
		};
		const world: World = await makeTwoUsers(watching({ before: look, after: look }));
		expect((await revoke(world, path)).status).toBe(200);
		expect(seen).toEqual([1, 2, 1, 2]);
		expect(await eventsOf(world, action)).toHaveLength(1);
	});

	it("runs the hooks of the app in the tenant, before and after the deletion", async () => {
		const seen: unknown[] = [];
		const note = (when: string) => async () => {
			const { adapter } = await world.auth.$context;
			const users = await adapter.findMany<{ id: string }>({ model: "user" });
			seen.push([when, await getCurrentTenantId(), users.map(({ id }) => id)]);
		};
		const world: World = await makeTwoUsers(
			watching({ before: note("before"), after: note("after") }),
		);
		await revoke(world, path);
		expect(seen).toEqual([
			["before", world.a, [world.ada.body.user.id]],
			["after", world.a, [world.ada.body.user.id]],
		]);
	});

	it("runs an after hook when the deletion is committed", async () => {
		const left: number[] = [];
		const world: World = await makeTwoUsers(
			watching({
				after: async () => {
					left.push((await world.db.selectFrom("session").selectAll().execute()).length);
				},
			}),
		);
		await revoke(world, path);
		expect(left).toEqual([1]);
	});

	it("writes no audit event if a hook of the app keeps the session", async () => {
		const world = await makeTwoUsers(watching({ before: async () => false }));
		await revoke(world, path);
		expect(await world.sessionOf(world.ada.cookie)).not.toBeNull();
		expect(await eventsOf(world, action)).toEqual([]);
	});

	it("ends no session if the audit event cannot be written", async () => {
		const world = await makeTwoUsers();
		await world.db.schema.dropTable("tenantAuditEvent").execute();
		expect((await revoke(world, path)).status).toBe(500);
		expect(await world.sessionOf(world.ada.cookie)).not.toBeNull();
	});
});

it("sessions that the app revokes in a transaction have an audit event too", async () => {
	const world = await makeTwoUsers();
	const { adapter } = await world.auth.$context;
	const { id: userId } = world.ada.body.user;
	await runWithTransaction(adapter, () =>
		world.auth.api.revokeTenantUserSessions({ body: { tenantId: world.a, userId } }),
	);
	expect(await world.sessionOf(world.ada.cookie)).toBeNull();
	expect(await eventsOf(world, "user:revoke-sessions")).toHaveLength(1);
});
