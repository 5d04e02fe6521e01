import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { organization, phoneNumber, twoFactor, username } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeInstance } from "../../tenant-auth/test/support/worlds/instance";
import { makeCommandFolder } from "./support/command-folder";

let app: ReturnType<typeof makeCommandFolder>;
let count = 0;

const additionalFields = { about: { type: "json" as const, required: false } };
const PLUGINS = { PLUGINS: "all" };
/** Base32 of the text "a secret of twenty!!" */
const SECRET = "MEQHGZLDOJSXIIDPMYQHI53FNZ2HSIJB";

beforeAll(async () => {
	app = makeCommandFolder();
	await app.onFile("template.db", async (on) => {
		const plugins = [organization(), username(), phoneNumber(), twoFactor()];
		const { makeTenant } = await makeInstance({ on, plugins, user: { additionalFields } });
		await makeTenant("acme");
	});
	for (const name of ["clerk.csv", "firebase.json", "keycloak-realm.json"]) app.copyFixture(name);
});
afterAll(() => app.remove());

function newDatabase(): string {
	count += 1;
	copyFileSync(join(app.folder, "template.db"), join(app.folder, `${count}.db`));
	return `${count}.db`;
}

const write = (name: string, text: string) => {
	writeFileSync(join(app.folder, name), text);
	return name;
};

const usersIn = (database: string) =>
	app.onFile(database, ({ db }) => db.selectFrom("user").selectAll().orderBy("email").execute());

const factorsIn = (database: string) =>
	app.onFile(database, ({ db }) => db.selectFrom("twoFactor").selectAll().execute());

const args = (file: string, ...more: string[]) => ["import", file, "--tenant", "acme", ...more];

describe("fields of plugins", () => {
	const csv = `externalId,email,username,phoneNumber,phoneNumberVerified,totpSecret
1,ada@example.com,Ada_L,+15555550100,true,${SECRET}
2,bob@example.com,,,,
`;

	it("are imported from our CSV columns, and the secret is printed nowhere", async () => {
		const database = newDatabase();
		const file = write("plugins.csv", csv);
		const report = ["--report", "plugins-report.ndjson", "--yes"];
		const run = await app.run(args(file, ...report), database, PLUGINS);
		expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining("2 created") });
		const [ada, bob] = await usersIn(database);
		expect(ada).toMatchObject({
			username: expect.stringMatching(/:ada_l$/),
			displayUsername: "Ada_L",
			phoneNumber: expect.stringMatching(/:\+15555550100$/),
			phoneNumberVerified: 1,
			twoFactorEnabled: 1,
		});
		expect(bob).toMatchObject({ username: null, phoneNumber: null, twoFactorEnabled: 0 });
		const factors = await factorsIn(database);
		expect(factors).toHaveLength(1);
		const printed = [run.stdout, run.stderr, JSON.stringify(factors)].join();
		expect(printed).not.toContain(SECRET);
		expect(printed).not.toContain("a secret of twenty!!");
	});

	it("are refused by name, with their line, if the app does not have the plugins", async () => {
		const database = newDatabase();
		const file = write("refused.csv", csv);
		const { status, stderr } = await app.run(args(file, "--yes"), database);
		expect(status).toBe(1);
		expect(stderr).toContain("username: in 1, first in refused.csv line 2. It needs username()");
		expect(stderr).toContain("phoneNumber: in 1, first in refused.csv line 2. It needs phone");
		expect(stderr).toContain("totpSecret: in 1, first in refused.csv line 2. It needs twoFactor()");
		expect(stderr).not.toContain(SECRET);
		expect(await usersIn(database)).toEqual([]);
	});

	it("come from exports of other services too, and the rest is said", async () => {
		const database = newDatabase();
		const run = async (file: string) =>
			JSON.parse((await app.run(args(file, "--yes", "--json"), database, PLUGINS)).stdout);
		expect(await run("clerk.csv")).toMatchObject({
			created: 2,
			notImported: {
				"totp_secret: bytes that are not a text": 1,
				"email_addresses: more than one": 1,
			},
		});
		const [, bob] = await usersIn(database);
		expect(bob).toMatchObject({ displayUsername: "bob", phoneNumberVerified: 1 });
	});

	it("take the second factor of Keycloak, which is a text", async () => {
		const database = newDatabase();
		const run = await app.run(args("keycloak-realm.json", "--yes", "--json"), database, PLUGINS);
		const { created, notImported } = JSON.parse(run.stdout);
		expect(created).toBe(3);
		expect(notImported).toEqual({ realmRoles: 3 });
		expect(await factorsIn(database)).toHaveLength(1);
	});

	it("take metadata into an additional field", async () => {
		const database = newDatabase();
		const metadata = ["--metadata", "about", "--yes", "--json"];
		const run = await app.run(args("firebase.json", ...metadata), database, PLUGINS);
		expect(JSON.parse(run.stdout)).toMatchObject({
			created: 2,
			notImported: { lastSignedInAt: 1 },
		});
		expect(JSON.stringify(await usersIn(database))).toContain("customAttributes");
		const wrong = ["--metadata", "gone", "--yes"];
		expect(await app.run(args("firebase.json", ...wrong), database, PLUGINS)).toMatchObject({
			status: 2,
			stderr: expect.stringContaining('user.additionalFields has no "gone"'),
		});
	});
});
