import { type BetterAuthOptions, betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import { adoptTenants, tenantImports } from "better-auth-tenant/imports";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { blocksIn, textOf } from "../../../../testing/pages";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openSqlite } from "../support/databases/databases";
import { openDrizzlePostgres } from "../support/databases/drizzle-databases";
import { eachDatabase } from "../support/databases/each-database";
import { explain } from "../support/databases/query-plan";
import { recordStatements } from "../support/databases/recorded-database";
import { PASSWORD } from "../support/worlds/instance";
import {
	type Guide,
	makeOwnTenants,
	runGuide,
	sessionAt,
	signUpOnPlatform,
} from "../support/worlds/own-tenants";
import { makePlainHost, runSql, schemaOf, spelling } from "../support/worlds/plain-host";

const ACME = { id: "customer-1", name: "Acme", slug: "acme" };
const GLOBEX = { id: "customer-2", name: "Globex", slug: "globex" };

interface Person {
	email: string;
	userId: string;
	cookie: string;
}

/** What must hold once everybody is in their tenant. */
async function expectMoved({ auth }: Guide, [ada, bob, cleo]: [Person, Person, Person]) {
	const signIn = (tenantId: string, { email }: Person) =>
		auth.api.signInEmailTenant({ body: { tenantId, email, password: PASSWORD } });
	const moved = [
		{ person: ada, tenantId: ACME.id },
		{ person: bob, tenantId: GLOBEX.id },
	];
	for (const { person, tenantId } of notEmpty(moved)) {
		const signedIn = await signIn(tenantId, person);
		expect(signedIn).toMatchObject({ user: { id: person.userId, tenantId } });
		expect(await sessionAt({ auth }, person.cookie)).toMatchObject({
			session: { tenantId, userId: person.userId },
			user: { customerId: tenantId },
		});
	}
	await expect(signIn(GLOBEX.id, ada)).rejects.toMatchObject({ status: "UNAUTHORIZED" });
	const onPlatform = { email: cleo.email, password: PASSWORD };
	expect((await auth.api.signInEmail({ body: onPlatform })).user.id).toBe(cleo.userId);
	expect((await sessionAt({ auth }, cleo.cookie))?.session).toMatchObject({ tenantId: null });
	const body = { tenantId: ACME.id, name: "New", email: cleo.email, password: PASSWORD };
	expect((await auth.api.signUpEmailTenant({ body })).user).toMatchObject({ customerId: ACME.id });
}

