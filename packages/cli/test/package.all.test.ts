import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../apps/server/test/temporary-directory";
import { devDependencies } from "../../tenant-auth/package.json" with { type: "json" };
import { buildCommand, repository } from "./support/built-command";

const peers = (["better-auth", "better-call"] as const).map(
	(name) => `${name}@${devDependencies[name]}`,
);

/** Nothing of the npm that runs the tests, except where it finds packages. */
const environment = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/^npm_/i.test(name) || /^npm_config_(registry|cafile|userconfig)$/i.test(name),
	),
);

describe("the published packages", () => {
	let folder: string;
	const files: string[] = [];

	beforeAll(() => {
		buildCommand();
		folder = temporaryDirectory(afterAll);
		const workspaces = [
			...["better-auth-tenant", "better-auth-tenant-cli"],
			...["better-auth-fast", "fair-load-shedder"],
		];
		const packed = workspaces.map((workspace) => {
			const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
			const [first] = JSON.parse(
				execFileSync("npm", [...args, `--workspace=${workspace}`], {
					cwd: repository,
					encoding: "utf8",
				}),
			);
			if (workspace.endsWith("-cli")) {
				files.push(...first.files.map(({ path }: { path: string }) => path));
			}
			return `./${first.filename}`;
		});
		writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
		const args = ["install", "--no-audit", "--no-fund", ...peers, ...packed];
		execFileSync("npm", args, { cwd: folder, env: environment, stdio: "pipe" });
	});

	/** What npx does with an installed program. */
	const npx = (program: string, ...args: string[]) => {
		const options = { cwd: folder, env: environment, encoding: "utf8" } as const;
		const file = join(folder, "node_modules/.bin", program);
		const { status, stdout, stderr } = spawnSync(file, args, options);
		return { status, stdout, stderr };
	};

	test("have the program and the license, and no sources", () => {
		expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "dist/main.mjs"]));
		expect(
			files.filter(
				(path) => !/^(LICENSE|README\.md|CHANGELOG\.md|package\.json|dist\/.*\.mjs)$/.test(path),
			),
		).toEqual([]);
	});

	test("run under both names, with one copy of the plugin", () => {
		const usage = {
			status: 0,
			stdout: expect.stringContaining("Usage: better-auth-tenant import"),
		};
		expect(npx("better-auth-tenant", "import", "--help")).toMatchObject(usage);
		expect(npx("better-auth-tenant-cli", "import", "--help")).toMatchObject(usage);
		const { stdout } = spawnSync("find", [".", "-path", "*/node_modules/better-auth-tenant"], {
			cwd: folder,
			encoding: "utf8",
		});
		expect(stdout).toBe("./node_modules/better-auth-tenant\n");
	});

	test("respond to requests, with the fast handler and the load shedder beside it", () => {
		const app = `import { betterAuth } from "better-auth";
			import { fastHandler } from "better-auth-fast";
			import { tenantAuth } from "better-auth-tenant";
			import { createLoadShedder } from "fair-load-shedder";
			const auth = betterAuth({ secret: "a secret for this test only, 32 characters", plugins: [tenantAuth()] });
			const shedder = createLoadShedder({ maxRunning: 8 });
			const { status } = await fastHandler(auth)(new Request("http://localhost/api/auth/ok"));
			console.log(status, typeof shedder.admit);`;
		writeFileSync(join(folder, "app.mjs"), app);
		const options = { cwd: folder, env: environment, encoding: "utf8" } as const;
		const { stdout } = spawnSync(process.execPath, ["app.mjs"], options);
		expect(stdout).toBe("200 function\n");
	});

	test("plan an upgrade with the plugin of the app", () => {
		writeFileSync(
			join(folder, "auth.ts"),
			`import { tenantAuth } from "better-auth-tenant";
			export const options: object = { plugins: [tenantAuth()] };`,
		);
		expect(npx("better-auth-tenant", "upgrade", "--dry-run")).toMatchObject({
			status: 1,
			stderr: expect.stringMatching(/^The upgrade supports SQLite, PostgreSQL and MySQL/),
		});
	});

	test("say how to install the command line if only the plugin is there", () => {
		rmSync(join(folder, "node_modules/better-auth-tenant-cli"), { recursive: true });
		expect(npx("better-auth-tenant", "upgrade")).toEqual({
			status: 1,
			stdout: "",
			stderr:
				"Install the command line in your app with: npm install --save-dev better-auth-tenant-cli\n",
		});
	});
});
