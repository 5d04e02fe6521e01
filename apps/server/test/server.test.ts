import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newUser } from "./running-service";
import { type ServerProcess, startProcess } from "./server-process";
import { temporaryDirectory } from "./temporary-directory";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const managementKeys = { MANAGEMENT_KEYS: "management-key-for-tests" };

const keyIn = (output: string) => output.match(/Bearer ([\w-]+)/)?.[1];
const commandsIn = (output: string) =>
	output.split("\n").filter((line) => line.startsWith("curl "));

async function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
	return fetch(`${url}/api/auth${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
}

async function createTenant(url: string, key: string): Promise<{ id: string }> {
	const authorization = `Bearer ${key}`;
	const response = await post(
		url,
		"/tenant/create",
		{ name: "Acme", slug: "acme" },
		{ authorization },
	);
	expect(response.status).toBe(200);
	return (await response.json()) as { id: string };
}

async function stop(server: ServerProcess): Promise<void> {
	server.kill("SIGTERM");
	expect(await server.exitCode()).toBe(0);
}

describe("a first start", () => {
	let dataDir: string;
	let server: ServerProcess;
	let url: string;

	const ends: (() => unknown)[] = [];
	afterAll(async () => {
		for (const end of ends.reverse()) await end();
	});
	beforeAll(async () => {
		const atTheEnd = (end: () => unknown) => void ends.push(end);
		dataDir = join(temporaryDirectory(atTheEnd), "data");
		server = startProcess({ DATA_DIR: dataDir }, atTheEnd);
		url = await server.url();
	});

	test.skipIf(!hasCurl)("prints commands that create a tenant and sign up a user", () => {
		const commands = commandsIn(server.output());
		expect(commands).toHaveLength(2);
		const { stdout } = spawnSync("sh", { input: commands.join("\n"), encoding: "utf8" });
		const [tenant, signedUp] = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(tenant).toMatchObject({ name: "Acme", slug: "acme" });
		expect(signedUp).toMatchObject({
			user: { email: "ada@example.com", tenantId: tenant.id },
			session: { tenantId: tenant.id },
		});
	});

	test("prints the URL of the console and the file of the database", () => {
		expect(server.output()).toMatch(/^Console +http:\/\/localhost:\d+\/console$/m);
		expect(server.output()).toContain(`Database       ${join(dataDir, "auth.db")}\n`);
	});

	test("creates files that only their owner can read", () => {
		expect(statSync(dataDir).mode & 0o777).toBe(0o700);
		for (const file of readdirSync(dataDir)) {
			expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
		}
	});

	test("lets a program sign in without an origin, but not a page of another site", async () => {
		const { email, password } = newUser("nobody@example.com");
		const signIn = async (headers: Record<string, string>) =>
			(await post(url, "/sign-in/email", { email, password }, headers)).status;

		// Node's fetch always sends `sec-fetch-mode: cors`.
		expect(await signIn({})).toBe(401);
		expect(await signIn({ "sec-fetch-site": "cross-site" })).toBe(403);
		expect(await signIn({ origin: "https://elsewhere.example" })).toBe(403);
	});

	test("answers a malformed body with 400", async () => {
		for (const body of ["{", "", '{"name":', "nul"]) {
			const response = await fetch(`${url}/api/auth/tenant/create`, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body,
			});
			expect(response.status).toBe(400);
			expect(await response.json()).toMatchObject({ code: expect.any(String) });
		}
		expect(server.errors()).toBe("");
	});
});

test("generated secrets are shown once and still work after a restart and after kill -9", async () => {
	const environment = { DATA_DIR: join(temporaryDirectory(), "data") };
	const first = startProcess(environment);
	const firstUrl = await first.url();
	const key = keyIn(first.output()) ?? "";
	const { id } = await createTenant(firstUrl, key);
	const tenant = { "x-tenant-id": id };
	const signUp = (url: string, email: string) =>
		post(url, "/tenant/sign-up/email", newUser(email), tenant);
	const signIn = async (url: string, email: string) => {
		const { password } = newUser(email);
		return (await post(url, "/tenant/sign-in/email", { email, password }, tenant)).status;
	};
	await signUp(firstUrl, "ada@example.com");
	await stop(first);

	const second = startProcess(environment);
	const secondUrl = await second.url();
	expect(second.output()).not.toContain(key);
	const file = join(environment.DATA_DIR, "secrets.json");
	expect(second.output()).toContain(`with the key in ${file}`);
	const list = await fetch(`${secondUrl}/api/auth/tenant/list`, {
		headers: { authorization: `Bearer ${key}` },
	});
	expect(await list.json()).toMatchObject([{ id }]);
	expect(await signIn(secondUrl, "ada@example.com")).toBe(200);
	// A user who signed up still exists after the process was killed.
	const signedUp = await signUp(secondUrl, "grace@example.com");
	second.kill("SIGKILL");
	expect(await signedUp.json()).toMatchObject({ token: expect.any(String) });
	await second.exitCode();
	expect(second.errors()).toBe("");

	const third = startProcess({
		...environment,
		...managementKeys,
		BETTER_AUTH_URL: "https://auth.example.com",
	});
	const thirdUrl = await third.url();
	expect(await signIn(thirdUrl, "grace@example.com")).toBe(200);
	// The base URL is not the URL that it listens on. The server prints both.
	expect(thirdUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(third.output()).toContain("Base URL       https://auth.example.com\n");
	expect(third.output()).not.toContain(managementKeys.MANAGEMENT_KEYS);
});

test("in production all output is lines of JSON, and no key is shown", async () => {
	const dataDir = join(temporaryDirectory(), "data");
	const server = startProcess({ DATA_DIR: dataDir, NODE_ENV: "production" });
	const url = await server.url();
	await post(url, "/sign-in/email", { email: "nobody@example.com", password: "wrong password" });
	await stop(server);
	const lines = server
		.output()
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	const file = join(dataDir, "secrets.json");
	expect(lines).toContainEqual(
		expect.objectContaining({ msg: "listening", database: "sqlite", managementKeys: file }),
	);
	expect(lines).toContainEqual(
		expect.objectContaining({ msg: expect.stringContaining("operator create") }),
	);
	expect(lines.at(-1)).toMatchObject({ route: "/api/auth/sign-in/email", status: 401 });
	const { managementKey, betterAuthSecret } = JSON.parse(readFileSync(file, "utf8"));
	expect(server.output()).not.toContain(managementKey);
	expect(server.output()).not.toContain(betterAuthSecret);
	expect(server.errors()).toBe("");
});

/** Starts a request, and returns a function that sends the rest of it. */
async function beginRequest(url: string, path: string, body: object) {
	const headers = { "content-type": "application/json", expect: "100-continue" };
	const outgoing = request(`${url}/api/auth${path}`, { method: "POST", headers });
	outgoing.flushHeaders();
	await once(outgoing, "continue");
	return async () => {
		outgoing.end(JSON.stringify(body));
		const [response] = (await once(outgoing, "response")) as [IncomingMessage];
		response.resume();
		return response.statusCode;
	};
}

test.each(["SIGTERM", "SIGINT"] as const)(
	"%s, even twice, lets a running request finish and ends with exit code 0",
	async (signal) => {
		const dataDir = temporaryDirectory();
		const server = startProcess({ DATA_DIR: dataDir });
		const url = await server.url();
		const finish = await beginRequest(url, "/tenant/sign-up/email", {
			...newUser("ada@example.com"),
			tenantId: (await createTenant(url, keyIn(server.output()) ?? "")).id,
		});
		server.kill(signal);
		server.kill(signal);
		await expect.poll(() => fetch(url).catch(() => "refused")).toBe("refused");
		expect(await finish()).toBe(200);
		expect(await server.exitCode()).toBe(0);
		expect(statSync(join(dataDir, "auth.db-wal")).size).toBe(0);
		expect(server.errors()).toBe("");
	},
);
