import { cleanUp, runAcrossTenants } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { type Instance, type InstanceOptions, makeInstance } from "../support/worlds/instance";

const HOUR_MS = 60 * 60 * 1000;

const variations: [string, InstanceOptions][] = [
	["random ids", {}],
	["counted ids", { advanced: { database: { generateId: "serial" } } }],
];

describe.each(eachDatabase)("cleanUp on %s", (_, open) => {
	describe.each(variations)("with %s", (_, options) => {
		let on: OpenDatabase;
		let app: Instance;
		let users: { id: string; tenantId: string | null }[];

		beforeAll(async () => {
			on = await open();
			const { db, type } = on;
			app = await makeInstance({ ...options, on: { db, type } });
			const [one, two] = [await app.makeTenant(), await app.makeTenant()];
			users = [
				(await app.signUp(one)).body.user,
				(await app.signUp(two)).body.user,
				(await app.call("/sign-up/email", { body: { ...PERSON } })).body.user,
			];
		});

		afterAll(() => on.close());

		const PERSON = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

		async function addRows(count: number, expiresIn: number): Promise<void> {
			const { adapter } = await app.auth.$context;
			const now = new Date();
			const expiresAt = new Date(now.getTime() + expiresIn);
			const write = async (trx: Pick<typeof adapter, "create">) => {
				for (let n = 0; n < count; n += 1) {
					const user = users[n % users.length];
					const own = { tenantId: user?.tenantId ?? "", createdAt: now, updatedAt: now, expiresAt };
					const token = `${count} ${expiresIn} ${n}`;
					await trx.create({ model: "session", data: { ...own, userId: user?.id, token } });
					const value = "anything";
					await trx.create({ model: "verification", data: { ...own, identifier: token, value } });
				}
			};
			await runAcrossTenants(() => adapter.transaction(write));
		}

		const count = async (model: string) => {
			const { adapter } = await app.auth.$context;
			return runAcrossTenants(() => adapter.count({ model }));
		};

		it("deletes what has expired in every tenant and on the platform, and nothing else", async () => {
			const before = [await count("session"), await count("verification")];
			await addRows(300, -HOUR_MS);
			await addRows(30, HOUR_MS);
			expect(await cleanUp(app.auth)).toEqual({
				sessions: 300,
				verifications: 300,
				oauthTokens: 0,
				invitations: 0,
				links: 0,
				auditEvents: 0,
				signIns: 0,
				webhookDeliveries: 0,
			});
			expect([await count("session"), await count("verification")]).toEqual(
				before.map((rows) => rows + 30),
			);
			expect(await count("user")).toBe(users.length);
			expect(await cleanUp(app.auth)).toMatchObject({ sessions: 0, verifications: 0 });
		});
	});
});

describe("cleanUp", () => {
	it("deletes audit events that are past the retention", async () => {
		const { auth, db, makeTenant } = await makeInstance({
			tenants: { audit: { retentionDays: 30 } },
		});
		await makeTenant();
		const createdAt = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000).toISOString();
		await db.updateTable("tenantAuditEvent").set({ createdAt }).execute();
		expect((await cleanUp(auth)).auditEvents).toBe(1);
	});
});
