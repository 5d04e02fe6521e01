import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { explain, type Statement } from "../support/databases/query-plan";
import { type RecordedDatabase, recordStatements } from "../support/databases/recorded-database";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { type ChooserApp, makeChooserApp } from "../support/worlds/chooser";
import { readSession } from "../support/worlds/social-app";

const gitlab = useIdentityProvider("gitlab");

describe.each(eachDatabase)("the chooser on %s", (_, open) => {
	let opened: OpenDatabase;
	let database: RecordedDatabase;
	let app: ChooserApp;

	beforeAll(async () => {
		opened = await open();
		database = recordStatements(opened);
		app = await makeChooserApp(gitlab, { on: database });
	});

	afterAll(async () => {
		if (opened.type === "sqlite") await database.db.destroy();
		await opened.close();
	});

	it("lets one of several simultaneous choices win", async () => {
		const person = app.newPerson();
		const ids = await app.makeTenantsOf(person, 3);
		const { browser, token } = await app.toChooser(person);
		const responses = await Promise.all(ids.map((id) => app.choose(browser, token, id)));
		const statuses = responses.map(({ status }) => status).sort();
		expect(statuses).toEqual([200, 404, 404]);
	});

	it("lets simultaneous first sign-ins of one person end as one user", async () => {
		const person = app.newPerson({
			email: `ada@${Math.random().toString(36).slice(2)}.example.com`,
		});
		const tenantId = await app.makeTenant();
		await app.addDomain(tenantId, person.email.slice(4), "email");
		const visits = await Promise.all([app.signIn(person), app.signIn(person)]);
		const sessions = await Promise.all(visits.map(({ browser }) => readSession(browser)));
		const userIds = new Set(sessions.map((session) => session?.user.id));
		expect([...userIds]).toEqual([expect.any(String)]);
	});

	it("finds tenants by indexes, however many users there are", async () => {
		const person = app.newPerson();
		const ids = await app.makeTenantsOf(person, 2);
		await app.link(ids[0] ?? "", person);
		await addCrowd();
		const { browser, token } = await app.toChooser(person);
		database.statements.length = 0;
		await app.list(browser, token);
		const asked: Statement[] = [...database.statements];
		const plans: { sql: string; scans: string[]; indexes: string[] }[] = [];
		for (const statement of asked) {
			const plan = await explain(database.db, database.type, statement);
			if (plan) plans.push({ sql: statement.sql, ...plan });
		}
		const crossing = plans.filter(({ sql }) => /from ["`](user|account)["`]/.test(sql));
		expect(crossing.length).toBeGreaterThan(1);
		for (const { sql, scans, indexes } of notEmpty(crossing)) {
			expect([sql, scans, indexes]).toEqual([sql, [], [expect.anything()]]);
		}
	});

	/** So that the database has a reason to use an index. */
	async function addCrowd(): Promise<void> {
		const tenantId = await app.makeTenant();
		const user = await app.db.selectFrom("user").selectAll().limit(1).executeTakeFirstOrThrow();
		const account = await app.db
			.selectFrom("account")
			.selectAll()
			.limit(1)
			.executeTakeFirstOrThrow();
		for (let batch = 0; batch < 10; batch += 1) {
			const ids = Array.from({ length: 300 }, (_, n) => `crowd-${batch}-${n}`);
			const users = ids.map((id) => ({ ...user, id, tenantId, email: `${id}@example.com` }));
			await app.db.insertInto("user").values(users).execute();
			const accounts = ids.map((id) => ({ ...account, id, tenantId, userId: id, accountId: id }));
			await app.db.insertInto("account").values(accounts).execute();
		}
		if (opened.type === "postgres") {
			const { sql } = await import("kysely");
			await sql`analyze`.execute(app.db);
		}
	}
});
