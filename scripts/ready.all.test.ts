import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };

const repository = fileURLToPath(new URL("..", import.meta.url));

/** By the name that its build writes into `builds.log`. */
const workspaces = {
	plugin: { folder: "packages/tenant-auth", name: "better-auth-tenant" },
	cli: { folder: "packages/cli", name: "better-auth-tenant-cli" },
	fast: { folder: "packages/fast", name: "better-auth-fast" },
	shedder: { folder: "packages/load-shedder", name: "fair-load-shedder" },
	console: { folder: "apps/console", name: "better-auth-tenant-console" },
	server: { folder: "apps/server", name: "better-auth-tenant-server" },
};

/** The commands run in a copy that has our package.json, and workspaces that build in no time. */
describe("the ready script", () => {
	let template: string;
	let root: string;

	beforeAll(async () => {
		template = await mkdtemp(join(tmpdir(), "ready-template-"));
		root = template;
		await cp(join(repository, "scripts/ready.mjs"), join(root, "scripts/ready.mjs"));
		await write("package.json", {
			...manifest,
			devDependencies: { wireit: `file:${join(repository, "node_modules/wireit")}` },
		});
		for (const [label, { folder, name }] of Object.entries(workspaces)) {
			const scripts = { build: "node tsdown.config.ts" };
			await write(`${folder}/package.json`, { name, version: "1.0.0", scripts });
			await write(`${folder}/src/index.ts`, "");
			await write(`${folder}/src/old.ts`, "");
			await write(
				`${folder}/tsdown.config.ts`,
				`const { appendFileSync, mkdirSync } = require("node:fs");
				mkdirSync("dist", { recursive: true });
				appendFileSync("dist/out.js", "");
				appendFileSync("../../builds.log", "${label} ");`,
			);
		}
		await run("npm", ["install", "--package-lock-only"]);
	});

	beforeEach(async () => {
		root = await mkdtemp(join(tmpdir(), "ready-"));
		await cp(template, root, { recursive: true });
	});

	afterEach(() => rm(root, { recursive: true, force: true }));
	afterAll(() => rm(template, { recursive: true, force: true }));

	async function write(path: string, content: string | object) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		const text = typeof content === "string" ? content : JSON.stringify(content);
		await writeFile(join(root, path), text);
	}

	function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
		return new Promise<{ code: number; output: string }>((resolve) => {
			const options = { cwd: root, env: { ...process.env, ...env } };
			execFile(command, args, options, (error, stdout, stderr) => {
				resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
			});
		});
	}

	const ready = (env: NodeJS.ProcessEnv = {}) => run("node", ["scripts/ready.mjs"], env);

	/** What was built since the last call. */
	async function takeBuilds() {
		const log = await readFile(join(root, "builds.log"), "utf8").catch(() => "");
		await rm(join(root, "builds.log"), { force: true });
		return log.trim().split(" ").filter(Boolean);
	}

	const all = Object.keys(workspaces).toSorted();

	it("installs and builds, each package before what uses it, and then has nothing to do", async () => {
		const first = await ready();
		expect(first.output).toContain("added");
		expect(first.code).toBe(0);
		const builds = await takeBuilds();
		expect(builds.toSorted()).toEqual(all);
		expect(builds.indexOf("plugin")).toBeLessThan(builds.indexOf("console"));
		for (const used of ["plugin", "fast", "shedder"]) {
			expect(builds.indexOf(used)).toBeLessThan(builds.indexOf("server"));
		}

		const second = await ready();
		expect(second.output).not.toContain("added");
		expect(second.code).toBe(0);
		expect(await takeBuilds()).toEqual([]);
	});

	it("builds what changed and what depends on it", async () => {
		await ready();
		await takeBuilds();

		await write("apps/server/src/index.ts", "changed");
		await write("apps/console/test/a.test.ts", "new");
		await ready();
		expect(await takeBuilds()).toEqual(["server"]);

		await rm(join(root, "apps/console/src/old.ts"));
		await rm(join(root, "apps/server/dist"), { recursive: true });
		await ready();
		expect((await takeBuilds()).toSorted()).toEqual(["console", "server"]);

		await write("packages/tenant-auth/src/index.ts", "changed");
		await ready();
		expect((await takeBuilds()).toSorted()).toEqual(["cli", "console", "plugin", "server"]);
	});

	it("installs again when the lock file is newer than the installation", async () => {
		await ready();
		const past = new Date(Date.now() - 60_000);
		await utimes(join(root, "node_modules/.package-lock.json"), past, past);
		expect((await ready()).output).toContain("added");
		expect((await ready()).output).not.toContain("added");
	});

	it("installs the build tools although NODE_ENV or omit leave them out", async () => {
		const { code } = await ready({ NODE_ENV: "production", npm_config_omit: "dev" });
		expect(code).toBe(0);
		expect((await takeBuilds()).toSorted()).toEqual(all);
	});

	it("shows the output of a failed build, fails, and tries again next time", async () => {
		await write("packages/tenant-auth/tsdown.config.ts", `throw new Error("does not compile");`);
		for (const _attempt of [1, 2]) {
			const { code, output } = await ready();
			expect(output).toContain("does not compile");
			expect(output).toContain("ready: npm run --silent build failed");
			expect(code).toBe(1);
		}
	});

	it("lets two commands that start at once install and build once", async () => {
		const both = await Promise.all([ready(), ready()]);
		expect(both.map(({ code }) => code)).toEqual([0, 0]);
		expect(both.filter(({ output }) => output.includes("added"))).toHaveLength(1);
		expect((await takeBuilds()).toSorted()).toEqual(all);
	});

	it("takes over the lock of a command that was killed", async () => {
		const gone = await new Promise<number>((resolve) => {
			const child = execFile(process.execPath, ["--version"], () => resolve(child.pid ?? 0));
		});
		await write(".ready.lock", String(gone));
		expect((await ready()).code).toBe(0);
		expect((await takeBuilds()).toSorted()).toEqual(all);
	});

	it("rejects an old Node in one sentence", async () => {
		const pretend = `Object.defineProperty(process.versions, "node", { value: "20.18.3" });`;
		const args = ["--import", `data:text/javascript,${pretend}`, "scripts/ready.mjs"];
		expect(await run("node", args)).toEqual({
			code: 1,
			output: "ready: Node 20.19 or newer is required, but this is Node 20.18.3.\n",
		});
	});
});
