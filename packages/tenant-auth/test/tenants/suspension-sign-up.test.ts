import { setTimeout } from "node:timers/promises";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { kyselyAdapter } from "@better-auth/kysely-adapter";
import type { BetterAuthOptions } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { getMigrations } from "better-auth/db/migration";
import { emailOTP } from "better-auth/plugins";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { makeGate } from "../support/processes/gate";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import {
	EMAIL,
	type HostDatabase,
	makeInstance,
	ORIGIN,
	PASSWORD,
	type Rows,
} from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

/** Both ways to sign up by email. */
const ways = [
	["/tenant/sign-up/email", (tenantId: string) => ({ body: { tenantId }, options: {} })],
	["/sign-up/email", (tenant: string) => ({ body: {}, options: { tenant } })],
] as const;

/** How core answers if the email is taken. */
const answering = [
	["is reported", {}],
	["is hidden, because emails are verified", { requireEmailVerification: true }],
	["is hidden, because nobody is signed in", { autoSignIn: false }],
] as const;

describe.each(ways)("%s in a tenant that was open before", (path, naming) => {
	describe.each(answering)("if a taken email %s,", (_, emailAndPassword) => {
		const world = useWorld(async () => {
			const notified: string[] = [];
			const host = await makeInstance({
				emailAndPassword: {
					...cheapPasswords,
					enabled: true,
					...emailAndPassword,
					onExistingUserSignUp: async ({ user }) => {
						notified.push(user.email);
					},
				},
			});
			const tenantId = await host.makeTenant();
			await host.signUp(tenantId);
			const signUp = async (email: string) => {
				const { body, options } = naming(tenantId);
				return host.call(path, {
					body: { ...body, name: "Ada", email, password: PASSWORD },
					...options,
				});
			};
			const count = async () => (await host.db.selectFrom("user").selectAll().execute()).length;
			return { ...host, tenantId, notified, signUp, count };
		});

		it("is rejected during a suspension, whether the email is taken or not", async () => {
			const { manage, tenantId, notified, signUp, count } = world();
			await manage("/tenant/suspend", { body: { tenantId } });
			for (const email of [EMAIL, "new@example.com"]) {
				expectRefusal(await signUp(email), 403, "TENANT_SUSPENDED");
			}
			expect(notified).toEqual([]);
			expect(await count()).toBe(1);
			await manage("/tenant/resume", { body: { tenantId } });
			expect((await signUp("new@example.com")).status).toBe(200);
			expect(await count()).toBe(2);
		});

		it("is rejected during the deletion, whether the email is taken or not", async () => {
			const { db, tenantId, signUp, notified } = world();
			// A process that stops in the middle of a deletion leaves this.
			const deleting = { erasingSince: new Date().toISOString() };
			await db.updateTable("tenant").set(deleting).where("id", "=", tenantId).execute();
			for (const email of [EMAIL, "new@example.com"]) {
				expectRefusal(await signUp(email), 404, "TENANT_NOT_FOUND");
			}
			expect(notified).toEqual([]);
		});
	});
});

it("a link that verifies an email changes nothing in a suspended tenant", async () => {
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
	await signUp(tenantId);
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

it.each([
	["suspend", 403, "TENANT_SUSPENDED"],
	["delete", 404, "TENANT_NOT_FOUND"],
] as const)(
	"a %s after a sign-up has passed the gate leaves nobody to create",
	async (change, status, code) => {
		const [passed, gate] = [makeGate(), makeGate()];
		const { call, manage, makeTenant, db } = await makeInstance({
			hooks: {
				// It runs when the tenant was found open, and before anything is written.
				before: createAuthMiddleware(async ({ path }) => {
					if (path !== "/sign-up/email") return;
					passed.open();
					await gate.opened;
				}),
			},
		});
		const tenant = await makeTenant();
		const body = { name: "Ada", email: EMAIL, password: PASSWORD };
		const signingUp = call("/sign-up/email", { tenant, body });
		await passed.opened;
		await manage(`/tenant/${change}`, { body: { tenantId: tenant } });
		gate.open();
		expectRefusal(await signingUp, status, code);
		expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
		const left = await db.selectFrom("tenant").selectAll().execute();
		expect(left.map(({ suspendedAt }) => suspendedAt !== null)).toEqual(
			change === "suspend" ? [true] : [],
		);
	},
);

/** SQLite in memory, which writes the row of a user when the gate is open. */
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

/** The sign-up of core creates a user in a transaction, but not every plugin does. */
it.each(["suspend", "delete"])(
	"a %s also affects a user who is being created when it begins",
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
