import { admin } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it, vi } from "vitest";
import { withClockAhead } from "../../../../testing/moved-clock";
import { notEmpty } from "../../../../testing/not-empty";
import { makeFaultyStorage, makeMemoryStorage } from "../support/databases/memory-storage";
import { silenceErrors } from "../support/processes/silent-errors";
import {
	type Answer,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";
import { describeVariations } from "../support/worlds/variations";

silenceErrors();

const stores: [string, InstanceOptions["session"]][] = [
	["a secondary storage", {}],
	["a secondary storage and the database", { storeSessionInDatabase: true }],
	[
		"both, with preserveSessionInDatabase",
		{ storeSessionInDatabase: true, preserveSessionInDatabase: true },
	],
];

/** As in Redis, each operation takes a moment: simultaneous sign-ins lose entries of core's list. */
function makeSlowStorage() {
	const storage = makeMemoryStorage();
	const keys = new Set<string>();
	const later = <T>(value: T) => new Promise<T>((resolve) => setImmediate(() => resolve(value)));
	return {
		...storage,
		keys,
		get: async (key: string) => later(storage.get(key)),
		set: async (key: string, value: string, ttl?: number) => {
			await later(null);
			keys.add(key);
			return storage.set(key, value, ttl);
		},
	};
}

async function makeWorld(options: InstanceOptions = {}) {
	const app = await makeInstance({ user: { deleteUser: { enabled: true } }, ...options });
	const tenantId = await app.makeTenant();
	const first = await app.signUp(tenantId);
	const signInAtOnce = (count: number) =>
		Promise.all(Array.from({ length: count }, () => app.signIn(tenantId)));
	const isAlive = async ({ cookie }: Pick<Answer, "cookie">, tenant?: string) =>
		Boolean((await app.call("/get-session", { cookie, ...(tenant ? { tenant } : {}) })).body?.user);
	const countAlive = async (answers: Answer[]) =>
		(await Promise.all(answers.map((it) => isAlive(it)))).filter(Boolean).length;
	const userId: string = first.body.user.id;
	return { ...app, tenantId, first, userId, signInAtOnce, isAlive, countAlive };
}

type World = Awaited<ReturnType<typeof makeWorld>>;

const ends: [string, (world: World) => Promise<Answer>][] = [
	[
		"/tenant/user/delete",
		({ manage, tenantId, userId }) => manage("/tenant/user/delete", { body: { tenantId, userId } }),
	],
	[
		"/delete-user",
		({ call, first }) =>
			call("/delete-user", { body: { password: PASSWORD }, cookie: first.cookie }),
	],
	[
		"/tenant/user/revoke-sessions",
		({ manage, tenantId, userId }) =>
			manage("/tenant/user/revoke-sessions", { body: { tenantId, userId } }),
	],
	["/tenant/delete", ({ manage, tenantId }) => manage("/tenant/delete", { body: { tenantId } })],
];

describeVariations("sessions of simultaneous sign-ins, in %s", stores, (session, it) => {
	it.each(ends)("end all with %s", async (_, end) => {
		const world = await makeWorld({ session, secondaryStorage: makeSlowStorage() });
		const sessions = [world.first, ...(await world.signInAtOnce(5))];
		expect(await world.countAlive(sessions)).toBe(6);
		expect((await end(world)).status).toBe(200);
		expect(await world.countAlive(sessions)).toBe(0);
		for (const one of notEmpty(sessions)) {
			const named = await world.call("/get-session", {
				cookie: one.cookie,
				tenant: world.tenantId,
			});
			expect(named.body?.user).toBeUndefined();
			const update = await world.call("/update-user", { body: { name: "X" }, cookie: one.cookie });
			expect(update.status).toBe(401);
		}
	});

	it("of a platform user end all with /admin/remove-user", async () => {
		const {
			call,
			auth,
			isAlive,
			signIn: _,
			...world
		} = await makeWorld({
			session,
			secondaryStorage: makeSlowStorage(),
			plugins: [admin()],
		});
		const body = { name: "Ada", email: "platform@example.com", password: PASSWORD };
		const { body: made } = await call("/sign-up/email", { body });
		const ctx = await auth.$context;
		const boss = await call("/sign-up/email", { body: { ...body, email: "boss@example.com" } });
		await ctx.adapter.update({
			model: "user",
			where: [{ field: "id", value: boss.body.user.id }],
			update: { role: "admin" },
		});
		const { cookie } = await call("/sign-in/email", {
			body: { ...body, email: "boss@example.com" },
		});
		const sessions = await Promise.all([1, 2, 3].map(() => call("/sign-in/email", { body })));
		const removed = await call("/admin/remove-user", { body: { userId: made.user.id }, cookie });
		expect(removed.status).toBe(200);
		for (const one of notEmpty(sessions)) expect(await isAlive(one)).toBe(false);
		expect(world.tenantId).toBeTruthy();
	});
});

describeVariations("an admin of another tenant, with sessions in %s,", stores, (session, it) => {
	it.each([
		["revokes", true],
		["has no sessions to revoke", false],
	])("changes no entry of a user in the storage: %s", async (_, isSignedIn) => {
		const storage = makeMemoryStorage();
		const world = await makeWorld({ session, secondaryStorage: storage, plugins: [admin()] });
		const { auth, call, first, userId } = world;
		if (!isSignedIn) await call("/sign-out", { body: {}, cookie: first.cookie });
		const other = await world.makeTenant();
		const { body } = await world.signUp(other);
		const { adapter } = await auth.$context;
		await runInTenant(auth, other, () =>
			adapter.update({
				model: "user",
				where: [{ field: "id", value: body.user.id }],
				update: { role: "admin" },
			}),
		);
		const { cookie } = await world.signIn(other);
		const entries = () =>
			storage.entries().filter(([key, value]) => `${key}${value}`.includes(userId));
		const before = entries();
		await call("/admin/revoke-user-sessions", { body: { userId }, cookie });
		expect(entries()).toEqual(before);
		expect(await world.isAlive(first)).toBe(isSignedIn);
	});
});

it("a user can sign in right after all sessions were revoked", async () => {
	const world = await makeWorld({ secondaryStorage: makeMemoryStorage() });
	const { tenantId, userId } = world;
	await world.manage("/tenant/user/revoke-sessions", { body: { tenantId, userId } });
	const again = await world.signIn(tenantId);
	expect(await world.isAlive(again)).toBe(true);
	expect(await world.isAlive(world.first)).toBe(false);
});

it("a server whose clock is ahead also ends sign-ins elsewhere, for the time of the difference", async () => {
	const world = await makeWorld({ secondaryStorage: makeMemoryStorage() });
	const { tenantId, userId, manage, signIn, isAlive } = world;
	const body = { tenantId, userId };
	await withClockAhead(3_600_000, () => manage("/tenant/user/revoke-sessions", { body }));
	expect(await isAlive(await signIn(tenantId))).toBe(false);
	await withClockAhead(3_601_000, async () => {
		expect(await isAlive(await signIn(tenantId))).toBe(true);
	});
});

it("a session never comes alive for a later user with the same id", async () => {
	const world = await makeWorld({
		secondaryStorage: makeSlowStorage(),
		advanced: { database: { generateId: "serial" } },
	});
	const { tenantId, userId, manage, signUp, isAlive, makeTenant } = world;
	const sessions = [world.first, ...(await world.signInAtOnce(3))];
	await manage("/tenant/user/delete", { body: { tenantId, userId } });
	const next = await signUp(tenantId, "next@example.com");
	expect(next.body.user.id).toBe(userId);
	expect(await isAlive(next)).toBe(true);
	expect(await world.countAlive(sessions)).toBe(0);
	await manage("/tenant/delete", { body: { tenantId } });
	const other = await makeTenant();
	expect(other).not.toBe(tenantId);
	const later = await signUp(other, "later@example.com");
	expect(later.body.user.id).toBe(userId);
	expect(await isAlive(later)).toBe(true);
	expect(await world.countAlive([...sessions, next])).toBe(0);
	expect(await isAlive(next, other)).toBe(false);
});

describe("a sign-in whose user is deleted meanwhile gets a 401", () => {
	async function deleteDuringSignIn(options: InstanceOptions, at: "hook" | "key") {
		let world: World | null = null;
		let armed = false;
		const remove = async () => {
			if (!armed || !world) return;
			armed = false;
			const { tenantId, userId, manage } = world;
			const { status } = await manage("/tenant/user/delete", { body: { tenantId, userId } });
			expect(status).toBe(200);
		};
		const storage = options.secondaryStorage;
		world = await makeWorld({
			...options,
			...(storage && at === "key"
				? {
						secondaryStorage: {
							...storage,
							set: async (key, value, ttl) => {
								// The session itself: core has read the user already.
								if (value.startsWith('{"session"')) await remove();
								return storage.set(key, value, ttl);
							},
						},
					}
				: { databaseHooks: { session: { create: { before: remove } } } }),
		});
		world.database.exec("PRAGMA foreign_keys = ON");
		armed = true;
		return { ...world, answer: await world.signIn(world.tenantId) };
	}

	it.each<[string, InstanceOptions]>([
		["the database", {}],
		["a secondary storage", { secondaryStorage: makeMemoryStorage() }],
		["both", { secondaryStorage: makeMemoryStorage(), session: { storeSessionInDatabase: true } }],
	])("with sessions in %s", async (_, options) => {
		const { answer } = await deleteDuringSignIn(options, "hook");
		expect([answer.status, answer.body.code]).toEqual([401, "FAILED_TO_CREATE_SESSION"]);
		expect(answer.cookie).toBe("");
	});

	it("and its session does not count if it was about to be stored", async () => {
		const { answer, isAlive } = await deleteDuringSignIn(
			{ secondaryStorage: makeMemoryStorage() },
			"key",
		);
		expect(await isAlive(answer)).toBe(false);
	});
});

describeVariations("sessions that are written meanwhile, in %s", stores, (session, it) => {
	it("do not come back when a sign-in finds that its user was deleted", async () => {
		let meanwhile = async () => {};
		const world = await makeWorld({
			session,
			secondaryStorage: makeSlowStorage(),
			databaseHooks: { session: { create: { before: () => meanwhile() } } },
		});
		world.database.exec("PRAGMA foreign_keys = ON");
		const { tenantId, userId, manage, signIn } = world;
		const sessions = [world.first, ...(await world.signInAtOnce(5))];
		meanwhile = async () => {
			meanwhile = async () => {};
			await manage("/tenant/user/delete", { body: { tenantId, userId } });
		};
		expect((await signIn(tenantId)).status).toBe(401);
		expect(await world.countAlive(sessions)).toBe(0);
	});

	it("do not come back when their user changes them during /tenant/session/revoke", async () => {
		const storage = makeMemoryStorage();
		let meanwhile = async () => {};
		const world = await makeWorld({
			session: { ...session, additionalFields: { theme: { type: "string", required: false } } },
			secondaryStorage: {
				...storage,
				set: async (key, value, ttl) => {
					if (value.startsWith('{"session"')) await meanwhile();
					return storage.set(key, value, ttl);
				},
			},
		});
		const { tenantId, userId, first, call, manage, isAlive } = world;
		const sessionId = first.body.session.id;
		meanwhile = async () => {
			meanwhile = async () => {};
			const body = { tenantId, userId, sessionId };
			expect((await manage("/tenant/session/revoke", { body })).status).toBe(200);
		};
		await call("/update-session", { body: { theme: "dark" }, cookie: first.cookie });
		expect(await isAlive(first)).toBe(false);
	});
});

/** What ends the session of {@link makeWorld}, or all sessions of its user. */
const revocations: [string, (world: World) => Promise<Answer>][] = [
	[
		"/tenant/session/revoke",
		({ manage, tenantId, userId, first }) =>
			manage("/tenant/session/revoke", {
				body: { tenantId, userId, sessionId: first.body.session.id },
			}),
	],
	[
		"/tenant/user/revoke-sessions",
		({ manage, tenantId, userId }) =>
			manage("/tenant/user/revoke-sessions", { body: { tenantId, userId } }),
	],
];

/** Lets the next transaction of a world fail, after `before` has had the work of the transaction. */
async function failNextTransaction(
	{ auth }: World,
	before: (commit: () => Promise<unknown>) => Promise<unknown>,
) {
	const { adapter } = await auth.$context;
	const { transaction } = adapter;
	return vi.spyOn(adapter, "transaction").mockImplementationOnce(async (work) => {
		await before(() => transaction(work));
		throw new Error("Connection terminated unexpectedly");
	});
}

describeVariations("a session that has ended in %s", stores.slice(1), (session, it) => {
	it.each(revocations)("stays ended if the response to the commit is lost: %s", async (_, end) => {
		const world = await makeWorld({ session, secondaryStorage: makeMemoryStorage() });
		const spy = await failNextTransaction(world, (commit) => commit());
		expect((await end(world)).status).toBe(500);
		spy.mockRestore();
		expect(await world.isAlive(world.first)).toBe(false);
	});

	it.each(revocations)("stays ended if the database does not say: %s", async (_, end) => {
		const world = await makeWorld({ session, secondaryStorage: makeMemoryStorage() });
		const { adapter } = await world.auth.$context;
		const spy = await failNextTransaction(world, async () => {
			vi.spyOn(adapter, "findMany").mockRejectedValueOnce(new Error("away"));
		});
		expect((await end(world)).status).toBe(500);
		spy.mockRestore();
		expect(await world.isAlive(world.first)).toBe(false);
	});
});

describe("a session that the storage and the database have", () => {
	const makeOne = async () => {
		const world = await makeWorld({
			session: { storeSessionInDatabase: true },
			secondaryStorage: makeMemoryStorage(),
		});
		const { manage, tenantId, userId, first } = world;
		const body = { tenantId, userId, sessionId: first.body.session.id };
		return { ...world, revoke: () => manage("/tenant/session/revoke", { body }) };
	};

	it("stays ended if another caller ends it while a transaction fails", async () => {
		const world = await makeOne();
		const statuses: number[] = [];
		const spy = await failNextTransaction(world, async () => {
			statuses.push((await world.revoke()).status);
		});
		statuses.push((await world.revoke()).status);
		spy.mockRestore();
		expect(statuses).toEqual([200, 500]);
		expect(await world.isAlive(world.first)).toBe(false);
	});

	it("can be ended again if it has ended in the storage only", async () => {
		const world = await makeOne();
		const { adapter } = await world.auth.$context;
		const spy = await failNextTransaction(world, async () => {
			vi.spyOn(adapter, "findMany").mockRejectedValueOnce(new Error("away"));
		});
		expect((await world.revoke()).status).toBe(500);
		spy.mockRestore();
		expect(await world.isAlive(world.first)).toBe(false);
		expect((await world.revoke()).status).toBe(200);
		expect(await world.db.selectFrom("session").selectAll().execute()).toEqual([]);
	});
});

describeVariations("all sessions of a user, in %s,", stores, (session, it) => {
	it("stay ended if another caller ends them while a transaction fails", async () => {
		const world = await makeWorld({ session, secondaryStorage: makeSlowStorage() });
		const { tenantId, userId, manage } = world;
		const sessions = [world.first, ...(await world.signInAtOnce(5))];
		const revoke = async () =>
			(await manage("/tenant/user/revoke-sessions", { body: { tenantId, userId } })).status;
		const statuses: number[] = [];
		const spy = await failNextTransaction(world, async () => {
			statuses.push(await revoke());
		});
		statuses.push(await revoke());
		spy.mockRestore();
		expect(statuses).toEqual([200, 500]);
		expect(await world.countAlive(sessions)).toBe(0);
	});
});

describeVariations(
	"when one operation of the storage fails, sessions in %s",
	stores,
	(session, it) => {
		const calls: [string, (world: World) => Promise<Answer>, string][] = [
			["/tenant/user/delete", ends[0]?.[1] as never, "user:delete"],
			["/tenant/user/revoke-sessions", ends[2]?.[1] as never, "user:revoke-sessions"],
			["/tenant/session/revoke", revocations[0]?.[1] as never, "session:revoke"],
			["/tenant/delete", ends[3]?.[1] as never, "tenant:delete"],
		];

		it.each(calls)("%s is reported and can be repeated", async (path, end, action) => {
			for (let step = 1; ; step += 1) {
				const faulty = makeFaultyStorage();
				const world = await makeWorld({ session, secondaryStorage: faulty.storage });
				faulty.failAt(step);
				const answer = await end(world);
				if (!faulty.stop()) {
					expect(answer.status).toBe(200);
					expect(step).toBeGreaterThan(1);
					return;
				}
				const events = async () =>
					(await world.manage("/tenant/audit/list", { query: { action } })).body.length;
				if (answer.status === 200) {
					// Only what saves space failed.
					expect(await world.isAlive(world.first), `step ${step}`).toBe(false);
					expect(await events()).toBe(1);
					continue;
				}
				// In the middle of a call, core does not say what failed.
				if (step > 1) expect([500, 503], `step ${step}`).toContain(answer.status);
				else expect([answer.status, answer.body.code]).toEqual([503, "STORAGE_UNAVAILABLE"]);
				if (path !== "/tenant/delete") {
					expect(await world.isAlive(world.first), `step ${step}`).toBe(true);
					expect(await events()).toBe(0);
				}
				expect((await end(world)).status, `step ${step}`).toBe(200);
				expect(await world.isAlive(world.first)).toBe(false);
			}
		});

		it("no session ends without its audit event", async () => {
			for (const [path, end] of notEmpty(calls.slice(1, 3))) {
				const world = await makeWorld({ session, secondaryStorage: makeMemoryStorage() });
				await world.db.schema.alterTable("tenantAuditEvent").renameTo("gone").execute();
				expect((await end(world)).status, path).toBe(500);
				expect(await world.isAlive(world.first), path).toBe(true);
				await world.db.schema.alterTable("gone").renameTo("tenantAuditEvent").execute();
				expect((await end(world)).status, path).toBe(200);
				expect(await world.isAlive(world.first), path).toBe(false);
			}
		});

		it("/tenant/suspend does not need the storage", async () => {
			const faulty = makeFaultyStorage();
			const { manage, tenantId } = await makeWorld({ session, secondaryStorage: faulty.storage });
			faulty.failAt(1);
			expect((await manage("/tenant/suspend", { body: { tenantId } })).status).toBe(200);
			expect(faulty.stop()).toBe(false);
		});
	},
);
