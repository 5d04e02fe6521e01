import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Decrypter } from "age-encryption";
import { expect, test } from "vitest";
import { command } from "./cli-command";
import { newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const FILE_PASSWORD = "the password of the file";

/** A service with its own database and secret. */
function service(name: string) {
	const settings = {
		DATA_DIR: join(temporaryDirectory(), name),
		BETTER_AUTH_SECRET: `the secret of the service ${name} with 32 characters: k3!hZ`,
		FILE_PASSWORD,
	};
	const run = (args: string[], input?: string) => command(settings, args, input);
	return { settings, run };
}

test("a tenant moves from one service to another in an encrypted file", async () => {
	const [from, to] = [service("from"), service("to")];
	const file = join(temporaryDirectory(), "tenant.age");
	const source = await runningService(from.settings);
	const slug = "acme";
	const tenantId = await newTenant(source.post, slug);
	const user = newUser("ada@example.com");
	const signedUp = await source.post("/tenant/sign-up/email", { ...user, tenantId });
	expect(signedUp.status).toBe(200);
	await source.close();
	const withPassword = ["--password-env", "FILE_PASSWORD"];

	const weak = await from.run(["tenant", "export", slug, file], "short\n");
	expect([weak.code, weak.err]).toEqual([2, expect.stringContaining("at least 12 characters")]);
	const exported = await from.run(["tenant", "export", slug, file, ...withPassword]);
	expect(exported).toMatchObject({ code: 0, err: expect.stringContaining("is not suspended") });
	expect(statSync(file).mode & 0o777).toBe(0o600);
	const again = await from.run(["tenant", "export", slug, file, ...withPassword]);
	expect([again.code, again.err]).toEqual([1, expect.stringContaining("exists already")]);

	// Any program that knows the format can read it.
	const bytes = readFileSync(file);
	expect(bytes.includes(user.email)).toBe(false);
	const decrypter = new Decrypter();
	decrypter.addPassphrase(FILE_PASSWORD);
	expect(await decrypter.decrypt(bytes, "text")).toContain(user.email);

	expect((await to.run(["migrate"])).code).toBe(0);
	const wrong = await to.run(["tenant", "import", file], "another password\n");
	expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("cannot be decrypted")]);
	const cut = join(temporaryDirectory(), "cut.age");
	writeFileSync(cut, bytes.subarray(0, -20));
	const damaged = await to.run(["tenant", "import", cut, ...withPassword]);
	expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining("damaged")]);
	const imported = await to.run(["tenant", "import", file, ...withPassword, "--json"]);
	expect(imported.err).toBe("");
	expect(JSON.parse(imported.out)).toMatchObject({
		tenant: { id: tenantId },
		tables: { user: 1 },
	});

	const target = await runningService(to.settings);
	const body = { tenantId, email: user.email, password: user.password };
	const signIn = () => target.backend.auth.api.signInEmailTenant({ body });
	await expect(signIn()).rejects.toMatchObject({ body: { code: "TENANT_SUSPENDED" } });
	expect((await to.run(["tenant", "resume", slug])).code).toBe(0);
	expect((await signIn()).user).toMatchObject({ email: user.email });
	const events = await target.backend.auth.api.listTenantAuditEvents({
		query: { tenantId },
	});
	expect(events.map(({ action }) => action)).toContain("app:import-tenant");
});
