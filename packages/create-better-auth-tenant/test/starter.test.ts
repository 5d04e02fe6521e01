import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../apps/server/test/temporary-directory";
import { DATABASES } from "../src/databases";
import { FRAMEWORKS } from "../src/frameworks";
import { writeFiles } from "../src/write-files";
import { useStarter } from "./source-starter";

const runStarter = useStarter();

describe("the program", () => {
	test("writes an app and prints the next commands", async () => {
		const folder = temporaryDirectory();
		const { status, stdout, stderr } = await runStarter(folder, "shop", "--yes", "--no-install");
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		expect(stdout).toBe("The app is in shop.\n\nNext:\n\n  cd shop\n  npm install\n  npm start\n");
	});

	test("can use the current directory", async () => {
		const folder = temporaryDirectory();
		const { status, stdout } = await runStarter(folder, ".", "--yes", "--no-install");
		expect(status).toBe(0);
		expect(stdout).toContain("Next:\n\n  npm install\n  npm start\n");
		expect(existsSync(join(folder, "src/auth.ts"))).toBe(true);
	});

	test("refuses a directory that is not empty, and changes nothing", async () => {
		const folder = temporaryDirectory();
		mkdirSync(join(folder, "shop"));
		writeFileSync(join(folder, "shop/notes.txt"), "mine");
		const { status, stdout, stderr } = await runStarter(folder, "shop", "--yes", "--no-install");
		expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
		expect(stderr).toMatch(/^The directory shop is not empty\.\n/);
		expect(readdirSync(join(folder, "shop"))).toEqual(["notes.txt"]);
	});

	test("rejects wrong arguments with exit code 2, and writes nothing", async () => {
		const folder = temporaryDirectory();
		const { status, stderr } = await runStarter(folder, "shop", "--yes", "--framework", "rails");
		expect(status).toBe(2);
		expect(stderr).toMatch(/^"rails" is not a framework\..*\n\n.*--help/);
		expect(readdirSync(folder)).toEqual([]);
	});

	test("prints its options", async () => {
		const { status, stdout } = await runStarter(temporaryDirectory(), "--help");
		expect(status).toBe(0);
		expect(stdout).toMatch(/^npm create better-auth-tenant \[directory\]/);
	});
});

test("if a file cannot be written, the directory stays as it was", () => {
	const folder = temporaryDirectory();
	const impossible = new Map([
		["src/a.ts", "a"],
		["src/a.ts/b.ts", "b"],
	]);
	mkdirSync(join(folder, ".git"));
	for (const directory of [folder, join(folder, "new/app")]) {
		expect(() => writeFiles(directory, impossible)).toThrow();
		expect(readdirSync(folder)).toEqual([".git"]);
	}
});

const combinations = Object.keys(FRAMEWORKS).flatMap((framework) =>
	Object.entries(DATABASES).map(([database, kind]) => ({ framework, database, kind })),
);

describe.each(combinations)(
	"an app with $framework and $database",
	({ framework, database, kind }) => {
		const create = async () => {
			const folder = temporaryDirectory();
			const choices = ["--framework", framework, "--database", database];
			const { stderr } = await runStarter(folder, "shop", ...choices, "--no-install");
			expect(stderr).toBe("");
			return join(folder, "shop");
		};
		const read = (app: string, path: string) => readFileSync(join(app, path), "utf8");

		test("has its own secret, which others cannot read and Git ignores", async () => {
			const [one, other] = [await create(), await create()];
			expect(read(one, ".env")).toMatch(/^BETTER_AUTH_SECRET=[\w+/]{43}=\n/);
			expect(read(one, ".env")).not.toBe(read(other, ".env"));
			expect(statSync(join(one, ".env")).mode & 0o077).toBe(0);
			expect(read(one, ".gitignore").split("\n")).toContain(".env");
		});

		test("has the packages that it imports, in versions, and no other driver", async () => {
			const app = await create();
			const manifest = JSON.parse(read(app, "package.json"));
			const { version } = JSON.parse(
				readFileSync(new URL("../package.json", import.meta.url), "utf8"),
			);
			expect(manifest).toMatchObject({ name: "shop", private: true });
			expect(manifest.dependencies["better-auth-tenant"]).toBe(`^${version}`);
			const versions = { ...manifest.dependencies, ...manifest.devDependencies };
			expect(
				Object.values(versions).filter((it) => !/^\^?\d+\.\d+\.\d+$/.test(String(it))),
			).toEqual([]);

			const sources = readdirSync(join(app, "src"), { recursive: true, encoding: "utf8" })
				.filter((path) => /\.(ts|tsx|svelte)$/.test(path))
				.map((path) => read(app, join("src", path)));
			const imported = sources.flatMap((text) =>
				[...text.matchAll(/ from "((?:@[^/"]+\/)?[^./$@"][^/"]*)/g)].map(([, name = ""]) => name),
			);
			expect(imported).toContain("better-auth-tenant");
			const missing = imported.filter((name) => !name.startsWith("node:") && !(name in versions));
			expect(missing).toEqual([]);
			const drivers = new Set(Object.values(DATABASES).flatMap(({ packages }) => packages));
			expect([...drivers].filter((name) => name in versions).sort()).toEqual(
				[...kind.packages].sort(),
			);
		});

		test("migrates with a script of its own, which npm start calls first", async () => {
			const { scripts } = JSON.parse(read(await create(), "package.json"));
			expect(scripts.migrate).toMatch(/ src\/migrate\.ts$/);
			expect(scripts.prestart).toMatch(/^npm run migrate && npm run first-tenants( && |$)/);
			expect(scripts.start).toBe("npm run serve");
			expect(scripts.serve).not.toMatch(/migrate|tenants|build/);
		});

		test("has a README for itself, and nothing of our repository", async () => {
			const app = await create();
			const readme = read(app, "README.md");
			expect(readme).toMatch(/^# shop\n/);
			expect(readme).toContain("```sh\nnpm install\nnpm start\n```");
			expect(readme).not.toMatch(/repository|npm run example|\]\(\.\.\//);
			expect(readme.includes("create database shop")).toBe(database !== "sqlite");
			expect(read(app, ".env").includes("DATABASE_URL=")).toBe(database !== "sqlite");
			const { scripts, dependencies } = JSON.parse(read(app, "package.json"));
			const run = [...readme.matchAll(/npm run ([a-z-]+)/g)].map(([, script = ""]) => script);
			expect(run).toContain("serve");
			expect(run.filter((script) => !(script in scripts))).toEqual([]);
			expect(readme.includes("npm run build")).toBe("build" in scripts);
			const [minor] = /^\d+\.\d+/.exec(dependencies["better-auth"]) ?? [];
			expect(readme).toContain(`better-auth@${minor} @better-auth/core@${minor}\``);
		});
	},
);
