import type { BetterAuthOptions } from "better-auth";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { expectRefusal } from "../support/http/refusal";
import { makeGate } from "../support/processes/gate";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import {
	CREDENTIALS,
	EMAIL,
	type Instance,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";
import { saveWorld, useWorld } from "../support/worlds/world";

/** The audit log keeps events of a deleted tenant, because the app may ask who deleted it. */
const AUDIT_LOG = "tenantAuditEvent";
/** They stay reserved. */
const FORMER_SLUGS = "tenantFormerSlug";

/** All rows as text, except those of the audit log. */
async function dump({ database }: Instance): Promise<string[]> {
	const tables = database
		.prepare(
			"select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not in (?, ?)",
		)
		.all(AUDIT_LOG, FORMER_SLUGS) as { name: string }[];
	return tables.flatMap(({ name }) => rowsOf({ database }, name));
}

function rowsOf({ database }: Pick<Instance, "database">, table: string): string[] {
	return database
		.prepare(`select * from "${table}"`)
		.all()
		.map((row) => `${table} ${JSON.stringify(row)}`);
}

/** Adds rows of each kind to a tenant. */
async function populate(instance: Instance, tenantId: string) {
	const { call, manage, signUp, signIn, addDomain } = instance;
	const people = [await signUp(tenantId), await signUp(tenantId, "bob@example.com")];
	await signIn(tenantId);
	await call("/request-password-reset", {
		body: { email: EMAIL, redirectTo: "/reset" },
		tenant: tenantId,
	});
	for (const providerId of ["google", "github"]) {
		const config = { tenantId, providerId, clientId: "id", clientSecret: "secret" };
		await manage("/tenant/oauth-config/register", { body: config });
	}
	await addDomain(tenantId, `login.${tenantId}.example.com`);
	await addDomain(tenantId, `${tenantId}.example.com`, "email");
	await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } });
	const invitation = { tenantId, email: "carol@example.com", role: "admin" };
	await manage("/tenant/invitation/create", { body: invitation });
	return {
		tenantId,
		cookies: people.map(({ cookie }) => cookie),
		/** Values that exist only in rows of the tenant. */
		traces: [
			tenantId,
			...people.flatMap(({ body }) => [body.user.id as string, body.token as string]),
		],
	};
}

async function setUp(options: InstanceOptions = {}) {
	const instance = await makeInstance({
		...options,
		emailAndPassword: resettable,
	});
	const gone = await populate(instance, await instance.makeTenant("gone"));
	const kept = await populate(instance, await instance.makeTenant("kept"));
	const platform = await instance.call("/sign-up/email", {
		body: { name: "Ada", ...CREDENTIALS },
	});
	const erase = () => instance.manage("/tenant/delete", { body: { tenantId: gone.tenantId } });
	return { ...instance, gone, kept, platform, erase, rows: () => dump(instance) };
}

const resettable: BetterAuthOptions["emailAndPassword"] = {
	...cheapPasswords,
	enabled: true,
	sendResetPassword: async () => {},
};

const world = useWorld(() => setUp());

const mentions = (traces: string[]) => (line: string) => traces.some((it) => line.includes(it));

