import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { organization } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksRunBy, pathForBlocks } from "../../../../testing/shell-blocks";
import { makeInstance } from "../../../tenant-auth/test/support/worlds/instance";
import { makePlainHost } from "../../../tenant-auth/test/support/worlds/plain-host";
import { buildCommand } from "../support/built-command";
import { makeCommandFolder } from "../support/command-folder";

const plugin = "better-auth-tenant";

let folder: ReturnType<typeof makeCommandFolder>;
/** The app of `makeCommandFolder`, with the program where npm puts it. */
let app: string;

beforeAll(() => {
	folder = makeCommandFolder();
	app = join(folder.folder, "app");
	mkdirSync(join(app, "node_modules/.bin"), { recursive: true });
	symlinkSync(buildCommand(), join(app, "node_modules/.bin", plugin));
	for (const name of ["package.json", "auth.ts", "hashes.mjs"]) {
		copyFileSync(join(folder.folder, name), join(app, name));
	}
});
afterAll(() => folder.remove());

/** Runs a block in the folder of the app. Nobody is there to confirm what it asks. */
function run(block: string, database: string) {
	const script = block.replaceAll(/^(npx better-auth-tenant .*?)( +#.*)?$/gm, (line, command) =>
		line.includes("--dry-run") ? line : `${command} --yes`,
	);
	const { status, stdout, stderr } = spawnSync("bash", ["-e"], {
		cwd: app,
		env: {
			PATH: pathForBlocks,
			HOME: app,
			DATABASE_FILE: join("..", database),
		},
		input: script,
		encoding: "utf8",
	});
	return { status, stdout, stderr };
}

const UPGRADES = ["README.md", "docs/from-single-tenant.md", "docs/upgrading.md"].map(
	(page) => [page, blocksRunBy(import.meta.url, page).join("")] as const,
);

describe.each(UPGRADES)("%s", (page, commands) => {
	it("upgrades a database from before there were tenants", async () => {
		const database = `${page.replaceAll(/\W/g, "-")}.db`;
		await folder.onFile(database, async (on) => (await makePlainHost(on)).signUp("a@example.com"));
		const { status, stdout, stderr } = run(commands, database);
		expect({ status, stderr }).toMatchObject({ status: 0 });
		expect(stdout).toMatch(/^Done: \d+ statements on SQLite\.$/m);
		const users = await folder.onFile(database, ({ db }) =>
			db.selectFrom("user").selectAll().execute(),
		);
		expect(users).toMatchObject([{ email: "a@example.com", tenantId: "" }]);
	});
});

describe("the pages about moving in", () => {
	const pages = ["docs/from-organizations.md", "docs/import.md", "docs/import-formats.md"];
	const blocks = pages.flatMap((page) => blocksRunBy(import.meta.url, page));

	it.each(blocks.map((block) => [block.trim().split("\n").at(-1), block] as const))(
		"%s works as written",
		async (command = "", block) => {
			const [, file] = / import (\S+\.\w+) /.exec(command) ?? [];
			const database = `${file ?? "organizations"}.db`;
			await folder.onFile(database, async (on) => {
				const { call, makeTenant } = await makeInstance({ on, plugins: [organization()] });
				await makeTenant("acme");
				const body = { name: "Bob", email: "bob@example.org", password: "correct horse battery" };
				const { cookie } = await call("/sign-up/email", { body });
				await call("/organization/create", { cookie, body: { name: "Red", slug: "red" } });
			});
			for (const name of command.match(/\S+\.(ndjson|csv|json)(?= |$)/g) ?? []) {
				if (name !== "report.ndjson") {
					copyFileSync(new URL(`../fixtures/${name}`, import.meta.url), join(app, name));
				}
			}
			const { status, stdout, stderr } = run(block, database);
			const [, done, failed] =
				/^(\d+) (?:created|converted),.* (\d+) failed\.$/m.exec(
					stdout.split("dry run").at(-1) ?? "",
				) ?? [];
			expect(Number(done), stdout + stderr).toBeGreaterThan(0);
			// Two of the files have a user without an email, which cannot be imported.
			expect(stderr.match(/[A-Z]{2,}_[A-Z_]+/g) ?? []).toEqual(failed === "0" ? [] : ["NO_EMAIL"]);
			expect(status).toBe(failed === "0" ? 0 : 1);
		},
	);
});