describe.each(eachDatabase)("docs/from-tenant-column.md on %s", (_, open) => {
	it("makes tenants of an own column, and everybody keeps password and session", async () => {
		const on = await open();
		try {
			const plain = await makeOwnTenants(on);
			const { quote } = spelling(on);
			const people: Person[] = [];
			for (const name of notEmpty(["ada", "bob", "cleo"])) {
				const email = `${name}@example.com`;
				people.push({ email, ...(await plain.signUp(email, PASSWORD)) });
			}
			const [ada, bob, cleo] = people as [Person, Person, Person];
			await plain.linkSocial(ada.userId, "google", "1234");
			const setOwn = (id: string, value: string) =>
				runSql(
					on,
					`update ${quote("user")} set ${quote("tenantId")} = '${value}' where id = '${id}'`,
				);
			await setOwn(ada.userId, ACME.id);
			await setOwn(bob.userId, GLOBEX.id);
			for (const { id, name, slug } of notEmpty([ACME, GLOBEX])) {
				await runSql(on, `insert into tenant values ('${id}', '${name}', '${slug}')`);
			}
			const readTenants = () => runSql(on, "select * from tenant order by id") as Promise<never[]>;
			const guide = await runGuide(on, readTenants);
			const before = await readAll(on);

			const planned = await guide.adopt(true);
			expect(await readAll(on)).toEqual(before);
			const done = await guide.adopt(false);
			expect(planned).toEqual({ ...done, isDryRun: true });
			expect(done).toEqual({
				isDryRun: false,
				tenants: [
					{ ...ACME, value: ACME.id, isNew: true, users: 1 },
					{ ...GLOBEX, value: GLOBEX.id, isNew: true, users: 1 },
				],
				rows: { user: 2, account: 3, session: 2 },
				staying: 1,
				conflicts: [],
			});
			await expectMoved(guide, [ada, bob, cleo]);
			expect(await runSql(on, "select * from tenant order by id")).toEqual([ACME, GLOBEX]);

			// Processes with the old code may have added a user meanwhile.
			const late = await signUpOnPlatform(guide, "late@example.com");
			await setOwn(late.userId, ACME.id);
			expect(await guide.adopt(false)).toMatchObject({
				tenants: [
					{ id: ACME.id, isNew: false, users: 1 },
					{ id: GLOBEX.id, isNew: false, users: 0 },
				],
				rows: { user: 1, account: 1, session: 1 },
			});
		} finally {
			await on.close();
		}
	});

	it("takes over who is disabled, and who has which role", async () => {
		const on = await open();
		onTestFinished(() => on.close());
		const text = { type: "string", required: false, input: false } as const;
		const date = { type: "date", required: false, input: false } as const;
		const fields = { tenantId: text, disabledAt: date, tenantRole: text };
		const plain = await makePlainHost(on, { user: { additionalFields: fields } });
		const { quote } = spelling(on);
		const setOwn = (id: string, column: string, value: string) =>
			runSql(on, `update ${quote("user")} set ${quote(column)} = '${value}' where id = '${id}'`);
		const ada = await plain.signUp("ada@example.com", PASSWORD);
		const bob = await plain.signUp("bob@example.com", PASSWORD);
		for (const { userId } of notEmpty([ada, bob])) await setOwn(userId, "tenantId", ACME.id);
		await setOwn(ada.userId, "tenantRole", "owner");
		await setOwn(bob.userId, "tenantRole", "a role of the app");
		const { adapter } = await plain.auth.$context;
		const where = [{ field: "id", value: bob.userId }];
		await adapter.update({ model: "user", where, update: { disabledAt: new Date() } });

		const named = (name: string) => ({ fieldName: name });
		const options = {
			...plain.auth.options,
			user: {
				additionalFields: {
					customerId: { ...text, ...named("tenantId") },
					ownDisabledAt: { ...date, ...named("disabledAt") },
					ownRole: { ...text, ...named("tenantRole") },
				},
			},
			plugins: [
				tenantAuth({
					schema: {
						user: {
							fields: {
								...{ tenantId: "authTenantId", disabledAt: "authDisabledAt" },
								tenantRole: "authTenantRole",
							},
						},
					},
				}),
				tenantImports(),
			],
		} satisfies BetterAuthOptions;
		await (await planUpgrade(options)).run();
		const auth = betterAuth(options);
		await adoptTenants(auth, { field: "customerId" });
		const signIn = (email: string) =>
			auth.api.signInEmailTenant({ body: { tenantId: ACME.id, email, password: PASSWORD } });
		// Nobody has copied it yet.
		expect(await signIn("bob@example.com")).toMatchObject({ user: { id: bob.userId } });
		const block = blocksIn(textOf("docs/from-tenant-column.md")).find(
			({ name }) => name === "other-columns.sql",
		);
		for (const statement of notEmpty(block?.text.trim().split("\n") ?? [])) {
			await runSql(on, statement.replaceAll('"', quote("").slice(0, 1)));
		}
		await expect(signIn("bob@example.com")).rejects.toMatchObject({
			body: { code: "USER_DISABLED" },
		});
		expect(await signIn("ada@example.com")).toMatchObject({ user: { tenantRole: "owner" } });
		const members = await auth.api.listTenantUsers({ query: { tenantId: ACME.id } });
		expect(members.map(({ id, tenantRole }) => [id, tenantRole ?? null])).toEqual(
			expect.arrayContaining([
				[ada.userId, "owner"],
				[bob.userId, null],
			]),
		);
	});
});

describe.skipIf(!services.postgres)(
	"docs/from-tenant-column.md under Drizzle on PostgreSQL",
	() => {
		it("makes tenants of an own column, and everybody keeps password and session", async () => {
			const on = await openDrizzlePostgres(String(services.postgres));
			try {
				const guide = await runGuide(on, async () => [ACME, GLOBEX]);
				const people: Person[] = [];
				for (const name of notEmpty(["ada", "bob", "cleo"])) {
					const email = `${name}@example.com`;
					people.push({ email, ...(await signUpOnPlatform(guide, email)) });
				}
				const [ada, bob, cleo] = people as [Person, Person, Person];
				const set = (id: string, value: string) =>
					runSql(on, `update "user" set tenant_id = '${value}' where id = '${id}'`);
				await set(ada.userId, ACME.id);
				await set(bob.userId, GLOBEX.id);
				expect(await guide.adopt(true)).toMatchObject({ rows: { user: 2 }, conflicts: [] });
				expect(await guide.adopt(false)).toMatchObject({ rows: { user: 2 }, staying: 1 });
				await expectMoved(guide, [ada, bob, cleo]);
			} finally {
				await on.close();
			}
		});
	},
);