describe("deleting a tenant", () => {
	it("leaves no row in any table, and does not change another tenant", async () => {
		const { gone, erase, rows } = world();
		const before = await rows();
		const ofGone = before.filter(mentions(gone.traces));
		for (const table of [
			"tenant ",
			"tenantOauthConfig",
			"tenantInvitation",
			"tenantDomain",
			"user",
			"session",
			"account",
			"verification",
		]) {
			expect(
				ofGone.some((line) => line.startsWith(table)),
				table,
			).toBe(true);
		}
		const { status, body } = await erase();
		expect([status, body]).toEqual([200, { success: true }]);
		expect(await rows()).toEqual(before.filter((line) => !mentions(gone.traces)(line)));
	});

	it("leaves in the audit log who did it, but no email, name or secret of a user", async () => {
		const { database, manage, gone, erase } = world();
		const body = { tenantId: gone.tenantId, userId: String(gone.traces[1]) };
		await manage("/tenant/user/send-password-reset", { body });
		await manage("/tenant/user/delete", { body });
		await erase();
		const log = rowsOf({ database }, AUDIT_LOG).filter(mentions([gone.tenantId]));
		expect(log.at(-1)).toContain("tenant:delete");
		expect(log.join()).not.toMatch(/@example\.com|hash of|"secret"|"User"/);
		for (const token of [gone.traces[2], gone.traces[4]]) expect(log.join()).not.toContain(token);
	});

	it("ends its sessions, and no others", async () => {
		const { call, gone, kept, platform, erase } = world();
		await erase();
		for (const cookie of notEmpty(gone.cookies)) {
			expect((await call("/get-session", { cookie })).body).toBeNull();
			expect((await call("/update-user", { body: { name: "New" }, cookie })).status).toBe(401);
		}
		for (const cookie of [...kept.cookies, platform.cookie]) {
			expect((await call("/get-session", { cookie })).body.session).toBeTruthy();
		}
	});

	it("answers TENANT_NOT_FOUND to everybody afterwards", async () => {
		const { call, manage, signUp, signIn, gone, erase } = world();
		await erase();
		const { tenantId } = gone;
		const answers = [
			await signUp(tenantId),
			await signIn(tenantId),
			await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } }),
			await call("/sign-in/email", { body: CREDENTIALS, tenant: tenantId }),
			await call("/get-session", { cookie: String(gone.cookies[0]), tenant: tenantId }),
			await manage("/tenant/get", { query: { id: tenantId } }),
			await manage("/tenant/update", { body: { tenantId, name: "New" } }),
			await manage("/tenant/oauth-config/list", { query: { tenantId } }),
			await erase(),
		];
		for (const answer of notEmpty(answers)) expectRefusal(answer, 404, "TENANT_NOT_FOUND");
	});

	it("leaves its slug, and nothing that says whose it was", async () => {
		const { database, erase } = world();
		await erase();
		const rows = database.prepare(`select slug, "tenantId" from "${FORMER_SLUGS}"`).all();
		expect(rows).toEqual([{ slug: "gone", tenantId: "" }]);
	});

	it("makes its slug available again if the app releases it", async () => {
		const { manage, signUp, gone, erase } = world();
		await erase();
		const { status, body } = await manage("/tenant/create", {
			body: { name: "Again", slug: "gone", releaseSlug: true },
		});
		expect(status).toBe(200);
		expect(body.id).not.toBe(gone.tenantId);
		expect((await signUp(body.id)).status).toBe(200);
	});

	it("several times at once causes no error, and leaves nothing", async () => {
		const { gone, erase, rows } = world();
		const answers = await Promise.all([erase(), erase(), erase()]);
		expect(answers.map(({ status }) => status)).toContain(200);
		for (const { status } of notEmpty(answers)) expect([200, 404]).toContain(status);
		expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
	});
});

describe("while a tenant is being deleted", () => {
	async function makeSlow() {
		const [gate, begun] = [makeGate(), makeGate()];
		const host = await setUp({
			databaseHooks: {
				user: {
					delete: {
						before: async () => {
							begun.open();
							await gate.opened;
						},
					},
				},
			},
		});
		return { ...host, open: gate.open, begun: begun.opened };
	}

	it("nobody can sign in or up, and no OAuth config can be registered", async () => {
		const { call, manage, signUp, signIn, gone, erase, rows, begun, open } = await makeSlow();
		const erasing = erase();
		await begun;
		const { tenantId } = gone;
		const config = { tenantId, providerId: "gitlab", clientId: "id", clientSecret: "secret" };
		const answers = [
			await signUp(tenantId, "new@example.com"),
			await signIn(tenantId),
			await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } }),
			await call("/sign-up/email", {
				body: { name: "New", email: "new@example.com", password: PASSWORD },
				tenant: tenantId,
			}),
			await manage("/tenant/oauth-config/register", { body: config }),
		];
		for (const answer of notEmpty(answers)) expectRefusal(answer, 404, "TENANT_NOT_FOUND");
		open();
		expect((await erasing).status).toBe(200);
		expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
	});

	it("sign-ups that have started leave nothing behind", async () => {
		const { signUp, gone, erase, rows } = world();
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, n) =>
				n === 10 ? erase() : signUp(gone.tenantId, `late${n}@example.com`),
			),
		);
		for (const { status } of notEmpty(answers)) expect([200, 404]).toContain(status);
		expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
	});
});

