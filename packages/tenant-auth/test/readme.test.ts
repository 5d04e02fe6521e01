import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { socialProviders } from "@better-auth/core/social-providers";
import { TENANT_AUTH_ERROR_CODES, tenantAuth } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeInstance } from "./support/instance";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The blocks that bear a file name, such as ```ts auth.ts */
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

	it("has the files that it runs", () => {
		expect(files.map(({ name }) => name)).toEqual([
			"auth.ts",
			"first-users.ts",
			"server.ts",
			"client.ts",
			"own-providers.ts",
			"jobs.ts",
		]);
		const started = [...readme.matchAll(/^npx tsx (\S+)$/gm)].map(([, name]) => name);
		expect(started).toEqual(["first-users.ts", "server.ts"]);
	});

	it("compiles in strict mode against the built package", () => {
		writeFileSync(
			join(folder, "tsconfig.json"),
			JSON.stringify({
				compilerOptions: {
					strict: true,
					noEmit: true,
					target: "es2022",
					module: "esnext",
					moduleResolution: "bundler",
					skipLibCheck: true,
					types: ["node"],
				},
			}),
		);
		const tsc = join(root, "node_modules/typescript/bin/tsc");
		const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
		expect(stdout).toBe("");
	});

	it("signs one address up as two users, serves, and signs in with the client", async () => {
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

describe("the README's tables", () => {
	const sectionOf = (title: string) => readme.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

	it("list every endpoint with its method", () => {
		const listed = [...sectionOf("Endpoints").matchAll(/^\| (`.*?`) (?:\(m\) )?\|/gm)].map(
			([, cell = ""]) => cell.replaceAll(/[`,]/g, ""),
		);
		const endpoints = Object.values(tenantAuth().endpoints).map(({ path, options }) =>
			[options.method, path.replace(":providerId", "{providerId}")].flat().join(" "),
		);
		expect(listed.sort()).toEqual(endpoints.sort());
	});

	it("list every error code", () => {
		const codes = [...sectionOf("Limits and errors").matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].flatMap(
			([, cell = ""]) => cell.replaceAll("`", "").split(", "),
		);
		expect(codes.sort()).toEqual(
			["VALIDATION_ERROR", ...Object.keys(TENANT_AUTH_ERROR_CODES)].sort(),
		);
	});
});

describe("the tables of provider settings", () => {
	const guide = readFileSync(join(root, "docs/oauth-providers.md"), "utf8");
	const namesIn = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
	const rowsOf = (text: string) =>
		text
			.slice(text.indexOf("\n| provider | setting"))
			.trim()
			.split("\n\n", 1)
			.flatMap((table) => table.split("\n").slice(2))
			.map((row) => row.split("|").slice(1, 3));

	/** "provider setting" for each setting in the README. */
	const inReadme = rowsOf(readme).flatMap(([providers = "", settings = ""]) =>
		namesIn(providers).flatMap((id) => namesIn(settings).map((name) => `${id} ${name}`)),
	);
	/** The same in the guide, where a row without a provider goes with the one above. */
	let above = "";
	const inGuide = rowsOf(guide).map(([provider = "", setting = ""]) => {
		above = namesIn(provider)[0] ?? above;
		return `${above} ${namesIn(setting)[0]}`;
	});

	it("stand beside the list of every built-in provider", () => {
		const list = guide.match(/^`apple`.*$/m)?.[0] ?? "";
		expect(namesIn(list).sort()).toEqual(Object.keys(socialProviders).sort());
	});

	it("agree with each other", () => {
		expect(inReadme.length).toBeGreaterThan(30);
		expect(inGuide.sort()).toEqual([...inReadme].sort());
	});

	it("name settings that exist", async () => {
		const { makeTenant, manage } = await makeInstance();
		const tenantId = await makeTenant();
		for (const entry of inReadme) {
			const [providerId = "", name = ""] = entry.split(" ");
			const { body } = await manage("/tenant/oauth-config/register", {
				// No setting is an object; an unknown one would be refused for its name.
				body: { tenantId, providerId, clientId: "id", clientSecret: "s", options: { [name]: {} } },
			});
			expect(body.message).toContain(`${name} is not valid`);
		}
	});
});

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
