import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newUser } from "./running-service";
import { type ServerProcess, startProcess } from "./server-process";
import { temporaryDirectory } from "./temporary-directory";

const hasCurl = spawnSync("curl", ["--version"]).status === 0;
const managementKeys = { MANAGEMENT_KEYS: "management-key-for-tests" };

const keyIn = (output: string) => output.match(/Bearer ([\w-]+)/)?.[1];
const linesIn = (output: string) => output.split("\n").filter((line) => line.startsWith("curl "));

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

test.skipIf(!hasCurl)(
	"the lines printed on the first start create a tenant and sign a user up",
	async () => {
		const server = startProcess({ DATA_DIR: join(temporaryDirectory(), "data") });
		await server.url();
		const lines = linesIn(server.output());
		expect(lines).toHaveLength(2);

		const { stdout } = spawnSync("sh", { input: lines.join("\n"), encoding: "utf8" });
		const [tenant, signedUp] = stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(tenant).toMatchObject({ name: "Acme", slug: "acme" });
		expect(signedUp).toMatchObject({
			user: { email: "ada@example.com", tenantId: tenant.id },
			session: { tenantId: tenant.id },
		});
	},
);

test("what was generated is private, shown once, and still good after a restart", async () => {
	const dataDir = join(temporaryDirectory(), "data");
	const first = startProcess({ DATA_DIR: dataDir });
	const firstUrl = await first.url();
	const key = keyIn(first.output()) ?? "";
	const { id } = await createTenant(firstUrl, key);
	const tenant = { "x-tenant-id": id };
	await post(firstUrl, "/tenant/sign-up/email", newUser("ada@example.com"), tenant);
	expect(statSync(dataDir).mode & 0o777).toBe(0o700);
	for (const file of readdirSync(dataDir)) {
		expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
	}
	await stop(first);

	const second = startProcess({ DATA_DIR: dataDir });
	const url = await second.url();
	expect(second.output()).not.toContain(key);
	expect(second.output()).toContain(`with the key in ${join(dataDir, "secrets.json")}`);
	const list = await fetch(`${url}/api/auth/tenant/list`, {
		headers: { authorization: `Bearer ${key}` },
	});
	expect(await list.json()).toMatchObject([{ id }]);
	const { email, password } = newUser("ada@example.com");
	const signedIn = await post(url, "/tenant/sign-in/email", { email, password }, tenant);
	expect(signedIn.status).toBe(200);
	expect(second.errors()).toBe("");
});

test("in production everything that is printed is a line of JSON, and no key is shown", async () => {
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
	expect(lines[0]).toMatchObject({ msg: "listening", database: "sqlite", managementKeys: file });
	expect(lines.at(-1)).toMatchObject({ route: "/api/auth/sign-in/email", status: 401 });
	const { managementKey, betterAuthSecret } = JSON.parse(readFileSync(file, "utf8"));
	expect(server.output()).not.toContain(managementKey);
	expect(server.output()).not.toContain(betterAuthSecret);
	expect(server.errors()).toBe("");
});

test("a user who was told of the sign-up is there after a kill -9", async () => {
	const environment = { DATA_DIR: temporaryDirectory(), ...managementKeys };
	const first = startProcess(environment);
	const url = await first.url();
	const { id } = await createTenant(url, managementKeys.MANAGEMENT_KEYS);
	const tenant = { "x-tenant-id": id };
	const signedUp = await post(url, "/tenant/sign-up/email", newUser("ada@example.com"), tenant);
	first.kill("SIGKILL");
	const { token } = (await signedUp.json()) as { token: string };
	await first.exitCode();
	expect(token).toEqual(expect.any(String));

	const second = startProcess(environment);
	const { email, password } = newUser("ada@example.com");
	const signedIn = await post(
		await second.url(),
		"/tenant/sign-in/email",
		{ email, password },
		tenant,
	);
	expect(signedIn.status).toBe(200);
});

/** A request the server has begun to read, and how to send the rest of it. */
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
	"%s, even twice, lets a request finish and ends with exit code 0",
	async (signal) => {
		const dataDir = temporaryDirectory();
		const server = startProcess({ DATA_DIR: dataDir });
		const url = await server.url();
		const finish = await beginRequest(url, "/sign-up/email", newUser("ada@example.com"));
		server.kill(signal);
		server.kill(signal);
		await expect.poll(() => fetch(url).catch(() => "refused")).toBe("refused");
		expect(await finish()).toBe(200);
		expect(await server.exitCode()).toBe(0);
		expect(statSync(join(dataDir, "auth.db-wal")).size).toBe(0);
		expect(server.errors()).toBe("");
	},
);

test("an address for callers that is not this one is used for them, and the port is told", async () => {
	const server = startProcess({
		DATA_DIR: temporaryDirectory(),
		BETTER_AUTH_URL: "https://auth.example.com",
		...managementKeys,
	});
	expect(await server.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(server.output()).toContain("Callers use    https://auth.example.com\n");
	expect(server.output()).not.toContain(managementKeys.MANAGEMENT_KEYS);
});

test("a program signs in without an origin, a page of another site does not", async () => {
	const server = startProcess({ DATA_DIR: temporaryDirectory() });
	const url = await server.url();
	const { email, password } = newUser("nobody@example.com");
	const signIn = async (headers: Record<string, string>) =>
		(await post(url, "/sign-in/email", { email, password }, headers)).status;

	// Node's fetch says `sec-fetch-mode: cors` by itself.
	expect(await signIn({})).toBe(401);
	expect(await signIn({ "sec-fetch-site": "cross-site" })).toBe(403);
	expect(await signIn({ origin: "https://elsewhere.example" })).toBe(403);
});

test("a body that is no JSON is the caller's mistake, over the wire too", async () => {
	const server = startProcess({ DATA_DIR: temporaryDirectory() });
	const url = `${await server.url()}/api/auth/tenant/create`;
	for (const body of ["{", "", '{"name":', "nul"]) {
		const headers = { "content-type": "application/json" };
		const response = await fetch(url, { method: "POST", headers, body });
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({ code: expect.any(String) });
	}
	expect(server.errors()).toBe("");
});
