import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import dockerignore from "@balena/dockerignore";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { freePort } from "../../../../testing/ports";
import { temporaryDirectory } from "../temporary-directory";
import { deployFile, repository } from "./deploy-files";
import { copy, environmentOf, parseDockerfile, runStages, textOf, wordsOf } from "./dockerfile";

/** Files that an operator or a developer may have in a clone. */
const secrets = [
	".env",
	".env.production",
	".git/config",
	".npmrc",
	"apps/console/src/secrets.json",
	"apps/server/.env",
	"apps/server/data/secrets.json",
	"apps/server/src/.env.local",
	"apps/server/src/auth.db",
	"apps/server/src/auth.db-wal",
	"backup.dump",
	"data/auth.db",
	"data/secrets.json",
	"deploy/.env",
	"deploy/env",
	"deploy/kubernetes/secret.env",
	"deploy/tls/auth.key",
	"node_modules/.package-lock.json",
	"packages/tenant-auth/src/private.key",
];

/** The files that Git knows or would add. */
function sourceFiles(): string[] {
	const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
	const { stdout } = spawnSync("git", args, { cwd: repository, encoding: "utf8" });
	return stdout.split("\0").filter((path) => path && existsSync(join(repository, path)));
}

const rules = dockerignore().add(readFileSync(join(repository, ".dockerignore"), "utf8"));
const stages = parseDockerfile(deployFile("Dockerfile"));
const image = stages.at(-1);
if (!image) throw new Error("deploy/Dockerfile has no stage");

describe(".dockerignore", () => {
	test("shows the build no secret, database, history or installed package", () => {
		expect(rules.filter(secrets)).toEqual([]);
	});

	test("shows the build sources and manifests only", () => {
		const visible = rules.filter(sourceFiles());
		expect(visible.length).toBeGreaterThan(100);
		const expected =
			/^((packages\/(tenant-auth|fast|load-shedder)|apps\/(server|console))\/(src\/|bin\/|[\w.]+\.(ts|json|html)$)|(bench|docs|packages\/(cli|create-better-auth-tenant))\/package\.json$|packages\/cli\/src\/formats\/(rows|converted)\.ts$|(package|package-lock|tsconfig\.base)\.json$)/;
		expect(visible.filter((path) => !expected.test(path))).toEqual([]);
	});
});

describe("the image", () => {
	test("runs as a user with a number, who is not root", () => {
		expect(textOf(image, "USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
	});

	test("uses the same base for all stages", () => {
		const names = stages.map(({ name }) => name);
		const bases = stages.map(({ from }) => from).filter((from) => !names.includes(from));
		expect(new Set(bases).size).toBe(1);
	});

	describe("built without Docker", () => {
		let root: string;

		beforeAll(() => {
			const directory = temporaryDirectory(afterAll);
			// Another user runs the server.
			chmodSync(directory, 0o711);
			root = runStages(stages, {
				root: directory,
				context: repository,
				visible: rules.filter(sourceFiles()),
				shortcut: (command, here) => {
					if (command.startsWith("chown ")) return true;
					if (!command.startsWith("npm ci --include=dev")) return false;
					linkInstalledPackages(here);
					return true;
				},
			});
		});

		test("has no sources, tests or build tools", () => {
			const files = readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" });
			const own = files.filter((path) => !path.includes("node_modules"));
			expect(own.filter((path) => /\.tsx?$|\/(src|test)(\/|$)/.test(path))).toEqual([]);
			const tools = /node_modules\/(typescript|tsdown|vite|vitest|react|esbuild|wireit|@biomejs)\//;
			expect(files.filter((path) => tools.test(`${path}/`))).toEqual([]);
		});

		test("has the versions of the lock file", () => {
			const lock = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8"));
			const installed = Object.entries<{ version?: string }>(lock.packages).filter(
				([path, { version }]) =>
					path.includes("node_modules/") && version && existsSync(join(root, "app", path)),
			);
			expect(installed.length).toBeGreaterThan(50);
			for (const [path, { version }] of notEmpty(installed)) {
				const manifest = readFileSync(join(root, "app", path, "package.json"), "utf8");
				expect(JSON.parse(manifest).version, path).toBe(version);
			}
			const all = readdirSync(join(root, "app/node_modules")).filter((name) => !/^[.@]/.test(name));
			const known = Object.keys(lock.packages);
			for (const name of notEmpty(all)) expect(known).toContain(`node_modules/${name}`);
		});

		test("has less than 120 MB besides Node", () => {
			const { stdout } = spawnSync("du", ["-sm", root], { encoding: "utf8" });
			expect(Number.parseInt(stdout, 10)).toBeLessThan(120);
		});

		test("has a link to the command line", () => {
			const link = join(root, "usr/local/bin/tenant-auth");
			const { stdout } = spawnSync(process.execPath, [link, "--help"], { encoding: "utf8" });
			expect(stdout).toContain("Usage: tenant-auth");
		});

		test("serves its pages, and its health check sees it", async () => {
			const data = join(root, "data");
			const isRoot = process.getuid?.() === 0;
			const owner = isRoot ? { uid: 1000, gid: 1000 } : {};
			// `chown` was left out.
			chmodSync(data, 0o777);
			const PORT = String(await freePort());
			const env = {
				PATH: process.env.PATH,
				...environmentOf(image),
				DATA_DIR: data,
				HOST: "127.0.0.1",
				PORT,
			};
			const words = (name: string) =>
				wordsOf(image, name).map((word) => word.replace(/^\/app\//, `${root}/app/`));
			const health = () => {
				const [, ...args] = words("HEALTHCHECK");
				return spawnSync(process.execPath, args, { env }).status;
			};
			expect(health()).toBe(1);

			const [, ...args] = [...words("ENTRYPOINT"), ...words("CMD")];
			const options = { env, cwd: join(root, "app"), ...owner };
			const server = spawn(process.execPath, args, { ...options, stdio: "ignore" });
			const exited = once(server, "close");
			onTestFinished(async () => {
				server.kill("SIGKILL");
				await exited;
			});
			await expect.poll(health).toBe(0);
			const page = await fetch(`http://127.0.0.1:${PORT}/console`);
			expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("/assets/")]);
			server.kill("SIGTERM");
			expect(await exited).toEqual([0, null]);
		});
	});
});

/** In place of `npm ci --include=dev`: the same lock file was installed in the repository already. */
function linkInstalledPackages(directory: string): void {
	const workspaces = ["", "apps/console", "apps/server", "bench", "docs", "packages/tenant-auth"];
	for (const workspace of workspaces) {
		const installed = join(repository, workspace, "node_modules");
		if (!existsSync(installed)) continue;
		const target = join(directory, relative(repository, installed));
		mkdirSync(target, { recursive: true });
		for (const name of readdirSync(installed)) {
			// Caches of the repository's own builds.
			if (![".cache", ".vite"].includes(name)) copy(join(installed, name), target);
		}
	}
}
