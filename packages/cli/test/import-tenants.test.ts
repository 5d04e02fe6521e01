import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { organization } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeInstance } from "../../tenant-auth/test/support/worlds/instance";
import { makeCommandFolder } from "./support/command-folder";

let app: ReturnType<typeof makeCommandFolder>;
let count = 0;
let acme = "";

beforeAll(async () => {
	app = makeCommandFolder();
	await app.onFile("template.db", async (on) => {
		const { makeTenant, manage } = await makeInstance({ on, plugins: [organization()] });
		acme = await makeTenant("acme");
		await makeTenant("beta");
		const tenantId = await makeTenant("closed");
		await manage("/tenant/suspend", { body: { tenantId } });
	});
});
afterAll(() => app.remove());

function newDatabase(): string {
	count += 1;
	copyFileSync(join(app.folder, "template.db"), join(app.folder, `${count}.db`));
	return `${count}.db`;
}

const write = (name: string, lines: readonly object[]) => {
	const text = lines.map((line) => JSON.stringify(line)).join("\n");
	writeFileSync(join(app.folder, name), `${text}\n`);
	return name;
};

const person = (tenant: unknown, name: string) => ({
	...(tenant === undefined ? {} : { tenant }),
	externalId: name,
	email: `${name}@example.com`,
});

/** The slug of each user's tenant. */
const usersIn = (database: string) =>
	app.onFile(database, async ({ db }) => {
		const rows = await db
			.selectFrom("user")
			.innerJoin("tenant", "tenant.id", "user.tenantId")
			.select(["user.email", "tenant.slug"])
			.orderBy("user.email")
			.orderBy("tenant.slug")
			.execute();
		return rows.map(({ email, slug }) => `${String(email).split("@")[0]} in ${slug}`);
	});

const reportIn = (name: string) =>
	readFileSync(join(app.folder, name), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

const args = (file: string, ...more: string[]) => [
	...["import", file, "--tenant-from", "tenant", "--yes"],
	...more,
];

describe("a file of many tenants", () => {
	it("imports each record into its tenant, by slug or id, and says so for each", async () => {
		const database = newDatabase();
		const file = write("many.ndjson", [
			person("acme", "ada"),
			person("beta", "ada"),
			person(acme, "bob"),
			person("beta", "eve"),
		]);
		const first = await app.run(args(file), database);
		expect(first).toMatchObject({ status: 0 });
		expect(first.stdout).toContain("4 created, 0 updated");
		expect(first.stdout).toContain("  acme: 2 created\n  beta: 2 created\n");
		expect(await usersIn(database)).toEqual([
			...["ada in acme", "ada in beta", "bob in acme", "eve in beta"],
		]);
		const again = await app.run(args(file, "--json"), database);
		expect(JSON.parse(again.stdout)).toMatchObject({
			created: 0,
			unchanged: 4,
			tenants: [
				{ tenant: "acme", tenantId: acme, unchanged: 2 },
				{ tenant: "beta", unchanged: 2 },
			],
		});
	});

	it("fails records without a usable tenant, with their lines, and imports the others", async () => {
		const database = newDatabase();
		const file = write("some.ndjson", [
			person("acme", "ada"),
			person("gone", "bob"),
			person(undefined, "carl"),
			person("closed", "dora"),
			person("beta", "eve"),
		]);
		const run = await app.run(args(file, "--report", "some-report.ndjson"), database);
		expect(run.status).toBe(1);
		expect(run.stderr).toContain('some.ndjson line 2: TENANT_NOT_FOUND: There is no tenant "gone"');
		expect(run.stderr).toContain("some.ndjson line 3: NO_TENANT: The record has no tenant");
		expect(run.stderr).toContain("some.ndjson line 4: TENANT_SUSPENDED: ");
		expect(run.stdout).toContain("  gone (TENANT_NOT_FOUND): 1 failed\n");
		expect(run.stdout).toContain("  closed (TENANT_SUSPENDED): 1 failed\n");
		expect(await usersIn(database)).toEqual(["ada in acme", "eve in beta"]);
		const failed = reportIn("some-report.ndjson").filter(({ status }) => status === "failed");
		expect(failed.map(({ line }) => line).sort()).toEqual([2, 3, 4]);
		// Only what failed is tried again.
		const more = ["--report", "some-report.ndjson", "--resume", "--create-tenant", "--json"];
		const resumed = JSON.parse((await app.run(args(file, ...more), database)).stdout);
		expect(resumed).toMatchObject({ created: 1, failed: 2, resumed: 2 });
		expect(await usersIn(database)).toContain("bob in gone");
	});

	it("creates tenants only with --create-tenant, and none in a dry run", async () => {
		const database = newDatabase();
		const file = write("new.ndjson", [
			person("gamma", "ada"),
			person("gamma", "ada"),
			person("Not a slug", "bob"),
		]);
		const dry = await app.run(args(file, "--create-tenant", "--dry-run"), database);
		expect(dry.stdout).toContain("  gamma (would be created): 1 created, 1 updated\n");
		expect(dry.stderr).toContain("new.ndjson line 3: INVALID_SLUG: ");
		expect(await usersIn(database)).toEqual([]);
		const real = await app.run(args(file, "--create-tenant"), database);
		expect(real.status).toBe(1);
		expect(real.stderr).toMatch(/new\.ndjson line 3: INVALID_SLUG: /);
		expect(await usersIn(database)).toEqual(["ada in gamma"]);
	});

	it("finds what two records of one tenant want in a dry run, and not across tenants", async () => {
		const database = newDatabase();
		const file = write("same.ndjson", [
			person("acme", "ada"),
			person("beta", "ada"),
			{ ...person("beta", "ada"), externalId: "other" },
		]);
		const dry = await app.run(args(file, "--dry-run", "--json"), database);
		expect(JSON.parse(dry.stdout)).toMatchObject({ created: 2, failed: 1 });
		expect(await usersIn(database)).toEqual([]);
	});

	it("reads the tenant from a column of CSV, and from inside of a record", async () => {
		const database = newDatabase();
		writeFileSync(
			join(app.folder, "many.csv"),
			"externalId,email,Customer\n1,ada@example.com,acme\n2,bob@example.com,beta\n",
		);
		const csv = ["import", "many.csv", "--tenant-from", "Customer", "--yes", "--json"];
		expect(JSON.parse((await app.run(csv, database)).stdout)).toMatchObject({
			created: 2,
			notImported: {},
		});
		const user = { user_id: "auth0|1", email: "eve@example.com", email_verified: true };
		const file = write("auth0-many.ndjson", [{ ...user, app_metadata: { org: "beta" } }]);
		const nested = ["import", file, "--tenant-from", "app_metadata.org", "--yes"];
		expect(await app.run(nested, database)).toMatchObject({ status: 0 });
		expect(await usersIn(database)).toEqual(["ada in acme", "bob in beta", "eve in beta"]);
	});

	it.each([
		[["--tenant", "acme", "--tenant-from", "tenant"], "exclude each other"],
		[["--tenant-from", "tenant", "--name", "Acme"], "--name is for one tenant"],
		[["--tenant", "acme", "--metadata", "about"], "--metadata is for auth0, clerk"],
	])("refuses %j", async (flags, message) => {
		const file = write("refused.ndjson", [person("acme", "ada")]);
		expect(await app.run(["import", file, ...flags], "template.db")).toMatchObject({
			status: 2,
			stderr: expect.stringContaining(message),
		});
	});
});
