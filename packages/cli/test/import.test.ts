import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { organization } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { textOf } from "../../../testing/pages";
import { makeInstance } from "../../tenant-auth/test/support/worlds/instance";
import { makeCommandFolder } from "./support/command-folder";

const docs = ["from-organizations", "import", "import-formats"]
	.map((name) => textOf(`docs/${name}.md`))
	.join("\n");

/** The arguments of all commands of the pages about imports. */
const documented = [...docs.matchAll(/^npx better-auth-tenant (.*)$/gm)].map(([, line = ""]) =>
	line.split(" "),
);

/** The documented command that imports a file. */
function commandFor(file: string): string[] {
	const found = documented.find((args) => args.includes(file) && !args.includes("--dry-run"));
	if (!found) throw new Error(`No page imports ${file}`);
	return found;
}

const PASSWORD = "user1password";

let app: ReturnType<typeof makeCommandFolder>;
let count = 0;

beforeAll(async () => {
	app = makeCommandFolder();
	await app.onFile("template.db", async (on) => {
		const { makeTenant } = await makeInstance({ on, plugins: [organization()] });
		await makeTenant("acme");
	});
	for (const name of [
		..."users.ndjson users.csv auth0.ndjson auth0-passwords.ndjson clerk.csv clerk.json".split(" "),
		..."firebase.json firebase.csv keycloak-realm.json".split(" "),
	]) {
		app.copyFixture(name);
	}
});
afterAll(() => app.remove());

/** A new database with the tenant `acme`. */
function newDatabase(): string {
	count += 1;
	copyFileSync(join(app.folder, "template.db"), join(app.folder, `${count}.db`));
	return `${count}.db`;
}

const write = (name: string, content: string | Uint8Array) => {
	writeFileSync(join(app.folder, name), content);
	return name;
};

const usersIn = (database: string) =>
	app.onFile(database, ({ db }) => db.selectFrom("user").selectAll().orderBy("email").execute());

const reportIn = (name: string) =>
	readFileSync(join(app.folder, name), "utf8")
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));

/** The statuses of signing in, with the right password and a wrong one. */
async function signIns(database: string, email: string): Promise<number[]> {
	const { passwordHashes } = await import(join(app.folder, "hashes.mjs"));
	return app.onFile(database, async (on) => {
		const { manage, signIn } = await makeInstance({ on, imports: { passwordHashes } });
		const { body } = await manage("/tenant/get", { query: { slug: "acme" } });
		const wrong = await signIn(body.id, { email, password: "wrong password" });
		const right = await signIn(body.id, { email, password: PASSWORD });
		const again = await signIn(body.id, { email, password: PASSWORD });
		return [right.status, again.status, wrong.status];
	});
}

