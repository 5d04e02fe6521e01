import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The blocks with a file name, such as ```ts auth.ts */
const files = [...readme.matchAll(/^```ts (\S+\.ts)\n(.*?)^```$/gms)].map(
	([, name = "", text = ""]) => ({ name, text }),
);

const environment = {
	PATH: process.env.PATH,
	BETTER_AUTH_SECRET: "Jx3rJYx8V0f2m0sEwq1fD0kzJr5m1QbT",
	MANAGEMENT_KEY: "management-key-of-the-quick-start",
};

describe("the README's quick start", () => {
	let folder: string;
	let port: number;
	let server: ChildProcess;

	const run = (program: string) =>
		execFileSync(process.execPath, ["--import", "tsx", program], {
			cwd: folder,
			env: environment,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		});

	beforeAll(async () => {
		// The package as it would be installed: built.
		execFileSync(process.execPath, ["scripts/ready.mjs", "--no-install"], {
			cwd: root,
			stdio: "pipe",
		});
		folder = mkdtempSync(join(tmpdir(), "quick-start-"));
		port = await findFreePort();
		symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
		writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
		for (const { name, text } of files) {
			writeFileSync(join(folder, name), text.replaceAll("3000", String(port)));
		}
	});

	afterAll(async () => {
		if (server) {
			server.kill();
			await once(server, "close");
		}
		rmSync(folder, { recursive: true, force: true });
	});

	it("has all files that it runs", () => {
		expect(files.map(({ name }) => name)).toEqual([
			"auth.ts",
			"first-users.ts",
			"server.ts",
			"client.ts",
			"own-providers.ts",
			"emails.ts",
			"jobs.ts",
		]);
		const started = [...readme.matchAll(/^npx tsx (\S+)$/gm)].map(([, name]) => name);
		expect(started).toEqual(["first-users.ts", "server.ts"]);
	});

	it("compiles against the built package with every strict option, and so does a larger app", () => {
		cpSync(fileURLToPath(new URL("strict-app", import.meta.url)), join(folder, "strict-app"), {
			recursive: true,
		});
		writeFileSync(
			join(folder, "tsconfig.json"),
			JSON.stringify({
				compilerOptions: {
					strict: true,
					// With declarations, each exported type must have a name that the app can import.
					composite: true,
					exactOptionalPropertyTypes: true,
					noUncheckedIndexedAccess: true,
					verbatimModuleSyntax: true,
					// The projects of this repository use "bundler".
					module: "nodenext",
					target: "es2022",
					lib: ["es2022", "dom"],
					outDir: "compiled",
					skipLibCheck: true,
					types: ["node"],
				},
			}),
		);
		const tsc = join(root, "node_modules/typescript/bin/tsc");
		const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
		expect(stdout).toBe("");
	});

	it("creates two users with one email, serves, and signs in with the client", async () => {
		const lines = run("first-users.ts").trim().split("\n");
		const told = lines.map((line) =>
			line.match(/^ada@example\.com of (?<slug>\w+) is user (?<id>\w+)$/),
		);
		const users = Object.fromEntries(
			told.map((match) => [match?.groups?.slug, match?.groups?.id ?? ""]),
		);
		expect(Object.keys(users)).toEqual(["acme", "globex"]);
		expect(users.acme).not.toBe(users.globex);

		server = spawn(process.execPath, ["--import", "tsx", "server.ts"], {
			cwd: folder,
			env: environment,
			stdio: "ignore",
		});
		writeFileSync(join(folder, "browser.ts"), browser(port));
		expect(JSON.parse(run("browser.ts"))).toEqual({
			signedIn: users.globex,
			withThePasswordOfAnother: "Invalid email or password",
			counts: [1, 2],
		});
	});
});

/** What a page would do; Node's fetch has no origin of its own to send. */
const browser = (port: number) => `
	const origin = "http://localhost:${port}";
	const send = globalThis.fetch;
	globalThis.fetch = (input, init) => {
		const request = new Request(input, init);
		request.headers.set("origin", origin);
		return send(request);
	};
	const { enter, signIn } = await import("./client");
	const tenants = async () => {
		const headers = { authorization: "Bearer ${environment.MANAGEMENT_KEY}" };
		return (await send(origin + "/api/auth/tenant/list", { headers })).json();
	};
	let list;
	for (let tries = 0; !list; tries += 1) {
		list = await tenants().catch(() => undefined);
		if (!list) await new Promise((resolve) => setTimeout(resolve, 100));
	}
	enter(list.find(({ slug }) => slug === "globex").id);
	const { id } = await signIn("ada@example.com", "the password at globex");
	const { countAllUsers, countUsers } = await import("./jobs");
	const counts = [await countUsers(list[0].id), await countAllUsers()];
	const refusal = await signIn("ada@example.com", "the password at acme").catch((error) => error);
	console.log(JSON.stringify({ signedIn: id, withThePasswordOfAnother: refusal.message, counts }));
`;

async function findFreePort(): Promise<number> {
	const probe = createServer().listen(0, "127.0.0.1");
	await once(probe, "listening");
	const address = probe.address();
	probe.close();
	await once(probe, "close");
	if (address === null || typeof address === "string") throw new Error("no port");
	return address.port;
}

describe("the README of the npm package", () => {
	const printed = execFileSync(process.execPath, ["scripts/npm-readme.mjs"], {
		cwd: root,
		encoding: "utf8",
	});
	const headingsOf = (text: string) => [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);

	it("has all sections of the README, except the one about the repository's server", () => {
		expect(headingsOf(printed)).toEqual(headingsOf(readme).filter((title) => title !== "Try it"));
	});

	it("refers to no file that the package does not contain", () => {
		const targets = [...printed.matchAll(/\]\((?<link>[^)]+)\)|src="(?<image>[^"]+)"/g)].map(
			({ groups }) => groups?.link ?? groups?.image ?? "",
		);
		expect(targets.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
	});
});