/** Everything in the tables that a move touches. */
async function readAll(on: OpenDatabase) {
	const { quote } = spelling(on);
	const tables = ["user", "session", "account", "authTenant", "tenantAuditEvent"];
	const rows = await Promise.all(
		notEmpty(tables).map((table) => runSql(on, `select * from ${quote(table)} order by id`)),
	);
	return { rows, schema: await schemaOf(on) };
}

describe("adoptTenants", () => {
	async function withUsers(values: (string | null)[], run: (guide: Guide) => Promise<void>) {
		const on = await openSqlite();
		try {
			await makeOwnTenants(on);
			const guide = await runGuide(on, async () => []);
			for (const [at, value] of notEmpty(values).entries()) {
				const { userId } = await signUpOnPlatform(guide, `user-${at}@example.com`);
				if (value === null) continue;
				await runSql(on, `update "user" set "tenantId" = '${value}' where id = '${userId}'`);
			}
			await run(guide);
		} finally {
			await on.close();
		}
	}

	const codesOf = (conflicts: { code: string; value: string }[]) =>
		conflicts.map(({ code, value }) => [code, value]);

	it("makes a tenant of each value, by the name of the field or of its column", () =>
		withUsers(["acme", "Café & Co", "acme", "", null], async ({ auth }) => {
			const planned = await adoptTenants(auth, { field: "tenantId", dryRun: true });
			expect(planned.tenants).toEqual([
				expect.objectContaining({ value: "Café & Co", id: null, slug: "cafe-co" }),
				{ value: "acme", id: "acme", name: "acme", slug: "acme", isNew: true, users: 2 },
			]);
			const { tenants, staying } = await adoptTenants(auth, { field: "customerId" });
			expect(staying).toBe(2);
			const [other] = tenants;
			expect(other?.id).toMatch(/^\w{32}$/);
			// A second run finds the tenant, although the id is not the value.
			const again = await adoptTenants(auth, {
				field: "customerId",
				tenants: [{ id: "Café & Co" }],
			});
			expect(again.tenants).toEqual([{ ...other, isNew: false, users: 0 }]);
		}));

	it("finds the tenant of an earlier run, whatever slug it has now", () =>
		withUsers(["Café & Co", null], async ({ auth }) => {
			const adopt = (slug: string) =>
				adoptTenants(auth, { field: "customerId", tenants: [{ id: "Café & Co", slug }] });
			const [first] = (await adopt("cafe")).tenants;
			const tenantId = String(first?.id);
			expect((await adopt("changed-in-your-table")).tenants).toEqual([
				{ ...first, isNew: false, users: 0 },
			]);
			await auth.api.updateTenant({ body: { tenantId, slug: "renamed" } });
			expect((await adopt("cafe")).tenants).toEqual([
				{ ...first, slug: "renamed", isNew: false, users: 0 },
			]);
			// One that was deleted is made again.
			await auth.api.deleteTenant({ body: { tenantId } });
			const [made] = (await adopt("cafe-2")).tenants;
			expect(made).toMatchObject({ slug: "cafe-2", isNew: true });
			expect(made?.id).not.toBe(tenantId);
		}));

	it("lists what is wrong with the tenants, and changes nothing", () =>
		withUsers(["a1", "b2"], async ({ auth }) => {
			const tenants = [
				{ id: "a1", slug: "admin" },
				{ id: "A1", slug: "other" },
				{ id: "c3", name: " ", slug: "c3" },
				{ id: "d4", slug: "other" },
				{ id: "", slug: "empty" },
			];
			const planned = await adoptTenants(auth, { field: "customerId", tenants, dryRun: true });
			expect(codesOf(planned.conflicts)).toEqual([
				["INVALID_TENANT", "a1"],
				["INVALID_TENANT", "A1"],
				["INVALID_TENANT", "c3"],
				["SLUG_TAKEN", "d4"],
				["INVALID_TENANT", ""],
				["INVALID_TENANT", ""],
				["UNKNOWN_TENANT", "b2"],
			]);
			const run = adoptTenants(auth, { field: "customerId", tenants });
			await expect(run).rejects.toMatchObject({ body: { code: "MOVE_REFUSED" } });
			expect(await auth.api.listTenants({ query: {} })).toEqual([]);
		}));

	it("changes nothing if a slug belongs to another tenant, or a user cannot move", () =>
		withUsers(["acme", "globex"], async ({ auth }) => {
			const { id } = await auth.api.createTenant({ body: { name: "Other", slug: "acme" } });
			const slug = await adoptTenants(auth, { field: "customerId", dryRun: true });
			expect(codesOf(slug.conflicts)).toEqual([["SLUG_TAKEN", "acme"]]);
			await auth.api.createTenant({ body: { id: "globex", name: "Globex", slug: "globex" } });
			const body = { tenantId: "globex", name: "Twin", email: "user-1@example.com" };
			await auth.api.signUpEmailTenant({ body: { ...body, password: PASSWORD } });
			const tenants = [{ id: "acme", slug: "acme-2" }, { id: "globex" }];
			const run = adoptTenants(auth, { field: "customerId", tenants });
			await expect(run).rejects.toMatchObject({
				body: { conflicts: [expect.objectContaining({ code: "EMAIL_TAKEN", value: "globex" })] },
			});
			const left = await auth.api.listTenants({ query: {} });
			expect(left.map((tenant) => tenant.id).sort()).toEqual([id, "globex"].sort());
		}));

	it("looks at the users of a batch, not at all of the platform", async () => {
		const on = recordStatements({ type: "sqlite" });
		onTestFinished(() => on.db.destroy());
		const database: OpenDatabase = { ...on, close: () => on.db.destroy() };
		await makeOwnTenants(database);
		const { auth } = await runGuide(database, async () => []);
		await runSql(
			database,
			`with recursive list(n) as (select 1 union all select n + 1 from list where n < 50)
			insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", "tenantId")
			select 'user-' || n, 'User', n || '@example.com', 1, '2026-01-01', '2026-01-01', 'acme' from list`,
		);
		on.statements.length = 0;
		const timer = vi.fn();
		const handle = setTimeout(timer, 0);
		onTestFinished(() => clearTimeout(handle));
		expect(await adoptTenants(auth, { field: "customerId" })).toMatchObject({ rows: { user: 50 } });
		// Others run meanwhile, although the driver never waits.
		expect(timer).toHaveBeenCalled();
		const ofUsers = [...on.statements].filter(({ sql }) =>
			/^(update "user"|select .* from "(user|account|session)") .*\bin \(\?,/.test(sql),
		);
		for (const statement of notEmpty(ofUsers)) {
			const plan = await explain(on.db, "sqlite", statement);
			if (statement.sql.includes('"email" in')) continue;
			expect(
				plan?.indexes.filter((name) => /tenantId/i.test(name)),
				statement.sql,
			).toEqual([]);
		}
		const events = on.statements.filter(({ sql }) => sql.startsWith("insert into"));
		// A tenant, and an event for it and for each user. Nothing else is for each user.
		expect(events).toHaveLength(52);
		expect(on.statements.length - events.length).toBeLessThan(50);
	});

	it("leaves nobody on the platform because of a value that it cannot use", () =>
		withUsers(["acme"], async ({ auth }) => {
			const { tables } = await auth.$context;
			const field = tables.user?.fields.customerId;
			expect(field).toBeDefined();
			Object.assign(field ?? {}, { transform: { output: (id: string) => ({ id }) } });
			const run = adoptTenants(auth, { field: "customerId", dryRun: true });
			await expect(run).rejects.toThrow("neither texts nor numbers");
		}));

	it("takes no column that users can write themselves", () =>
		withUsers(["acme"], async ({ auth }) => {
			const { tables } = await auth.$context;
			Object.assign(tables.user?.fields.customerId ?? {}, { input: true });
			const run = adoptTenants(auth, { field: "customerId", dryRun: true });
			await expect(run).rejects.toThrow("customerId: { …, input: false }");
		}));

	it("says how to declare the column", () =>
		withUsers([null], async ({ auth }) => {
			await expect(adoptTenants(auth, { field: "company" })).rejects.toThrow(
				'customerId: { type: "string", required: false, input: false, fieldName: "company" }',
			);
		}));
});
