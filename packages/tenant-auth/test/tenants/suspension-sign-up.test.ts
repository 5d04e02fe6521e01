import { setTimeout } from "node:timers/promises";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { kyselyAdapter } from "@better-auth/kysely-adapter";
import type { BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { emailOTP } from "better-auth/plugins";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { cheapPasswords } from "../support/cheap-passwords";
import { makeGate } from "../support/gate";
import { type HostDatabase, makeInstance, ORIGIN, type Rows } from "../support/instance";

const password = "correct horse battery";
const SUSPENDED = [403, "TENANT_SUSPENDED"];

/** Both ways to sign up by e-mail. */
const ways = [
	["/tenant/sign-up/email", (tenantId: string) => ({ body: { tenantId }, options: {} })],
	["/sign-up/email", (tenant: string) => ({ body: {}, options: { tenant } })],
] as const;

/** How core answers for an address that is taken. */
const answering = [
	["says so", {}],
	["hides it, since addresses are verified", { requireEmailVerification: true }],
	["hides it, since nobody is signed in", { autoSignIn: false }],
] as const;

describe.each(ways)("%s in a tenant that was open before", (path, naming) => {
	describe.each(answering)("where an address that is taken %s", (_, emailAndPassword) => {
		async function setUp() {
			const told: string[] = [];
			const host = await makeInstance({
				emailAndPassword: {
					...cheapPasswords,
					enabled: true,
					...emailAndPassword,
					onExistingUserSignUp: async ({ user }) => {
						told.push(user.email);
					},
				},
			});
			const tenantId = await host.makeTenant();
			await host.signUp(tenantId, "ada@example.com", password);
			const signUp = async (email: string) => {
				const { body, options } = naming(tenantId);
				const answer = await host.call(path, {
					body: { ...body, name: "Ada", email, password },
					...options,
				});
				return [answer.status, answer.body.code];
			};
			const count = async () => (await host.db.selectFrom("user").selectAll().execute()).length;
			return { ...host, tenantId, told, signUp, count };
		}

		it("is refused while it is suspended, whoever has the address", async () => {
			const { manage, tenantId, told, signUp, count } = await setUp();
			await manage("/tenant/suspend", { body: { tenantId } });
			expect(await signUp("ada@example.com")).toEqual(SUSPENDED);
			expect(await signUp("new@example.com")).toEqual(SUSPENDED);
			expect(told).toEqual([]);
			expect(await count()).toBe(1);
			await manage("/tenant/resume", { body: { tenantId } });
			expect(await signUp("new@example.com")).toEqual([200, undefined]);
			expect(await count()).toBe(2);
		});

		it("is refused while it is being deleted, whoever has the address", async () => {
			const { db, tenantId, signUp, told } = await setUp();
			// As a process leaves it that dies half-way.
			const erasing = { erasingSince: new Date().toISOString() };
			await db.updateTable("tenant").set(erasing).where("id", "=", tenantId).execute();
			expect(await signUp("ada@example.com")).toEqual([404, "TENANT_NOT_FOUND"]);
			expect(await signUp("new@example.com")).toEqual([404, "TENANT_NOT_FOUND"]);
			expect(told).toEqual([]);
		});
	});
});

it("a link that verifies an address changes nothing in a suspended tenant", async () => {
	const links: string[] = [];
	const { call, manage, makeTenant, signUp, db } = await makeInstance({
		emailVerification: {
			sendOnSignUp: true,
			sendVerificationEmail: async ({ url }) => {
				links.push(url.slice(`${ORIGIN}/api/auth`.length));
			},
		},
	});
	const tenantId = await makeTenant();
	await signUp(tenantId, "ada@example.com");
	const click = async () => (await call(String(links[0]))).status;
	const isVerified = async () =>
		(await db.selectFrom("user").selectAll().execute()).map((user) => Boolean(user.emailVerified));
	await manage("/tenant/suspend", { body: { tenantId } });
	expect(await click()).toBe(403);
	expect(await isVerified()).toEqual([false]);
	await manage("/tenant/resume", { body: { tenantId } });
	expect(await click()).toBe(302);
	expect(await isVerified()).toEqual([true]);
});

/** SQLite in memory, on which a user's row is written only once the gate is open. */
function heldDatabase(gate: { begun(): void; opened: Promise<void> }): HostDatabase {
	const database = new Database(":memory:");
	const db = new Kysely<Rows>({ dialect: new SqliteDialect({ database }) });
	const hold = <Adapter extends DBTransactionAdapter>(adapter: Adapter): Adapter => ({
		...adapter,
		create: async (query: Parameters<Adapter["create"]>[0]) => {
			if (query.model === "user") {
				gate.begun();
				await gate.opened;
			}
			return adapter.create(query);
		},
	});
	return {
		db,
		type: "sqlite",
		prepare: async (options) => {
			const migrated = { ...options, database: { db, type: "sqlite" as const } };
			await (await getMigrations(migrated)).runMigrations();
			const make = kyselyAdapter(db, { type: "sqlite", transaction: true });
			return (own: BetterAuthOptions) => {
				const adapter = make(own);
				const { transaction } = adapter;
				return {
					...hold(adapter),
					transaction: (work) => transaction((trx) => work(hold(trx))),
				} satisfies DBAdapter;
			};
		},
	};
}

/** Not every plugin makes a user in a transaction, as core's sign-up does. */
it.each(["suspend", "delete"])(
	"a user who is being made when a %s begins is reached by it",
	async (change) => {
		const [begun, gate] = [makeGate(), makeGate()];
		let otp = "";
		const host = await makeInstance({
			on: heldDatabase({ begun: begun.open, opened: gate.opened }),
			plugins: [
				emailOTP({
					sendVerificationOTP: async (mail) => {
						otp = mail.otp;
					},
				}),
			],
		});
		const tenant = await host.makeTenant();
		const email = "late@example.com";
		const asked = { email, type: "sign-in" };
		await host.call("/email-otp/send-verification-otp", { tenant, body: asked });
		const signingIn = host.call("/sign-in/email-otp", { tenant, body: { email, otp } });
		await begun.opened;
		const changing = host.manage(`/tenant/${change}`, { body: { tenantId: tenant } });
		await setTimeout(50);
		gate.open();
		expect((await changing).status).toBe(200);
		const { cookie } = await signingIn;
		expect((await host.call("/get-session", { cookie })).body).toBeNull();
		const users = await host.db.selectFrom("user").selectAll().execute();
		expect(users).toHaveLength(change === "suspend" ? 1 : 0);
	},
);
