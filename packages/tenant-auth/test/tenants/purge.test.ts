import type { BetterAuthOptions } from "better-auth";
import { describe, expect, it } from "vitest";
import { makeGate } from "../support/gate";
import { type Instance, type InstanceOptions, makeInstance } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";

const password = "correct horse battery";

/** The log of who did what to which tenant outlives the tenant: who deleted it is asked afterwards. */
const AUDIT_LOG = "tenantAuditEvent";

/** Every row of every table but the audit log, as text. */
async function dump({ database }: Instance): Promise<string[]> {
	const tables = database
		.prepare(
			"select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> ?",
		)
		.all(AUDIT_LOG) as { name: string }[];
	return tables.flatMap(({ name }) => rowsOf({ database }, name));
}

function rowsOf({ database }: Pick<Instance, "database">, table: string): string[] {
	return database
		.prepare(`select * from "${table}"`)
		.all()
		.map((row) => `${table} ${JSON.stringify(row)}`);
}

/** A tenant with a bit of everything. */
async function populate(instance: Instance, tenantId: string) {
	const { call, manage, signUp } = instance;
	const people = [
		await signUp(tenantId, "ada@example.com"),
		await signUp(tenantId, "bob@example.com"),
	];
	await call("/tenant/sign-in/email", { body: { tenantId, email: "ada@example.com", password } });
	await call("/request-password-reset", {
		body: { email: "ada@example.com", redirectTo: "/reset" },
		tenant: tenantId,
	});
	for (const providerId of ["google", "github"]) {
		const config = { tenantId, providerId, clientId: "id", clientSecret: "secret" };
		await manage("/tenant/oauth-config/register", { body: config });
	}
	await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } });
	return {
		tenantId,
		cookies: people.map(({ cookie }) => cookie),
		/** Whatever would tell that the tenant was there. */
		traces: [
			tenantId,
			...people.flatMap(({ body }) => [body.user.id as string, body.token as string]),
		],
	};
}

async function setUp(options: InstanceOptions = {}) {
	const instance = await makeInstance({
		...options,
		emailAndPassword: { ...resettable, ...options.emailAndPassword },
	});
	const gone = await populate(instance, await instance.makeTenant("gone"));
	const kept = await populate(instance, await instance.makeTenant("kept"));
	const platform = await instance.call("/sign-up/email", {
		body: { name: "Ada", email: "ada@example.com", password },
	});
	const erase = () => instance.manage("/tenant/delete", { body: { tenantId: gone.tenantId } });
	return { ...instance, gone, kept, platform, erase, rows: () => dump(instance) };
}

const resettable: NonNullable<BetterAuthOptions["emailAndPassword"]> = {
	enabled: true,
	password: {
		hash: async (password) => `hash of ${password}`,
		verify: async ({ hash, password }) => hash === `hash of ${password}`,
	},
	sendResetPassword: async () => {},
};

const mentions = (traces: string[]) => (line: string) => traces.some((it) => line.includes(it));

describe("deleting a tenant", () => {
	it("leaves no row in any table, and touches no other tenant", async () => {
		const { gone, erase, rows } = await setUp();
		const before = await rows();
		const ofGone = before.filter(mentions(gone.traces));
		for (const table of [
			"tenant ",
			"tenantOauthConfig",
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

	it("leaves in the audit log who did it, and no user's address, name or secret", async () => {
		const { database, manage, gone, erase } = await setUp();
		const body = { tenantId: gone.tenantId, userId: String(gone.traces[1]) };
		await manage("/tenant/user/send-password-reset", { body });
		await manage("/tenant/user/delete", { body });
		await erase();
		const log = rowsOf({ database }, AUDIT_LOG).filter(mentions([gone.tenantId]));
		expect(log.at(-1)).toContain("tenant:delete");
		expect(log.join()).not.toMatch(/@example\.com|hash of|"secret"|"User"/);
		for (const token of [gone.traces[2], gone.traces[4]]) expect(log.join()).not.toContain(token);
	});

	it("ends its sessions and nobody else's", async () => {
		const { call, gone, kept, platform, erase } = await setUp();
		await erase();
		for (const cookie of gone.cookies) {
			expect((await call("/get-session", { cookie })).body).toBeNull();
			expect((await call("/update-user", { body: { name: "New" }, cookie })).status).toBe(401);
		}
		for (const cookie of [...kept.cookies, platform.cookie]) {
			expect((await call("/get-session", { cookie })).body.session).toBeTruthy();
		}
	});

	it("answers TENANT_NOT_FOUND afterwards, to everybody", async () => {
		const { call, manage, signUp, gone, erase } = await setUp();
		await erase();
		const { tenantId } = gone;
		const email = "ada@example.com";
		const answers = [
			await signUp(tenantId, email),
			await call("/tenant/sign-in/email", { body: { tenantId, email, password } }),
			await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } }),
			await call("/sign-in/email", { body: { email, password }, tenant: tenantId }),
			await call("/get-session", { cookie: String(gone.cookies[0]), tenant: tenantId }),
			await manage("/tenant/get", { query: { id: tenantId } }),
			await manage("/tenant/update", { body: { tenantId, name: "New" } }),
			await manage("/tenant/oauth-config/list", { query: { tenantId } }),
			await erase(),
		];
		for (const { status, body } of answers) {
			expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		}
	});

	it("frees its slug", async () => {
		const { manage, signUp, gone, erase } = await setUp();
		await erase();
		const { status, body } = await manage("/tenant/create", {
			body: { name: "Again", slug: "gone" },
		});
		expect(status).toBe(200);
		expect(body.id).not.toBe(gone.tenantId);
		expect((await signUp(body.id, "ada@example.com")).status).toBe(200);
	});

	it("twice at once is no error, and leaves nothing", async () => {
		const { gone, erase, rows } = await setUp();
		const answers = await Promise.all([erase(), erase(), erase()]);
		expect(answers.map(({ status }) => status)).toContain(200);
		for (const { status } of answers) expect([200, 404]).toContain(status);
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

	it("nobody signs in or up, and no provider can be registered", async () => {
		const { call, manage, signUp, gone, erase, rows, begun, open } = await makeSlow();
		const erasing = erase();
		await begun;
		const { tenantId } = gone;
		const config = { tenantId, providerId: "gitlab", clientId: "id", clientSecret: "secret" };
		const answers = [
			await signUp(tenantId, "new@example.com"),
			await call("/tenant/sign-in/email", {
				body: { tenantId, email: "ada@example.com", password },
			}),
			await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } }),
			await call("/sign-up/email", {
				body: { name: "New", email: "new@example.com", password },
				tenant: tenantId,
			}),
			await manage("/tenant/oauth-config/register", { body: config }),
		];
		for (const { status, body } of answers) {
			expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		}
		open();
		expect((await erasing).status).toBe(200);
		expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
	});

	it("sign-ups that were under way leave nothing behind", async () => {
		const { signUp, gone, erase, rows } = await setUp();
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, n) =>
				n === 10 ? erase() : signUp(gone.tenantId, `late${n}@example.com`),
			),
		);
		for (const { status } of answers) expect([200, 404]).toContain(status);
		expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
	});
});

