import { sql } from "kysely";
import type { Pool } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openMysql } from "../support/databases/databases";
import { untilWaiting } from "../support/databases/lock-waits";
import { makeInstance } from "../support/worlds/instance";
import { type InvitingApp, makeInvitingApp } from "../support/worlds/invitations";

const { mysql } = services;
const BOB = "bob@corp.com";

type Query = (sql: string, values: unknown, done: (error: unknown) => void) => void;

/**
 * Lets one statement lose a deadlock, as InnoDB does it: the transaction is rolled back, and the connection
 * goes on without one.
 */
function makeDeadlocks(pool: Pool) {
	let lost: { start: string; winner: () => Promise<unknown> } | null = null;
	// Kysely speaks to the pool of callbacks that is inside.
	const { pool: inner } = pool as unknown as { pool: NodeJS.EventEmitter };
	inner.on("connection", (connection: { query: Query }) => {
		const query = connection.query.bind(connection);
		connection.query = (sql, values, done) => {
			if (!lost || !sql.startsWith(lost.start)) return query(sql, values, done);
			const { winner } = lost;
			lost = null;
			const error = { code: "ER_LOCK_DEADLOCK", errno: 1213 };
			query("rollback", [], () => {
				winner().finally(() => done(Object.assign(new Error("Deadlock found"), error)));
			});
		};
	});
	return {
		/** @param winner runs after the rollback */
		loseAt(start: string, winner: () => Promise<unknown> = async () => {}) {
			lost = { start, winner };
		},
		hasLost: () => lost === null,
	};
}

describe.skipIf(!mysql)("a transaction that loses a deadlock on MariaDB", () => {
	let on: OpenDatabase;
	let app: InvitingApp;
	let deadlocks: ReturnType<typeof makeDeadlocks>;

	beforeAll(async () => {
		if (!mysql) return;
		on = await openMysql(mysql);
		deadlocks = makeDeadlocks(on.pool as Pool);
		app = await makeInvitingApp({ on });
	});
	afterAll(() => on?.close());

	it("does not open an invitation again that the winner has used", async () => {
		const tenantId = await app.makeTenant();
		const { token } = await app.invite(tenantId, { email: BOB });
		const headers = { "x-invitation-token": token };
		const signUp = () => app.signUpWith(tenantId, BOB, { headers });
		const winners: number[] = [];
		deadlocks.loseAt("insert into `user`", async () => {
			winners.push((await signUp()).status);
		});
		const { status, body } = await signUp();
		expect([status, body.code]).toEqual([409, "WRITE_CONFLICT"]);
		expect(winners).toEqual([200]);
		expect(await app.list(tenantId)).toMatchObject([{ status: "accepted" }]);
	});

	it.each(["insert into `account`", "insert into `session`", "insert into `user`"])(
		"says so, and leaves nothing: %s",
		async (start) => {
			const tenantId = await app.makeTenant();
			deadlocks.loseAt(start);
			const { status, body } = await app.signUp(tenantId);
			expect(deadlocks.hasLost()).toBe(true);
			expect([status, body.code]).toEqual([409, "WRITE_CONFLICT"]);
			for (const table of ["user", "account", "session"]) {
				const rows = on.db.selectFrom(table).where("tenantId", "=", tenantId).selectAll();
				expect(await rows.execute()).toEqual([]);
			}
			expect((await app.signUp(tenantId)).status).toBe(200);
		},
	);
});

describe.skipIf(!mysql)("a write outside of a transaction that loses a deadlock on MariaDB", () => {
	let on: OpenDatabase;
	beforeAll(async () => {
		if (mysql) on = await openMysql(mysql);
	});
	afterAll(() => on?.close());

	const deadlocks = sql<{ count: number }>`
		select variable_value + 0 as count from information_schema.global_status
		where variable_name = 'Innodb_deadlocks'`;
	const countDeadlocks = async () => Number((await deadlocks.execute(on.db)).rows[0]?.count);

	it("is repeated: core's cleanup of verification values, while others delete some", async () => {
		const { auth } = await makeInstance({ on });
		const { adapter, internalAdapter: values } = await auth.$context;
		const makeExpired = async (identifier: string, seconds: number) => {
			const expiresAt = new Date(Date.now() - seconds * 1000);
			const row = { identifier, value: "value", expiresAt };
			return (await values.createVerificationValue(row)).id;
		};
		const ids = [await makeExpired("first", 20), await makeExpired("second", 10)];
		// Of two, the one that has changed fewer rows loses.
		const others = await Promise.all(Array.from({ length: 9 }, (_, n) => makeExpired(`${n}`, -60)));
		const deleteRow = (transaction: typeof on.db, id: string | undefined) =>
			transaction.deleteFrom("verification").where("id", "=", id).execute();
		const before = await countDeadlocks();
		let cleanup: Promise<unknown> = Promise.resolve();
		await on.db.transaction().execute(async (transaction) => {
			for (const id of [...others, ids[1]]) await deleteRow(transaction, id);
			const where = [{ field: "expiresAt", operator: "lt" as const, value: new Date() }];
			cleanup = adapter.deleteMany({ model: "verification", where });
			await untilWaiting(on.db, on.type, 1);
			await deleteRow(transaction, ids[0]);
		});
		expect(await cleanup).toBe(0);
		// Other suites may have some too.
		expect(await countDeadlocks()).toBeGreaterThan(before);
	});
});
