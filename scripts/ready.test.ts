import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const readyScript = new URL("./ready.mjs", import.meta.url);

describe("the ready script", () => {
	let root: string;

	beforeEach(async () => {
		root = await mkdtemp(join(tmpdir(), "ready-"));
		await mkdir(join(root, "scripts"));
		await cp(readyScript, join(root, "scripts/ready.mjs"));
		await write("package.json", { name: "root", private: true, workspaces: ["packages/*"] });
		await writeWorkspace("app", { library: "*" });
		await writeWorkspace("library", {});
	});

	afterEach(() => rm(root, { recursive: true, force: true }));

	async function write(path: string, content: string | object) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		const text = typeof content === "string" ? content : JSON.stringify(content);
		await writeFile(join(root, path), text);
	}

	async function writeWorkspace(name: string, dependencies: Record<string, string>) {
		const scripts = { build: "node build.mjs" };
		await write(`packages/${name}/package.json`, { name, version: "1.0.0", scripts, dependencies });
		await write(`packages/${name}/src/index.js`, "");
		await write(
			`packages/${name}/build.mjs`,
			`import { appendFileSync, mkdirSync } from "node:fs";
			mkdirSync("dist", { recursive: true });
			appendFileSync("dist/out.js", "");
			appendFileSync("../../builds.log", "${name} ");`,
		);
	}

	/** The workspaces built since the last call, in their order. */
	async function takeBuilds() {
		const log = await readFile(join(root, "builds.log"), "utf8").catch(() => "");
		await rm(join(root, "builds.log"), { force: true });
		return log.trim().split(" ").filter(Boolean);
	}

	function ready(options: { args?: string[]; nodeArgs?: string[]; env?: NodeJS.ProcessEnv } = {}) {
		const args = [...(options.nodeArgs ?? []), "scripts/ready.mjs", ...(options.args ?? [])];
		const env = { ...process.env, ...options.env };
		return new Promise<{ code: number; output: string }>((resolve) => {
			execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) => {
				resolve({ code: Number(error?.code ?? 0), output: stdout + stderr });
			});
		});
	}

	async function touch(path: string) {
		const soon = new Date(Date.now() + 1_000);
		await utimes(join(root, path), soon, soon);
	}

	it("installs, builds dependencies first, and then has nothing to do or say", async () => {
		const first = await ready();
		expect(first.output).toContain("installing dependencies");
		expect(first.code).toBe(0);
		expect(await takeBuilds()).toEqual(["library", "app"]);

		expect(await ready()).toEqual({ code: 0, output: "" });
		expect(await takeBuilds()).toEqual([]);
	});

	it("builds only what changed and what depends on it", async () => {
		await ready();
		await takeBuilds();

		await touch("packages/app/src/index.js");
		await ready();
		expect(await takeBuilds()).toEqual(["app"]);

		await new Promise((resolve) => setTimeout(resolve, 1_000));
		await touch("packages/library/src/index.js");
		await ready();
		expect(await takeBuilds()).toEqual(["library", "app"]);
	});

	it("notices a deleted source and a deleted build, and ignores tests", async () => {
		await write("packages/app/src/old.js", "");
		await write("packages/app/test/a.test.js", "");
		await ready();
		await takeBuilds();

		await touch("packages/app/test/a.test.js");
		await ready();
		expect(await takeBuilds()).toEqual([]);

		await rm(join(root, "packages/app/src/old.js"));
		await ready();
		expect(await takeBuilds()).toEqual(["app"]);

		await rm(join(root, "packages/app/dist"), { recursive: true });
		await ready();
		expect(await takeBuilds()).toEqual(["app"]);
	});

	it("installs again when the lock file is newer than the installation", async () => {
		await ready();
		await touch("package-lock.json");
		expect((await ready()).output).toContain("installing dependencies (npm ci)");
		expect(await ready()).toEqual({ code: 0, output: "" });
	});

	it("installs development dependencies for a production user inside a workspace command", async () => {
		await write("tool/package.json", { name: "tool", version: "1.0.0" });
		await write("package.json", {
			name: "root",
			private: true,
			workspaces: ["packages/*"],
			devDependencies: { tool: "file:./tool" },
		});
		const env = { NODE_ENV: "production", npm_config_omit: "dev", npm_config_workspace: "app" };
		expect((await ready({ env })).code).toBe(0);
		expect(await readFile(join(root, "node_modules/tool/package.json"), "utf8")).toContain("tool");
		expect(await takeBuilds()).toEqual(["library", "app"]);
	});

	it("shows the output of a failed build, fails as it failed, and tries again next time", async () => {
		await write("packages/library/build.mjs", `console.log("no luck"); process.exit(7);`);
		for (const _attempt of [1, 2]) {
			const { code, output } = await ready();
			expect(output).toContain("no luck");
			expect(output).toContain("ready: building library failed (exit code 7).");
			expect(code).toBe(7);
		}
	});

	it("lets two commands that start at once install and build once", async () => {
		const both = await Promise.all([ready(), ready()]);
		expect(both.map(({ code }) => code)).toEqual([0, 0]);
		expect(await takeBuilds()).toEqual(["library", "app"]);
	});

	it("takes over from a command that was killed", async () => {
		const gone = await new Promise<number>((resolve) => {
			const child = execFile(process.execPath, ["--version"], () => resolve(child.pid ?? 0));
		});
		await write(".ready.lock", String(gone));
		expect((await ready()).code).toBe(0);
		expect(await takeBuilds()).toEqual(["library", "app"]);
	});

	it("refuses an old Node in one sentence", async () => {
		const pretend = `Object.defineProperty(process.versions, "node", { value: "20.18.3" });`;
		expect(await ready({ nodeArgs: ["--import", `data:text/javascript,${pretend}`] })).toEqual({
			code: 1,
			output: "ready: Node 20.19 or newer is needed, and this is Node 20.18.3.\n",
		});
	});
});