describe("better-auth-tenant import", () => {
	it.each([
		["users.ndjson", { created: 2, failed: 0, notImported: {} }, ["ada"]],
		["users.csv", { created: 2, failed: 0, notImported: { team: 1 } }, ["ada"]],
		[
			"auth0.ndjson",
			{
				created: 2,
				failed: 1,
				notImported: { user_metadata: 1, multifactor: 1, "identities: samlp": 1 },
			},
			["ada"],
		],
		[
			"clerk.csv",
			{
				created: 2,
				failed: 0,
				notImported: {
					totp_secret: 1,
					"email_addresses: more than one": 1,
					username: 1,
					primary_phone_number: 1,
					verified_phone_numbers: 1,
				},
			},
			["ada"],
		],
		[
			"firebase.json",
			{
				created: 2,
				failed: 1,
				notImported: { lastSignedInAt: 1, phoneNumber: 1, customAttributes: 1 },
			},
			["ada"],
		],
		[
			"keycloak-realm.json",
			{
				created: 3,
				skipped: 1,
				failed: 0,
				notImported: { realmRoles: 3, username: 3, "credentials: otp": 1 },
			},
			["ada", "eve"],
		],
	])(
		"imports %s by the command of the documentation, and its users sign in",
		async (file, summary, names) => {
			const database = newDatabase();
			const args = [...commandFor(file), "--yes", "--json"];
			const { status, stdout, stderr } = await app.run(args, database);
			expect({
				stderr: stderr.replaceAll(/^\d+\/\d+ users\n/gm, ""),
				...JSON.parse(stdout),
			}).toMatchObject({
				stderr: "",
				...summary,
			});
			expect(status).toBe(summary.failed > 0 ? 1 : 0);
			for (const name of notEmpty(names)) {
				expect(await signIns(database, `${name}@example.com`)).toEqual([200, 200, 401]);
			}
			// Again, everything is there already.
			const again = JSON.parse((await app.run(args, database)).stdout);
			expect(again).toMatchObject({ created: 0, updated: 0, unchanged: summary.created });
		},
	);

	it("knows the commands of the documentation", () => {
		const files = documented.flatMap((args) =>
			args.filter((arg) => /\.(ndjson|csv|json)$/.test(arg)),
		);
		expect(new Set(files)).toEqual(
			new Set([
				..."users.ndjson report.ndjson users.csv auth0.ndjson auth0-passwords.ndjson".split(" "),
				..."clerk.csv firebase.json keycloak-realm.json".split(" "),
			]),
		);
	});

	it("changes nothing in a dry run, which finds what records of the file both want", async () => {
		const database = newDatabase();
		const lines = Array.from({ length: 150 }, (_, index) => ({
			externalId: `${index}`,
			email: `user-${index % 149}@example.com`,
		}));
		const file = write("twice.ndjson", lines.map((line) => JSON.stringify(line)).join("\n"));
		const args = ["import", file, "--tenant", "acme", "--json", "--report", "dry.ndjson"];
		const dry = await app.run([...args, "--dry-run"], database);
		expect(await usersIn(database)).toEqual([]);
		expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, created: 149, failed: 1 });
		expect(reportIn("dry.ndjson").at(-1)).toMatchObject({
			line: 150,
			status: "failed",
			code: "EMAIL_TAKEN",
			dryRun: true,
		});
		// The report of a dry run does not count as done.
		const real = await app.run([...args, "--resume", "--yes"], database);
		expect(JSON.parse(real.stdout)).toMatchObject({ created: 149, failed: 1, resumed: 0 });
	});

	it("creates the tenant, and a dry run only says so", async () => {
		const database = newDatabase();
		const args = ["import", "users.ndjson", "--tenant", "beta", "--json"];
		const refused = await app.run([...args, "--yes"], database);
		expect(refused).toMatchObject({
			status: 1,
			stderr: expect.stringContaining("--create-tenant"),
		});
		const create = [...args, "--create-tenant", "--name", "Beta"];
		const dry = JSON.parse((await app.run([...create, "--dry-run"], database)).stdout);
		expect(dry).toMatchObject({ tenantId: null, created: 2 });
		const tenants = () =>
			app.onFile(database, ({ db }) => db.selectFrom("tenant").selectAll().execute());
		expect(await tenants()).toHaveLength(1);
		expect(JSON.parse((await app.run([...create, "--yes"], database)).stdout)).toMatchObject({
			created: 2,
		});
		expect((await tenants()).map(({ name }) => name)).toEqual(["acme", "Beta"]);
	});

	it("says which hashes the app cannot verify, and writes nothing", async () => {
		const database = newDatabase();
		const args = ["import", "keycloak-realm.json", "--tenant", "acme", "--yes"];
		const refused = await app.run(args, database, { HASHES: "none" });
		expect(refused.status).toBe(1);
		expect(refused.stderr).toContain("keycloak-pbkdf2: 2, first in keycloak-realm.json line ");
		expect(refused.stderr).toContain('"keycloak-pbkdf2": keycloakPbkdf2,');
		expect(await usersIn(database)).toEqual([]);
		const without = await app.run([...args, "--skip-passwords", "--json"], database, {
			HASHES: "none",
		});
		expect(JSON.parse(without.stdout)).toMatchObject({
			created: 3,
			notImported: { "password: --skip-passwords": 3 },
		});
	});

	it("reads compressed files, and a folder of Keycloak's in order", async () => {
		const database = newDatabase();
		write("users.json.gz", gzipSync(readFileSync(join(app.folder, "users.ndjson"))));
		const gzip = await app.run(
			["import", "users.json.gz", "--tenant", "acme", "--yes", "--json"],
			database,
		);
		expect(JSON.parse(gzip.stdout)).toMatchObject({ created: 2 });
		mkdirSync(join(app.folder, "export"));
		for (const index of [0, 2, 10]) {
			const users = [
				{
					id: `kc-${index}`,
					username: `kc${index}`,
					email: `kc${index}@example.com`,
					enabled: true,
				},
			];
			write(`export/acme-users-${index}.json`, JSON.stringify({ realm: "acme", users }));
		}
		write("export/acme-realm.json", "{}");
		const args = ["import", "export", "--tenant", "acme", "--yes", "--report", "folder.ndjson"];
		expect((await app.run(args, database)).status).toBe(0);
		expect(reportIn("folder.ndjson").map(({ externalId }) => externalId)).toEqual([
			"kc-0",
			"kc-2",
			"kc-10",
		]);
	});

	it.each([
		[
			"cut.json",
			'{"users": [{"localId": "1", "email": "a@example.com"}, {"loc',
			"ends in the middle",
		],
		["cut.ndjson", '{"externalId":"1","email":"a@example.com"}\n{"ext', "line 2: this is not JSON"],
		[
			"latin1.csv",
			Buffer.from("externalId,email,name\n1,a@example.com,Zoë\n", "latin1"),
			"is not UTF-8",
		],
		["cut.json.gz", gzipSync("x".repeat(1000)).subarray(0, 20), "compressed data"],
		[
			"huge.ndjson",
			`{"externalId":"1","email":"a@example.com"}\n{"externalId":"${"x".repeat(2 ** 21)}"}`,
			"longer than 1 MiB",
		],
		["ragged.csv", "externalId,email\n1,a@example.com\n2\n", "1 cells, but the header has 2"],
	])("writes nothing of %s, and says what is wrong", async (name, content, message) => {
		const database = newDatabase();
		const refused = await app.run(
			["import", write(name, content), "--tenant", "acme", "--yes"],
			database,
		);
		expect(refused).toMatchObject({
			status: 1,
			stdout: "",
			stderr: expect.stringContaining(message),
		});
		expect(await usersIn(database)).toEqual([]);
	});

	it.each([
		[["import"], "No file is given"],
		[["import", "users.ndjson"], "--tenant is missing"],
		[
			["import", "users.ndjson", "--tenant", "acme", "--from", "okta"],
			"Allowed choices are ndjson, csv,",
		],
		[["import", "users.ndjson", "--tenant", "acme", "--resume"], "--resume needs"],
		[["import", "users.csv", "--tenant", "acme"], "The format of users.csv is not clear"],
		[["import", "users.ndjson", "--unknown"], "--unknown"],
		[["import", "users.ndjson", "--tenant", "acme", "--report", "--dry-run"], "value is missing"],
		[["import", "--from", "organizations"], "--organization <id> is missing"],
	])("refuses %j", async (args, message) => {
		const refused = await app.run(args, "template.db");
		expect(refused).toMatchObject({
			status: 2,
			stdout: "",
			stderr: expect.stringContaining(message),
		});
		expect(refused.stderr).toContain("better-auth-tenant import <file…>");
	});

	it("goes on after Ctrl-C and a row of the report that is cut in half, to the same end", async () => {
		const database = newDatabase();
		const total = 600;
		const lines = Array.from({ length: total }, (_, index) => ({
			externalId: `${index}`,
			email: `user-${index}@example.com`,
		}));
		const file = write("interrupted.ndjson", lines.map((line) => JSON.stringify(line)).join("\n"));
		const report = "interrupted-report.ndjson";
		const args = ["import", file, "--tenant", "acme", "--yes", "--report", report];
		const listeners = process.listeners("SIGINT");
		const pressControlC = () => {
			for (const listener of process.listeners("SIGINT")) {
				if (!listeners.includes(listener)) listener("SIGINT");
			}
		};
		expect((await app.run(args, database, {}, pressControlC)).status).toBe(130);
		const before = (await usersIn(database)).length;
		expect(before).toBeGreaterThan(0);
		expect(before).toBeLessThan(total);
		appendFileSync(join(app.folder, report), '{"tenantId":"');
		const { stdout } = await app.run([...args, "--resume", "--json"], database);
		const resumed = JSON.parse(stdout);
		expect(resumed.resumed).toBeGreaterThan(0);
		expect(resumed.created).toBe(total - before);
		expect(resumed.resumed + resumed.created + resumed.unchanged).toBe(total);
		expect(await usersIn(database)).toHaveLength(total);
		expect(new Set(reportIn(report).map(({ externalId }) => externalId)).size).toBe(total);
	});
});