describe("a process that dies while it deletes a tenant", () => {
	/** Counts what is done to the database and the storage; from the n-th step on nothing works. */
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
			/** Whether it had died. */
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
		const prepare = host.database.prepare.bind(host.database);
		host.database.prepare = (sql: string) => {
			life.step();
			return prepare(sql);
		};
		const revive = () => {
			const died = life.revive();
			// A connection that is lost takes its transaction along.
			if (host.database.inTransaction) host.database.exec("rollback");
			return died;
		};
		return { ...host, life: { ...life, revive } };
	}

	it("at any statement leaves a tenant that accepts nobody, and deleting again finishes", async () => {
		let died = true;
		for (let step = 1; died; step += 1) {
			const { auth, call, signUp, gone, erase, rows, life } = await makeMortal();
			const others = (await rows()).filter((line) => !mentions(gone.traces)(line));
			const { tenantId } = gone;
			life.dieAt(step);
			const isDone = await auth.api.deleteTenant({ body: { tenantId } }).then(
				() => true,
				() => false,
			);
			died = life.revive();
			expect(isDone).toBe(!died);
			const row = (await rows()).find((line) => /^tenant /.test(line) && line.includes(tenantId));
			// Before its first change, the tenant is as it was.
			if (!row || /"erasingSince":"/.test(row)) {
				const body = { tenantId, email: "ada@example.com", password };
				expect((await call("/tenant/sign-in/email", { body })).status).toBe(404);
				expect((await signUp(tenantId, "new@example.com")).status).toBe(404);
			}
			expect((await erase()).status).toBe(row ? 200 : 404);
			expect(await rows()).toEqual(others);
		}
	}, 60_000);

	it("at any step leaves no session in a secondary storage once it is deleted again", async () => {
		let died = true;
		for (let step = 1; died; step += 1) {
			const storage = makeMemoryStorage();
			const { auth, gone, erase, life } = await makeMortal(storage);
			life.dieAt(step);
			await auth.api.deleteTenant({ body: { tenantId: gone.tenantId } }).catch(() => null);
			died = life.revive();
			await erase();
			for (const trace of gone.traces) {
				expect(await storage.get(trace)).toBeNull();
				expect(await storage.get(`active-sessions-${trace}`)).toBeNull();
			}
		}
	}, 60_000);
});

describe("the host's hooks when a tenant is deleted", () => {
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
		"that veto the deletion of a %s do not stop the tenant's",
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
	["alone", {}],
	["beside the database", { storeSessionInDatabase: true }],
	[
		"beside a database that keeps ended sessions",
		{ storeSessionInDatabase: true, preserveSessionInDatabase: true },
	],
];

describe.each(storages)(
	"deleting a tenant with sessions in a secondary storage %s",
	(_, session) => {
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
				const values = await Promise.all(
					[...keys].map(async (key) => [key, await storage.get(key)]),
				);
				return values.filter(([, value]) => value).map((entry) => entry.join(" "));
			};
			return { ...host, stored };
		}

		const isSession = (line: string) => !line.startsWith("verification:");

		it("leaves no session there, and touches no other tenant's", async () => {
			const { call, gone, kept, erase, rows, stored } = await makeStored();
			const before = (await stored()).filter(isSession);
			expect(before.filter(mentions(gone.traces))).not.toEqual([]);
			await erase();
			const after = (await stored()).filter(isSession);
			expect(after).toEqual(before.filter((line) => !mentions(gone.traces)(line)));
			expect((await rows()).filter(mentions(gone.traces))).toEqual([]);
			for (const cookie of gone.cookies) {
				expect((await call("/get-session", { cookie })).body).toBeNull();
			}
			for (const cookie of kept.cookies) {
				expect((await call("/get-session", { cookie })).body.session).toBeTruthy();
			}
		});

		it.each([[["user"]], [["session"]], [["user", "session"]]])(
			"leaves none either when hooks veto the deletion of %j",
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
	},
);
