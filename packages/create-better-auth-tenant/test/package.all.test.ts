import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../apps/server/test/temporary-directory";
import { FRAMEWORKS } from "../src/frameworks";
import { builtStarter, repository } from "./built-starter";

describe("the published package", () => {
	let folder: string;
	let packed: string;
	let files: string[];

	beforeAll(() => {
		builtStarter();
		folder = temporaryDirectory(afterAll);
		// `prepack` would build in a folder that other tests read.
		const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
		const workspace = "--workspace=create-better-auth-tenant";
		const output = execFileSync("npm", [...args, workspace], { cwd: repository, encoding: "utf8" });
		const [first] = JSON.parse(output);
		packed = join(folder, first.filename);
		files = first.files.map(({ path }: { path: string }) => path);
	});

	test("has the program, all templates and the license", () => {
		expect(files).toEqual(
			expect.arrayContaining([
				...["LICENSE", "README.md", "package.json", "dist/main.mjs"],
				...["mysql", "postgres", "drizzle-postgres"].map(
					(name) => `dist/databases/${name}/src/database.ts`,
				),
				"dist/databases/drizzle-postgres/drizzle/meta/_journal.json",
				"dist/databases/drizzle-postgres.hono-react/src/auth-schema.ts",
				...Object.keys(FRAMEWORKS).flatMap((framework) =>
					[
						"README.md",
						"env.mjs",
						"package.json",
						"src/auth.ts",
						"src/database.ts",
						"src/first-tenants.ts",
						"src/migrate.ts",
					].map((path) => `dist/templates/${framework}/${path}`),
				),
			]),
		);
		expect(
			files.filter((path) => /\.db|\.env$|node_modules|\.log$|^(src|test)\//.test(path)),
		).toEqual([]);
	});

	test("creates an app when npm runs it", () => {
		// Nothing of the npm that runs the tests, except where it finds packages.
		const environment = Object.entries(process.env).filter(
			([name]) => !/^npm_/i.test(name) || /^npm_config_(registry|cafile|userconfig)$/i.test(name),
		);
		const args = ["exec", "--yes", `--package=${packed}`, "--", "create-better-auth-tenant"];
		const options = ["shop", "--yes", "--no-install", "--database", "mysql"];
		const { status, stderr } = spawnSync("npm", [...args, ...options], {
			cwd: folder,
			env: Object.fromEntries(environment),
			encoding: "utf8",
		});
		expect(status, stderr).toBe(0);
		expect(readFileSync(join(folder, "shop/src/database.ts"), "utf8")).toContain("mysql2");
		expect(existsSync(join(folder, "shop/.gitignore"))).toBe(true);
	});
});
