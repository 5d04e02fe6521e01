import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { startServer } from "../src/server";
import { readSettings } from "../src/settings/settings";
import { reportStart } from "../src/startup-banner";
import { cheapPasswords } from "./cheap-passwords";
import { newUser, runningService } from "./running-service";
import { startProcess } from "./server-process";
import { temporaryDirectory } from "./temporary-directory";

const keyIn = (output: string) => output.match(/Bearer ([\w-]+)/)?.[1];

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

describe("a first start", () => {
	/** A server in this process, and what it prints. */
	async function firstStart(environment: Record<string, string> = {}) {
		const dataDir = join(temporaryDirectory(), "data");
		const settings = readSettings(
			{ PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "silent", ...environment },
			"/",
		);
		const server = await startServer(settings, { passwords: cheapPasswords });
		onTestFinished(server.close);
		let output = "";
		const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
			output += String(chunk);
			return true;
		});
		reportStart(server, server.log);
		spy.mockRestore();
		return { dataDir, output, url: server.localUrl };
	}

	/** Does what curl would do. */
	const send = (command: string) => {
		const [, url = ""] = /curl -sS -w '\\n' (\S+)/.exec(command) ?? [];
		const headers = [...command.matchAll(/-H (['"])(.*?): (.*?)\1(?= )/g)];
		const [, body = ""] = / -d '(.*)'$/.exec(command) ?? [];
		return fetch(url, {
			method: "POST",
			headers: Object.fromEntries(headers.map(([, , name = "", value = ""]) => [name, value])),
			body,
		});
	};

	test("prints commands that create a tenant and sign up a user", async () => {
		const { output } = await firstStart();
		const [create = "", signUp = "", ...more] = output.match(/^curl .*$/gm) ?? [];
		expect(more).toEqual([]);
		const tenant = (await (await send(create)).json()) as { id: string };
		expect(tenant).toMatchObject({ name: "Acme", slug: "acme" });
		const withTenant = signUp.replace(/\$\(curl .*\| sed .*\)(?=" -H)/, tenant.id);
		expect(await (await send(withTenant)).json()).toMatchObject({
			user: { email: "ada@example.com", tenantId: tenant.id },
			session: { tenantId: tenant.id },
		});
	});

	test("prints its URLs and the file of the database", async () => {
		const { output, dataDir, url } = await firstStart();
		expect(output).toContain(`Listening on   ${url}\n`);
		expect(output).toMatch(/^Console +http:\/\/localhost:\d+\/console$/m);
		expect(output).toContain(`Database       ${join(dataDir, "auth.db")}\n`);
		// The base URL is not the URL that it listens on. The server prints both.
		const elsewhere = await firstStart({
			BETTER_AUTH_URL: "https://auth.example.com",
			MANAGEMENT_KEYS: "management-key-for-tests",
		});
		expect(elsewhere.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		expect(elsewhere.output).toContain("Base URL       https://auth.example.com\n");
		expect(elsewhere.output).toContain("SMTP_URL is not set");
		expect(elsewhere.output).not.toContain("management-key-for-tests");
	});

	test("creates files that only their owner can read", async () => {
		const { dataDir } = await firstStart();
		expect(statSync(dataDir).mode & 0o777).toBe(0o700);
		const files = readdirSync(dataDir);
		expect(files).toContain("secrets.json");
		for (const file of notEmpty(files)) {
			expect([file, statSync(join(dataDir, file)).mode & 0o777]).toEqual([file, 0o600]);
		}
	});
});

test("a program may sign in without an origin, but not a page of another site", async () => {
	const { post, backend } = await runningService();
	// Better Auth skips these checks in tests.
	Object.assign(await backend.auth.$context, { skipOriginCheck: false, skipCSRFCheck: false });
	const { email, password } = newUser("nobody@example.com");
	const signIn = async (headers: Record<string, string>) =>
		(await post("/sign-in/email", { email, password }, headers)).status;

	// Node's fetch always sends `sec-fetch-mode: cors`.
	expect(await signIn({ "sec-fetch-mode": "cors" })).toBe(401);
	const page = { "sec-fetch-mode": "cors", "sec-fetch-site": "cross-site" };
	expect(await signIn(page)).toBe(403);
	expect(await signIn({ origin: "https://elsewhere.example" })).toBe(403);
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

describe("the built server in its own process", () => {
	test("stops with one sentence for a wrong setting, and creates nothing", async () => {
		const dataDir = join(temporaryDirectory(), "data");
		const server = startProcess({ DATA_DIR: dataDir, PORT: "eighty" });
		expect(await server.exitCode()).toBe(1);
		expect(server.errors()).toBe('PORT must be a number from 0 to 65535, but it is "eighty".\n');
		expect(server.output()).toBe("");
		expect(existsSync(dataDir)).toBe(false);
	});

	// A start takes seconds, so this follows one service through three of them.
	test("generates secrets that still work after SIGTERM, SIGKILL and SIGINT", async () => {
		const dataDir = join(temporaryDirectory(), "data");
		const file = join(dataDir, "secrets.json");
		/** Signals during a request, even twice, let it finish and end the process with exit code 0. */
		const stopDuringRequest = async (
			server: ReturnType<typeof startProcess>,
			signal: NodeJS.Signals,
			path: string,
			body: object,
		) => {
			const url = await server.url();
			const finish = await beginRequest(url, path, body);
			server.kill(signal);
			server.kill(signal);
			await expect.poll(() => fetch(url).catch(() => "refused")).toBe("refused");
			const status = await finish();
			expect(await server.exitCode()).toBe(0);
			expect(statSync(join(dataDir, "auth.db-wal")).size).toBe(0);
			expect(server.errors()).toBe("");
			return status;
		};

		const first = startProcess({ DATA_DIR: dataDir });
		const firstUrl = await first.url();
		const key = keyIn(first.output()) ?? "";
		const { id } = await createTenant(firstUrl, key);
		const tenant = { "x-tenant-id": id };
		const ada = { ...newUser("ada@example.com"), tenantId: id };
		expect(await stopDuringRequest(first, "SIGTERM", "/tenant/sign-up/email", ada)).toBe(200);

		const signIn = async (url: string, email: string) => {
			const { password } = newUser(email);
			return (await post(url, "/tenant/sign-in/email", { email, password }, tenant)).status;
		};
		const second = startProcess({ DATA_DIR: dataDir });
		const secondUrl = await second.url();
		// The key is shown once.
		expect(second.output()).not.toContain(key);
		expect(second.output()).toContain(`with the key in ${file}`);
		const list = await fetch(`${secondUrl}/api/auth/tenant/list`, {
			headers: { authorization: `Bearer ${key}` },
		});
		expect(await list.json()).toMatchObject([{ id }]);
		expect(await signIn(secondUrl, "ada@example.com")).toBe(200);
		// A user who signed up still exists after the process was killed.
		const grace = newUser("grace@example.com");
		const signedUp = await post(secondUrl, "/tenant/sign-up/email", grace, tenant);
		second.kill("SIGKILL");
		expect(await signedUp.json()).toMatchObject({ token: expect.any(String) });
		await second.exitCode();
		expect(second.errors()).toBe("");

		const third = startProcess({
			DATA_DIR: dataDir,
			NODE_ENV: "production",
			BETTER_AUTH_URL: "https://auth.example.com",
		});
		const thirdUrl = await third.url();
		expect(await signIn(thirdUrl, "grace@example.com")).toBe(200);
		const nobody = { email: "nobody@example.com", password: "wrong password" };
		expect(await stopDuringRequest(third, "SIGINT", "/sign-in/email", nobody)).toBe(401);
		// In production all output is lines of JSON, and no key is shown.
		const lines = third
			.output()
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(lines).toContainEqual(
			expect.objectContaining({
				msg: "listening",
				database: "sqlite",
				managementKeys: file,
				localUrl: thirdUrl,
				baseUrl: "https://auth.example.com",
			}),
		);
		expect(lines).toContainEqual(
			expect.objectContaining({ msg: expect.stringContaining("operator create") }),
		);
		expect(lines).toContainEqual(
			expect.objectContaining({ msg: expect.stringContaining("SMTP_URL is not set") }),
		);
		expect(lines.at(-1)).toMatchObject({ route: "/api/auth/sign-in/email", status: 401 });
		const { managementKey, betterAuthSecret } = JSON.parse(readFileSync(file, "utf8"));
		expect(third.output()).not.toContain(managementKey);
		expect(third.output()).not.toContain(betterAuthSecret);
	});
});
