import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { builtProgram } from "../built-program";
import { temporaryDirectory } from "../temporary-directory";
import { repository } from "./deploy-files";

type Packed = [{ filename: string; files: { path: string }[] }];

/** Both packages, as npm would publish them, in an empty folder. */
describe("the published packages", () => {
	let folder: string;
	let packedFiles: string[];

	/** Nothing of this repository or of this user: a new cache, and no settings of npm but the registry. */
	const env = () => ({
		PATH: process.env.PATH,
		HOME: folder,
		npm_config_cache: join(folder, ".npm"),
		npm_config_update_notifier: "false",
		...pick(/^npm_config_(registry|proxy|https_proxy|cafile|userconfig)$|^NODE_EXTRA_CA_CERTS$/i),
	});

	beforeAll(() => {
		builtProgram("cli");
		folder = temporaryDirectory(afterAll);
		const workspaces = ["better-auth-tenant", "better-auth-tenant-server"];
		const [plugin = "", server = ""] = workspaces.map((workspace) => {
			const args = ["pack", "--json", "--pack-destination", folder, `--workspace=${workspace}`];
			const output = execFileSync("npm", args, { cwd: repository, encoding: "utf8" });
			// A script that npm runs before may print something, too.
			const [{ filename, files }]: Packed = JSON.parse(output.slice(output.indexOf("[\n")));
			if (workspace.endsWith("-server")) packedFiles = files.map(({ path }) => path);
			return filename;
		});
		// As in docs/deploy.md, in place of a registry that has the plugin.
		const overrides = { "better-auth-tenant": `file:${plugin}` };
		writeFileSync(join(folder, "package.json"), JSON.stringify({ overrides }));
		execFileSync("npm", ["install", "--no-audit", "--no-fund", `./${server}`], {
			cwd: folder,
			env: env(),
			stdio: "pipe",
		});
	});

	test("have the built server, its pages and the license, and no sources", () => {
		expect(packedFiles).toEqual(
			expect.arrayContaining([
				"LICENSE",
				"README.md",
				"bin/tenant-auth.mjs",
				"dist/cli.mjs",
				"dist/main.mjs",
				"pages/console.html",
				"pages/tenant.html",
			]),
		);
		const expected =
			/^(LICENSE|README\.md|package\.json|(bin|dist|pages)\/[^ ]+\.(mjs|html|(js|css|svg)(\.br)?))$/;
		expect(packedFiles.filter((path) => !expected.test(path))).toEqual([]);
	});

	test("depend on each other in the version of this repository", () => {
		const manifest = (path: string) =>
			JSON.parse(readFileSync(join(repository, path, "package.json"), "utf8"));
		const server = manifest("apps/server");
		const plugin = manifest("packages/tenant-auth");
		expect(server.dependencies[plugin.name]).toBe(plugin.version);
		expect(server.version).toBe(plugin.version);
		expect(server.private).toBeUndefined();
	});

	test("install one copy of Better Auth", () => {
		const { stdout } = spawnSync("find", [".", "-path", "*/node_modules/better-auth"], {
			cwd: folder,
			encoding: "utf8",
		});
		expect(stdout).toBe("./node_modules/better-auth\n");
	});

	test("start with npx, and serve the API and the pages", async () => {
		const help = spawnSync("npx", ["--no", "--", "better-auth-tenant-server", "--help"], {
			cwd: folder,
			env: env(),
			encoding: "utf8",
		});
		expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining("tenant-auth") });

		const server = spawn(join(folder, "node_modules/.bin/tenant-auth"), ["serve"], {
			cwd: folder,
			env: { ...env(), PORT: "0" },
			stdio: ["ignore", "pipe", "inherit"],
		});
		const exited = once(server, "close");
		onTestFinished(async () => {
			server.kill("SIGKILL");
			await exited;
		});
		let output = "";
		server.stdout.on("data", (chunk) => {
			output += chunk;
		});
		await expect.poll(() => output).toMatch(/^Listening on +\S+$/m);
		const origin = String(/^Listening on +(\S+)$/m.exec(output)?.[1]);

		const page = await (await fetch(`${origin}/console`)).text();
		const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path);
		expect(assets.length).toBeGreaterThan(1);
		for (const path of notEmpty(assets))
			expect((await fetch(`${origin}${path}`)).status, path).toBe(200);

		const { managementKey } = JSON.parse(readFileSync(join(folder, "data/secrets.json"), "utf8"));
		const created = await fetch(`${origin}/api/auth/tenant/create`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${managementKey}`,
				"content-type": "application/json",
			},
			body: JSON.stringify({ name: "Acme", slug: "acme" }),
		});
		expect(await created.json()).toMatchObject({ slug: "acme" });
		server.kill("SIGTERM");
		expect(await exited).toEqual([0, null]);
	});
});

function pick(names: RegExp): Record<string, string> {
	return Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) =>
			names.test(name) && value !== undefined ? [[name, value]] : [],
		),
	);
}
