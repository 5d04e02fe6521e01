import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newUser } from "./running-service";
import { type ServerProcess, startProcess } from "./server-process";
import { hasCurl } from "./shell-blocks";
import { temporaryDirectory } from "./temporary-directory";

let server: ServerProcess;
let url: string;

const ends: (() => unknown)[] = [];
afterAll(async () => {
	for (const end of ends.reverse()) await end();
});
beforeAll(async () => {
	const atTheEnd = (end: () => unknown) => void ends.push(end);
	server = startProcess({ DATA_DIR: temporaryDirectory(atTheEnd) }, atTheEnd);
	url = await server.url();
});

const send = (path: string, body: string, headers: Record<string, string> = {}) =>
	fetch(`${url}/api/auth${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body,
	});

test.skipIf(!hasCurl)("the commands that a first start prints work as they are", () => {
	const commands = server
		.output()
		.split("\n")
		.filter((line) => line.startsWith("curl "));
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

test("outside of tests, a page of another site may not sign in", async () => {
	const { email, password } = newUser("nobody@example.com");
	const signIn = async (headers: Record<string, string>) =>
		(await send("/sign-in/email", JSON.stringify({ email, password }), headers)).status;
	expect(await signIn({})).toBe(401);
	expect(await signIn({ "sec-fetch-site": "cross-site" })).toBe(403);
	expect(await signIn({ origin: "https://elsewhere.example" })).toBe(403);
});

test("a malformed body is answered with 400, and nothing is printed to stderr", async () => {
	for (const body of ["{", "", '{"name":', "nul"]) {
		const response = await send("/tenant/create", body);
		expect(response.status).toBe(400);
		expect(await response.json()).toMatchObject({ code: expect.any(String) });
	}
	expect(server.errors()).toBe("");
});
