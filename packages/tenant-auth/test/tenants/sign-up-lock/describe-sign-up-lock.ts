import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../support/databases/databases";
import { untilWaiting } from "../../support/databases/lock-waits";
import { makeGate } from "../../support/processes/gate";
import {
	type Answer,
	type Instance,
	type InstanceOptions,
	makeInstance,
} from "../../support/worlds/instance";

/** As many as a pool of the tests has connections. */
const CONNECTIONS = 4;

/** Sign-ups share a lock of the tenant's row. Who changes the row waits for them, and they for that. */
export function describeSignUpLock(
	name: string,
	open: (() => Promise<OpenDatabase>) | null,
	settings: (on: OpenDatabase) => InstanceOptions = (on) => ({ on }),
) {
	describe.skipIf(!open)(`sign-ups in one tenant on ${name}`, () => {
		let on: OpenDatabase;
		let instance: Instance;
		/** Runs in the transaction of a sign-up, after its user was inserted. */
		let hold: (email: string) => Promise<void>;
		const emails = new Map<string, string>();

		beforeAll(async () => {
			if (!open) return;
			on = await open();
			instance = await makeInstance({
				...settings(on),
				databaseHooks: {
					user: {
						create: {
							before: async (user) => {
								const id = crypto.randomUUID();
								emails.set(id, String(user.email));
								return { data: { ...user, id } };
							},
						},
					},
					account: {
						create: { before: async ({ userId }) => hold(emails.get(String(userId)) ?? "") },
					},
				},
			});
		});
		afterAll(() => on?.close());
		beforeEach(() => {
			hold = async () => {};
		});

		const rowsOf = (table: string, tenantId: string) =>
			on.db.selectFrom(table).where("tenantId", "=", tenantId).selectAll().execute();

		const untilWait = (transactions: number) => untilWaiting(on.db, on.type, transactions);

		/** A sign-up whose transaction is open until `end` is called. */
		async function beginSignUp(tenantId: string) {
			const [begun, ended] = [makeGate(), makeGate()];
			hold = async (email) => {
				if (email !== "early@example.com") return;
				begun.open();
				await ended.opened;
			};
			const answer = instance.signUp(tenantId, "early@example.com");
			await begun.opened;
			return { answer, end: ended.open };
		}

		it("run side by side", async () => {
			const tenantId = await instance.makeTenant();
			let inside = 0;
			let gate = makeGate();
			// Each waits here in its transaction, until there are as many as there are connections.
			hold = async () => {
				const { open, opened } = gate;
				inside += 1;
				if (inside % CONNECTIONS === 0) {
					gate = makeGate();
					open();
				}
				await opened;
			};
			const people = Array.from({ length: 60 }, (_, n) => `user${n}@example.com`);
			const answers = await Promise.all(people.map((email) => instance.signUp(tenantId, email)));
			expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
			expect(inside).toBe(people.length);
		});

		it.each<[string, number, string]>([
			["suspend", 403, "TENANT_SUSPENDED"],
			["delete", 404, "TENANT_NOT_FOUND"],
		])(
			"that run are waited for by /tenant/%s, and later ones get %i",
			async (action, status, code) => {
				const tenantId = await instance.makeTenant();
				const early = await beginSignUp(tenantId);
				const closing = instance.manage(`/tenant/${action}`, { body: { tenantId } });
				await untilWait(1);
				// It passes the gate, because nothing has changed yet. It does not pass those who wait.
				const late = instance.signUp(tenantId, "late@example.com");
				await untilWait(2);
				early.end();
				expect((await early.answer).status).toBe(200);
				expect((await closing).status).toBe(200);
				expect(refusal(await late)).toEqual([status, code]);
				expect(refusal(await instance.signUp(tenantId, "after@example.com"))).toEqual([
					status,
					code,
				]);
				const kept = action === "suspend" ? ["early@example.com"] : [];
				const users = await rowsOf("user", tenantId);
				expect(users.map(({ email }) => email)).toEqual(kept);
				expect(await rowsOf("account", tenantId)).toHaveLength(kept.length);
				expect(await rowsOf("session", tenantId)).toHaveLength(kept.length);
			},
		);

		it("collide with no change of the tenant", async () => {
			const tenantId = await instance.makeTenant();
			const makeOwner = async (email: string) => {
				const { body } = await instance.signUp(tenantId, email);
				const change = { tenantId, userId: body.user.id, role: "owner" };
				expect((await instance.manage("/tenant/user/update", { body: change })).status).toBe(200);
				return body.user.id as string;
			};
			await makeOwner("first@example.com");
			const userId = await makeOwner("second@example.com");
			const calls = Array.from({ length: 30 }, (_, n) => {
				if (n % 3 === 0) return instance.signUp(tenantId, `user${n}@example.com`);
				if (n % 3 === 1) {
					return instance.manage("/tenant/update", { body: { tenantId, name: `Acme ${n}` } });
				}
				const role = n % 2 === 0 ? "member" : "owner";
				return instance.manage("/tenant/user/update", { body: { tenantId, userId, role } });
			});
			const answers = await Promise.all(calls);
			expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
		});
	});
}

const refusal = ({ status, body }: Answer) => [status, body.code];
