import { expect, test } from "vitest";
import { command } from "../cli-command";
import { temporaryDirectory } from "../temporary-directory";

test("a token is made, shown without its secret, and revoked, and groups get roles", async () => {
	const settings = {
		DATA_DIR: temporaryDirectory(),
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
	};
	const off = (...args: string[]) => command(settings, args);
	const run = (...args: string[]) => command({ ...settings, SCIM: "true" }, args);
	await off("migrate");
	await off("tenant", "create", "acme");
	const refused = await off("scim", "show", "--tenant", "acme", "--json");
	expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, "SCIM_OFF"]);
	expect((await run("scim", "show", "--tenant", "acme")).err).toContain("Run migrate");
	expect((await run("migrate")).code).toBe(0);

	const ofAcme = (...args: string[]) => run("scim", ...args, "--tenant", "acme");
	const wrong = await ofAcme("create-token", "Okta", "--expires-in", "0");
	expect(wrong.code).toBe(2);
	const created = await ofAcme("create-token", "Okta", "--expires-in", "30");
	expect(created.out).toMatch(/^ba_scim_credential_[\w-]+\.[\w-]{48}\n$/);
	const shown = await ofAcme("show");
	expect(shown.out).toMatch(/^url +http:\/\/localhost:3000\/t\/acme\/scim\/v2$/m);
	expect(shown.out).toMatch(/^ba_scim_credential_[\w-]+ +Okta +owner +\S+ +never$/m);
	expect(shown.out).not.toContain(created.out.trim().split(".")[1]);
	const { tokens } = JSON.parse((await ofAcme("show", "--json")).out);
	const { id } = tokens[0];
	expect((await ofAcme("revoke-token", id)).code).toBe(1);
	expect(await ofAcme("revoke-token", id, "--yes")).toMatchObject({
		code: 0,
		out: `Revoked Okta (${id}).\n`,
	});
	expect((await ofAcme("show")).out).toContain("There are no tokens.");
	expect((await ofAcme("revoke-token", id, "--yes")).code).toBe(1);

	expect((await ofAcme("set-roles", "Staff")).code).toBe(2);
	expect((await ofAcme("set-roles", "Staff=admin")).code).toBe(1);
	expect((await ofAcme("set-roles", "Staff=king", "--yes")).code).toBe(1);
	expect(await ofAcme("set-roles", "Staff=admin", "A = B=member", "--yes")).toMatchObject({
		code: 0,
		out: "Saved the roles of 2 groups.\n",
		err: expect.stringContaining("The directory has not sent: Staff, A = B"),
	});
	expect((await ofAcme("show")).out).toMatch(/^roles +Staff = admin, A = B = member$/m);
	expect((await ofAcme("set-roles", "--yes")).code).toBe(0);
	expect((await ofAcme("show")).out).toMatch(/^roles +none$/m);
});
