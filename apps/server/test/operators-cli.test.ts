import { expect, test } from "vitest";
import { command } from "./cli-command";
import { operatorPassword, signIn } from "./operator-accounts";
import { newTenant, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

async function withServer() {
	const environment = {
		DATA_DIR: temporaryDirectory(),
		BETTER_AUTH_URL: "http://localhost:3000",
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	};
	const service = await runningService(environment);
	return { service, run: (...args: string[]) => command(environment, args) };
}

test("operator create prints a link that makes the first owner", async () => {
	const { service, run } = await withServer();
	expect((await run("operator", "list")).out).toBe("There are no operators.\n");
	const created = await run("operator", "create", "ada@example.com", "--role", "owner");
	expect([created.code, created.err]).toEqual([0, ""]);
	const link = new URL(/https?:\/\/\S+/.exec(created.out)?.[0] ?? "");
	expect(link.pathname).toBe("/console/new-password");
	const token = link.searchParams.get("token");
	await service.post("/reset-password", { token, newPassword: operatorPassword });
	expect((await signIn(service, "ada@example.com")).status).toBe(200);

	const list = await run("operator", "list", "--json");
	expect(JSON.parse(list.out)).toMatchObject([
		{ email: "ada@example.com", role: "owner", pending: false },
	]);
	expect((await run("operator", "list")).out).toMatch(/ada@example\.com +ada +owner +no +never/);
});

test("operator role, reset and remove change an operator, but not the last owner", async () => {
	const { run } = await withServer();
	await run("operator", "create", "ada@example.com", "--role", "owner");
	await run("operator", "create", "bob@example.com", "--role", "support", "--name", "Bob B.");
	expect((await run("operator", "role", "bob@example.com", "auditor")).code).toBe(0);
	const demoted = await run("operator", "role", "ada@example.com", "auditor", "--json");
	expect(demoted.code).toBe(1);
	expect(JSON.parse(demoted.err)).toMatchObject({ error: { code: "LAST_OWNER" } });
	const reset = await run("operator", "reset", "bob@example.com", "--yes", "--json");
	expect(JSON.parse(reset.out)).toMatchObject({
		operator: { role: "auditor", name: "Bob B." },
		url: expect.stringContaining("/console/new-password?token="),
	});
	expect((await run("operator", "remove", "bob@example.com")).code).toBe(1);
	expect((await run("operator", "remove", "bob@example.com", "--yes")).out).toBe(
		"Removed bob@example.com.\n",
	);
	const gone = await run("operator", "remove", "bob@example.com", "--yes");
	expect([gone.code, gone.err]).toEqual([1, "There is no operator bob@example.com.\n"]);
});

test("wrong usage is refused with exit code 2", async () => {
	const { run } = await withServer();
	expect((await run("operator", "create", "ada@example.com")).code).toBe(2);
	expect((await run("operator", "create", "ada@example.com", "--role", "king")).code).toBe(2);
	expect((await run("operator", "role", "ada@example.com", "king")).code).toBe(2);
	expect((await run("key", "create", "ci", "--scope", "auditor", "--expires-in", "x")).code).toBe(
		2,
	);
	expect((await run("operator", "create", "nobody", "--role", "owner")).code).toBe(1);
});

test("key create, list and revoke", async () => {
	const { service, run } = await withServer();
	const tenantId = await newTenant(service.post, "acme");
	const limited = ["--tenant", "acme", "--expires-in", "30"];
	const created = await run("key", "create", "ci", "--scope", "user:list", ...limited, "--json");
	const { key, id, expiresAt } = JSON.parse(created.out);
	expect(JSON.parse(created.out)).toMatchObject({ name: "ci", scopes: ["user:list"], tenantId });
	expect(new Date(expiresAt).getTime()).toBeGreaterThan(Date.now() + 29 * 24 * 60 * 60 * 1000);
	const headers = { authorization: `Bearer ${key}` };
	const list = () => service.call(`/api/auth/tenant/user/list?tenantId=${tenantId}`, { headers });
	expect((await list()).status).toBe(200);
	const plain = await run("key", "create", "ops", "--scope", "operator", "--scope", "auditor");
	expect(plain.out).toMatch(/^tak_[\w-]{43}\n$/);
	expect((await run("key", "list")).out).toMatch(/ops +tak_.{4}… +operator auditor +all +never/);
	expect((await run("key", "revoke", id, "--yes")).out).toBe(`Revoked ci (${id}).\n`);
	expect((await list()).status).toBe(403);
	expect((await run("key", "revoke", id, "--yes")).code).toBe(1);
	expect((await run("key", "create", "bad", "--scope", "owner")).code).toBe(1);
});
