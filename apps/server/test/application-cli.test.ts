import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { expect, test } from "vitest";
import { command } from "./cli-command";
import { runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const SECRET = "a secret for tests with 32 characters and more: 8dK2!x";

async function withTenant() {
	const settings = {
		DATA_DIR: temporaryDirectory(),
		BETTER_AUTH_SECRET: SECRET,
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

test("an application can be opened to devices without a browser, and closed again", async () => {
	const { run } = await withTenant();
	const options = ["--type", "native", "--device-flow"];
	const created = await run("application", "create", "Television", ...options, "--json");
	const { clientId, deviceFlow } = JSON.parse(created.out);
	expect(deviceFlow).toBe(true);
	expect((await run("application", "show", clientId)).out).toMatch(/^device flow +yes$/m);
	const uri = ["--redirect-uri", "com.example.tv:/callback"];
	const closed = await run("application", "update", clientId, "--no-device-flow", ...uri, "--json");
	expect(JSON.parse(closed.out)).toMatchObject({ deviceFlow: false });
});

test("the tokens of an application can be short, and bound to a key", async () => {
	const settings = { DATA_DIR: temporaryDirectory(), BETTER_AUTH_SECRET: SECRET, DPOP: "true" };
	const run = (...args: string[]) => command(settings, args);
	await run("migrate");
	const options = ["--type", "machine", "--dpop", "--access-token-minutes", "5"];
	const created = await run("application", "create", "Job", ...options, "--json");
	const { clientId, dpop, accessTokenMinutes } = JSON.parse(created.out);
	expect([dpop, accessTokenMinutes]).toEqual([true, 5]);
	expect((await run("application", "show", clientId)).out).toMatch(/^bound tokens +yes$/m);
	const changed = await run("application", "update", clientId, "--no-dpop", "--json");
	expect(JSON.parse(changed.out)).toMatchObject({ dpop: false });
	const wrong = await run("application", "update", clientId, "--id-token-minutes", "soon");
	expect(wrong.err).toContain("must be a number of minutes");
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

test("an application is changed, and what is left out stays", async () => {
	const { run } = await withTenant();
	const uri = "https://app.example.com/callback";
	const settings = ["--redirect-uri", uri, "--first-party", "--json"];
	const created = await run("application", "create", "Notes", ...settings);
	const { clientId, claimsInIdToken } = JSON.parse(created.out);
	expect(claimsInIdToken).toBe(true);
	const update = (...args: string[]) => run("application", "update", clientId, ...args, "--json");
	const changed = await update("--no-claims-in-id-token", "--scope", "openid", "--scope", "roles");
	expect(JSON.parse(changed.out)).toMatchObject({
		claimsInIdToken: false,
		scopes: ["openid", "roles"],
		name: "Notes",
		firstParty: true,
		redirectUris: [uri],
	});
	const again = await update("--no-first-party", "--claims-in-id-token", "--name", "Notes 2");
	expect(JSON.parse(again.out)).toMatchObject({
		...{ claimsInIdToken: true, firstParty: false, name: "Notes 2", scopes: ["openid", "roles"] },
	});
	const days = await update("--refresh-days", "7");
	expect(JSON.parse(days.out)).toMatchObject({ refreshDays: 7, name: "Notes 2" });
	const claims = {
		department: "user.metadata.department",
		"https://a.example/?x=1": "tenant.slug",
	};
	const mapping = Object.entries(claims).flatMap((claim) => ["--claim", claim.join("=")]);
	expect(JSON.parse((await update(...mapping)).out)).toMatchObject({ claims, name: "Notes 2" });
	const shown = await run("application", "show", clientId);
	expect(shown.out).toContain("department=user.metadata.department");
	expect(JSON.parse((await update("--no-claim")).out)).toMatchObject({ claims: {} });
	const logoutUri = "https://app.example.com/logout";
	const logout = await update("--backchannel-logout-uri", logoutUri);
	expect(JSON.parse(logout.out)).toMatchObject({
		...{ backchannelLogoutUri: logoutUri, backchannelLogoutSessionRequired: true },
	});
	const shownLogout = await run("application", "show", clientId);
	expect(shownLogout.out).toMatch(/^back-channel logout +https:\/\/app.example.com\/logout$/m);
	const coarse = await update("--no-backchannel-logout-session-required");
	expect(JSON.parse(coarse.out)).toMatchObject({
		...{ backchannelLogoutUri: logoutUri, backchannelLogoutSessionRequired: false },
	});
	const none = await update("--no-backchannel-logout-uri");
	expect(JSON.parse(none.out)).toMatchObject({ backchannelLogoutUri: null, claims: {} });
	const unnamed = await update("--claim", "user.metadata.department");
	expect([unnamed.code, unnamed.err]).toEqual([2, expect.stringContaining("--claim must be")]);
	const nothing = await update();
	expect([nothing.code, nothing.err]).toEqual([2, expect.stringContaining("what to change")]);
});

test("an application authenticates with keys, and with a secret again", async () => {
	const { run } = await withTenant();
	const { publicKey } = await generateKeyPair("ES256", { extractable: true });
	const file = join(temporaryDirectory(), "keys.json");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "first" }];
	writeFileSync(file, JSON.stringify({ keys }));
	const created = await run("application", "create", "Job", "--type", "machine", "--jwks", file);
	expect(created.out).not.toContain("client secret");
	const listed = await run("application", "list", "--json");
	const [{ clientId, jwks }] = JSON.parse(listed.out);
	expect(jwks).toEqual({ keys });
	const update = (...args: string[]) => run("application", "update", clientId, ...args);
	expect((await update("--name", "Job 2")).out).toMatch(/^keys +first$/m);
	const jwksUri = "https://app.example.com/jwks";
	expect((await update("--jwks-uri", jwksUri)).out).toMatch(/^keys at +https/m);
	const refused = await run("application", "rotate-secret", clientId, "--yes", "--json");
	expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, "INVALID_APPLICATION"]);
	const back = await update("--no-jwks", "--json");
	expect(JSON.parse(back.out)).toMatchObject({ jwks: null, jwksUri: null });
	expect((await run("application", "rotate-secret", clientId, "--yes")).out).toMatch(
		/^client secret +\w{48}$/m,
	);
	const missing = await update("--jwks", join(temporaryDirectory(), "none.json"));
	expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("--jwks must be")]);
	writeFileSync(file, JSON.stringify({ keys: [{ kty: "oct", k: "secret" }] }));
	const secret = await update("--jwks", file, "--json");
	expect([secret.code, JSON.parse(secret.err).error.code]).toEqual([1, "VALIDATION_ERROR"]);
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

test("the metadata of a user is shown and replaced", async () => {
	const settings = { DATA_DIR: temporaryDirectory(), BETTER_AUTH_SECRET: SECRET };
	const { backend, close } = await runningService(settings);
	const { api } = backend.auth;
	const { id: tenantId } = await api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const user = await api.createTenantUser({
		body: { tenantId, name: "Ada", email: "ada@example.com" },
	});
	await close();
	const run = (userId: string, ...args: string[]) =>
		command(settings, ["user", "metadata", "acme", userId, ...args, "--json"]);
	const changed = await run(user.id, "--set", '{"department":"Sales"}');
	const stored = { metadata: { department: "Sales" }, preferences: {} };
	expect(JSON.parse(changed.out)).toEqual(stored);
	const both = await run(user.id, "--set-preferences", '{"locale":"de"}');
	expect(JSON.parse(both.out)).toEqual({ ...stored, preferences: { locale: "de" } });
	expect((await run(user.id)).out).toBe(both.out);
	const missing = await run("none", "--set", "{}");
	expect([missing.code, JSON.parse(missing.err).error.code]).toEqual([1, "USER_NOT_FOUND"]);
	const list = await run(user.id, "--set", "[]");
	expect([list.code, JSON.parse(list.err).error.code]).toEqual([1, "VALIDATION_ERROR"]);
	const wrong = await run(user.id, "--set", "department");
	expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--set must be JSON")]);
});