describe("an app whose users have a required field", () => {
	const environment = { FIELDS: "company" };

	async function newApp() {
		count += 1;
		await app.onFile(`${count}.db`, async (on) => {
			const additionalFields = { company: { type: "string" as const } };
			await makeInstance({ on, plugins: [organization()], user: { additionalFields } });
		});
		return `${count}.db`;
	}

	const companiesIn = (database: string) =>
		app.onFile(database, async ({ db }) =>
			(await db.selectFrom("user").select(["email", "company"]).orderBy("email").execute()).map(
				({ company }) => company,
			),
		);

	const args = (file: string) => [
		...["import", file, "--tenant", "acme", "--create-tenant", "--yes"],
	];

	it("is told which before the tenant is created", async () => {
		const database = await newApp();
		const { status, stderr } = await app.run(args("users.ndjson"), database, environment);
		expect(status).toBe(1);
		expect(stderr).toMatch(
			/^Your users have required fields .*\n {2}company: missing in \d+, first in users.ndjson line 1\n/,
		);
		expect(stderr).toContain("--set company=…");
		const tenants = await app.onFile(database, ({ db }) =>
			db.selectFrom("tenant").selectAll().execute(),
		);
		expect(tenants).toEqual([]);
	});

	it("imports with --set, which does not replace what a record has", async () => {
		const database = await newApp();
		const set = ["--set", "company=Acme, Inc."];
		const csv = write(
			"fields.csv",
			"externalId,email,fields.company\n1,a@example.com,\n2,b@example.com,Globex\n",
		);
		expect(await app.run([...args(csv), ...set], database, environment)).toMatchObject({
			status: 0,
			stdout: expect.stringContaining("2 created"),
		});
		expect(await companiesIn(database)).toEqual(["Acme, Inc.", "Globex"]);
	});

	it("names a field that does not exist", async () => {
		const file = write("one.ndjson", '{ "externalId": "1", "email": "a@example.com" }\n');
		const { status, stderr } = await app.run([...args(file), "--set", "team=A"], newDatabase());
		expect(status).toBe(1);
		expect(stderr).toContain("[fields.team] user.additionalFields has no such field");
	});
});
