import { expect, test } from "vitest";
import { command } from "./cli-command";
import { temporaryDirectory } from "./temporary-directory";

async function withTenant() {
	const settings = {
		DATA_DIR: temporaryDirectory(),
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	};
	const run = (...args: string[]) => command(settings, args);
	await run("migrate");
	await run("tenant", "create", "acme");
	return { run };
}

test("an application of all tenants is created, listed, disabled, rotated and deleted", async () => {
	const { run } = await withTenant();
	const uri = "https://{tenant}.example.com/callback";
	const created = await run("application", "create", "Notes", "--redirect-uri", uri, "--json");
	const { clientId, clientSecret, ...rest } = JSON.parse(created.out);
	expect(rest).toMatchObject({ name: "Notes", type: "web", tenantId: null, redirectUris: [uri] });
	expect((await run("application", "list")).out).toMatch(
		new RegExp(`^${clientId} +Notes +web +all +enabled$`, "m"),
	);
	const shown = await run("application", "show", clientId);
	expect(shown.out).toMatch(/^state +enabled$/m);
	expect(shown.out).not.toContain(clientSecret);
	const disabled = await run("application", "disable", clientId, "--json");
	expect(JSON.parse(disabled.out)).toMatchObject({ disabled: true });
	const enabled = await run("application", "enable", clientId, "--json");
	expect(JSON.parse(enabled.out)).toMatchObject({ disabled: false });
	const rotated = await run("application", "rotate-secret", clientId, "--yes");
	expect(rotated.out).toMatch(/^client secret +\w{48}$/m);
	expect(rotated.out).not.toContain(clientSecret);

	const asked = await run("application", "delete", clientId);
	expect([asked.code, asked.err]).toEqual([1, expect.stringContaining("--yes")]);
	const deleted = await run("application", "delete", clientId, "--yes");
	expect(deleted).toMatchObject({ code: 0, out: `Deleted Notes (${clientId}).\n` });
	expect((await run("application", "list")).out).toBe("There are no applications.\n");
	const events = await run("audit", "list", "--json");
	expect(events.out).toContain("app:delete-application");
});

test("an application of a tenant is managed with --tenant", async () => {
	const { run } = await withTenant();
	const ofTenant = (...args: string[]) => run("application", ...args, "--tenant", "acme");
	const created = await ofTenant("create", "Job", "--type", "machine", "--json");
	const { clientId, tenantId } = JSON.parse(created.out);
	expect(tenantId).toEqual(expect.any(String));
	expect((await run("application", "list")).out).toBe("There are no applications.\n");
	expect((await run("application", "delete", clientId, "--yes")).code).toBe(1);
	const shared = await run("application", "create", "Everywhere", "--type", "machine", "--json");
	const listed = await ofTenant("list", "--json");
	expect(JSON.parse(listed.out)).toMatchObject([{ name: "Job" }, { name: "Everywhere" }]);
	const refused = await ofTenant("delete", JSON.parse(shared.out).clientId, "--yes", "--json");
	expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([
		...[1, "APPLICATION_IS_SERVICE_WIDE"],
	]);
	expect((await ofTenant("delete", clientId, "--yes")).code).toBe(0);
});

test("wrong input is refused with a code", async () => {
	const { run } = await withTenant();
	const create = (...args: string[]) => run("application", "create", "Notes", ...args, "--json");
	for (const args of [[], ["--type", "desktop"], ["--redirect-uri", "https://{tenant}.com/"]]) {
		const { code, err } = await create(...args);
		expect([code, JSON.parse(err).error.code]).toEqual([
			...[1, expect.stringMatching(/^(VALIDATION_ERROR|INVALID_APPLICATION)$/)],
		]);
	}
	const { code, err } = await create("--tenant", "none", "--type", "machine");
	expect([code, JSON.parse(err).error.code]).toEqual([1, "TENANT_NOT_FOUND"]);
});