describe("a process that dies while it deletes a tenant", () => {
	/** Counts the operations on the database and the storage. After `dieAt`, all of them fail. */
	function makeLifeline() {
		let left = Number.POSITIVE_INFINITY;
		return {
			step() {
				left -= 1;
				if (left <= 0) throw new Error("the process died");
			},
			dieAt(step: number) {
				left = step;
			},
			/** Returns whether the process had died. */
			revive() {
				const died = left <= 0;
				left = Number.POSITIVE_INFINITY;
				return died;
			},
		};
	}

	async function makeMortal(storage?: BetterAuthOptions["secondaryStorage"]) {
		const life = makeLifeline();
		const host = await setUp(
			storage
				? {
						secondaryStorage: {
							...storage,
							delete: (key) => {
								life.step();
								return storage.delete(key);
							},
						},
					}
				: {},
		);
		const restore = saveWorld(host);
		const prepare = host.database.prepare.bind(host.database);
		host.database.prepare = (sql: string) => {
			life.step();
			return prepare(sql);
		};
		const revive = () => {
			const died = life.revive();
			// A lost connection rolls its transaction back.
			if (host.database.inTransaction) host.database.exec("rollback");
			return died;
		};
		return { ...host, restore, life: { ...life, revive } };
	}

	it("at any statement leaves a tenant that rejects everybody, and can be deleted again", async () => {
		const { auth, signIn, signUp, gone, erase, rows, life, restore } = await makeMortal();
		const others = (await rows()).filter((line) => !mentions(gone.traces)(line));
		const { tenantId } = gone;
		let died = true;
		for (let step = 1; died; step += 1) {
			restore();
			life.dieAt(step);
			const isDone = await auth.api.deleteTenant({ body: { tenantId } }).then(
				() => true,
				() => false,
			);
			died = life.revive();
			expect(isDone).toBe(!died);
			const row = (await rows()).find((line) => /^tenant /.test(line) && line.includes(tenantId));
			// Before the first change, the tenant is open.
			if (!row || /"erasingSince":"/.test(row)) {
				expect((await signIn(tenantId)).status).toBe(404);
				expect((await signUp(tenantId, "new@example.com")).status).toBe(404);
			}
			expect((await erase()).status).toBe(row ? 200 : 404);
			expect(await rows()).toEqual(others);
		}
	});

	it("at any step leaves no session in secondary storage after it is deleted again", async () => {
		const storage = makeMemoryStorage();
		const { auth, gone, erase, life, restore } = await makeMortal(storage);
		let died = true;
		for (let step = 1; died; step += 1) {
			restore();
			life.dieAt(step);
			await auth.api.deleteTenant({ body: { tenantId: gone.tenantId } }).catch(() => null);
			died = life.revive();
			await erase();
			for (const trace of notEmpty(gone.traces)) {
				expect(await storage.get(trace)).toBeNull();
				expect(await storage.get(`active-sessions-${trace}`)).toBeNull();
			}
		}
	});
});

describe("hooks of the app at the deletion of a tenant", () => {
	it("run for each user", async () => {
		const seen: string[] = [];
		const { gone, erase } = await setUp({
			databaseHooks: {
				user: {
					delete: {
						before: async (user) => {
							seen.push(`before ${user.email} ${(user as { tenantId?: string }).tenantId}`);
						},
						after: async (user) => {
							seen.push(`after ${user.email}`);
						},
					},
				},
			},
		});
		await erase();
		expect(seen.sort()).toEqual([
			"after ada@example.com",
			"after bob@example.com",
			`before ada@example.com ${gone.tenantId}`,
			`before bob@example.com ${gone.tenantId}`,
		]);
	});

	it.each(["user", "session", "account", "verification"])(
		"that reject the deletion of a %s do not prevent it",
		async (model) => {
			const { gone, erase, rows } = await setUp({
				databaseHooks: { [model]: { delete: { before: async () => false } } },
			});
			expect((await erase()).status).toBe(200);
			expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
		},
	);
});

const storages: [string, BetterAuthOptions["session"]][] = [
	["only", {}],
	["and the database", { storeSessionInDatabase: true }],
	[
		"and a database that keeps ended sessions",
		{ storeSessionInDatabase: true, preserveSessionInDatabase: true },
	],
];

describe.each(storages)("deleting a tenant with sessions in secondary storage %s", (_, session) => {
	async function makeStored(options: InstanceOptions = {}) {
		const storage = makeMemoryStorage();
		const keys = new Set<string>();
		const host = await setUp({
			...options,
			session: session ?? {},
			secondaryStorage: {
				...storage,
				set: (key, value, ttl) => {
					keys.add(key);
					return storage.set(key, value, ttl);
				},
			},
		});
		const stored = async () => {
			const values = await Promise.all([...keys].map(async (key) => [key, await storage.get(key)]));
			return values.filter(([, value]) => value).map((entry) => entry.join(" "));
		};
		return { ...host, stored };
	}

	const isSession = (line: string) => !line.startsWith("verification:");

	it("leaves no session there, except those of other tenants", async () => {
		const { call, gone, kept, erase, rows, stored } = await makeStored();
		const before = (await stored()).filter(isSession);
		expect(before.filter(mentions(gone.traces))).not.toEqual([]);
		await erase();
		const after = (await stored()).filter(isSession);
		expect(after).toEqual(before.filter((line) => !mentions(gone.traces)(line)));
		expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
		for (const cookie of notEmpty(gone.cookies)) {
			expect((await call("/get-session", { cookie })).body).toBeNull();
		}
		for (const cookie of notEmpty(kept.cookies)) {
			expect((await call("/get-session", { cookie })).body.session).toBeTruthy();
		}
	});

	it.each([[["user"]], [["session"]], [["user", "session"]]])(
		"leaves no session if hooks reject the deletion of %j",
		async (models) => {
			const veto = { delete: { before: async () => false } };
			const { gone, erase, rows, stored } = await makeStored({
				databaseHooks: Object.fromEntries(models.map((model) => [model, veto])),
			});
			expect((await erase()).status).toBe(200);
			expect((await stored()).filter(isSession).filter(mentions(gone.traces))).toEqual([]);
			expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
		},
	);
});
