import { readFileSync } from "node:fs";
import { join } from "node:path";
import { organization } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeInstance } from "../../tenant-auth/test/support/worlds/instance";
import { makeCommandFolder } from "./support/command-folder";

const FROM = ["import", "--from", "organizations", "--organization"];

let app: ReturnType<typeof makeCommandFolder>;
beforeAll(() => {
	app = makeCommandFolder();
});
afterAll(() => app.remove());

/** Ada is in both organizations, Bob and Eve in one each. */
const makePeople = (database: string) =>
	app.onFile(database, async (on) => {
		const { call, auth } = await makeInstance({ on, plugins: [organization()] });
		const { adapter } = await auth.$context;
		const signUp = async (name: string) => {
			const body = { name, email: `${name}@example.com`, password: "correct horse battery" };
			const answer = await call("/sign-up/email", { body });
			return { id: String(answer.body.user.id), cookie: answer.cookie };
		};
		const create = async (cookie: string, slug: string) =>
			String((await call("/organization/create", { cookie, body: { name: slug, slug } })).body.id);
		const [ada, bob, eve] = [await signUp("ada"), await signUp("bob"), await signUp("eve")];
		const ids = { red: await create(bob.cookie, "red"), blue: await create(eve.cookie, "blue") };
		for (const organizationId of Object.values(ids)) {
			const data = { organizationId, userId: ada.id, role: "member", createdAt: new Date() };
			await adapter.create({ model: "member", data });
		}
		return ids;
	});

const tenantsIn = (database: string) =>
	app.onFile(database, async ({ db }) => {
		const tenants = await db.selectFrom("tenant").selectAll().orderBy("slug").execute();
		const users = await db.selectFrom("user").selectAll().orderBy("email").execute();
		return tenants.map(({ id, slug }) => [
			slug,
			...users.filter(({ tenantId }) => tenantId === id).map(({ name }) => name),
		]);
	});

describe("better-auth-tenant import --from organizations", () => {
	it("lists people in several first, and converts nothing until it is said what to do", async () => {
		await makePeople("refused.db");
		const refused = await app.run([...FROM, "all", "--yes"], "refused.db");
		expect(refused.status).toBe(1);
		expect(refused.stdout).toMatch(
			/^1 people are in several organizations:\n {2}ada <ada@example.com>: (red, blue|blue, red)\n/,
		);
		expect(refused.stdout).toContain("--in-several copy");
		const dry = await app.run(
			[...FROM, "all", "--dry-run", "--in-several", "skip", "--json"],
			"refused.db",
		);
		expect(JSON.parse(dry.stdout)).toMatchObject({
			people: [{ email: "ada@example.com" }],
			organizations: [
				{ status: "converted", tenantId: null, members: { move: 1, skip: 1 } },
				{ status: "converted", tenantId: null, members: { move: 1, skip: 1 } },
			],
		});
		expect(await tenantsIn("refused.db")).toEqual([]);
	});

	it("converts all, and goes on where it stopped", async () => {
		const { red } = await makePeople("copied.db");
		const copy = ["--in-several", "copy", "--yes", "--report", "organizations.ndjson"];
		expect((await app.run([...FROM, red, ...copy], "copied.db")).status).toBe(0);
		expect(await tenantsIn("copied.db")).toEqual([["red", "ada", "bob"]]);
		// Ada is in one organization only now, so she moves.
		const rest = await app.run([...FROM, "all", ...copy, "--resume"], "copied.db");
		expect(rest).toMatchObject({
			status: 0,
			stdout: expect.stringContaining("1 converted, 0 failed."),
		});
		expect(await tenantsIn("copied.db")).toEqual([
			["blue", "ada", "eve"],
			["red", "ada", "bob"],
		]);
		const again = await app.run([...FROM, red, "--yes"], "copied.db");
		expect(again).toMatchObject({
			status: 0,
			stdout: expect.stringContaining("is a tenant already"),
		});
		const report = readFileSync(join(app.folder, "organizations.ndjson"), "utf8")
			.trim()
			.split("\n");
		expect(report.map((line) => JSON.parse(line).slug)).toEqual(["red", "blue"]);
	});

	it("refuses an organization that does not exist", async () => {
		await makePeople("missing.db");
		const refused = await app.run([...FROM, "missing", "--yes"], "missing.db");
		expect(refused).toMatchObject({ status: 1, stderr: 'There is no organization "missing"\n' });
	});
});
