import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { runningService, useService } from "../running-service";
import { directories, runSequence } from "./directories";
import { ERROR, GROUP, patch, person, scimTenant } from "./scim-tenant";

const service = useService({ SCIM: "true" });

test.each(directories)(
	"%s connects, and its last request has disabled the user",
	async (_, steps) => {
		const { tenant, user } = await runSequence(await service(), steps);
		expect(user).toMatchObject({ emailVerified: false, disabledAt: expect.any(String) });
		const actions = (await tenant.audit()).map(({ action, actor }) => [action, actor.name]);
		expect(actions).toContainEqual(["user:create", "Okta"]);
		expect(actions).toContainEqual(["user:disable", "Okta"]);
	},
);

describe("deactivation", () => {
	const ways: [string, (id: string) => [string, string, object?]][] = [
		[
			"PATCH with a path",
			(id) => ["PATCH", `/Users/${id}`, patch({ op: "replace", path: "active", value: false })],
		],
		[
			"PATCH without a path",
			(id) => ["PATCH", `/Users/${id}`, patch({ op: "replace", value: { active: false } })],
		],
		[
			"the text False",
			(id) => ["PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "False" })],
		],
		["PUT", (id) => ["PUT", `/Users/${id}`, person("ada@example.com", { active: false })]],
		["DELETE", (id) => ["DELETE", `/Users/${id}`]],
	];

	test.each(ways)("by %s ends sessions at once, and nobody gets in", async (_, request) => {
		const { scim, signUpAs, signIn, sessionOf, users } = await scimTenant(await service());
		const ada = await signUpAs("member", "ada@example.com");
		const other = await signUpAs("member", "bob@example.com");
		const made = await scim("POST", "/Users", person("ada@example.com"));
		expect(made.status).toBe(201);
		expect(await sessionOf(ada.cookie)).toMatchObject({ user: { id: ada.id } });
		const [method, path, body] = request(made.body.id);
		expect((await scim(method, path, body)).status).toBeLessThan(300);
		expect(await sessionOf(ada.cookie)).toBeNull();
		expect((await signIn("ada@example.com")).status).toBe(403);
		expect((await users()).find(({ id }) => id === ada.id).disabledAt).not.toBeNull();
		expect(await sessionOf(other.cookie)).toMatchObject({ user: { id: other.id } });
	});

	test("is undone by the directory, but not if somebody else has disabled the user", async () => {
		const { scim, manage, users } = await scimTenant(await service());
		const { body } = await scim("POST", "/Users", person("ada@example.com"));
		const setActive = (value: boolean) =>
			scim("PATCH", `/Users/${body.id}`, patch({ op: "replace", path: "active", value }));
		const isDisabled = async () => (await users())[0].disabledAt !== null;
		await setActive(false);
		expect(await isDisabled()).toBe(true);
		await setActive(true);
		expect(await isDisabled()).toBe(false);
		await setActive(false);
		const userId = (await users())[0].id;
		await manage("/tenant/user/enable", { userId });
		await manage("/tenant/user/disable", { userId });
		await setActive(true);
		expect(await isDisabled()).toBe(true);
	});

	test("keeps the last owner of the tenant", async () => {
		const { scim, signUpAs, sessionOf } = await scimTenant(await service());
		const owner = await signUpAs("owner");
		const { body } = await scim("POST", "/Users", person(owner.email));
		const off = () =>
			scim("PATCH", `/Users/${body.id}`, patch({ op: "replace", path: "active", value: false }));
		const refused = await off();
		expect([refused.status, refused.body]).toMatchObject([
			409,
			{ schemas: [ERROR], status: "409" },
		]);
		expect(await sessionOf(owner.cookie)).toMatchObject({ user: { id: owner.id } });
		expect((await scim("GET", `/Users/${body.id}`)).body.active).toBe(true);
		await signUpAs("owner", "second@example.com");
		expect((await off()).status).toBe(200);
		expect(await sessionOf(owner.cookie)).toBeNull();
	});
});

describe("a token", () => {
	test("is shown once, stored as a digest, listed, and stops when it is revoked", async () => {
		const running = await service();
		const { scim, get, manage, token, audit } = await scimTenant(running);
		await scim("POST", "/Users", person("ada@example.com"));
		const { body } = await get("/tenant/scim/get");
		expect(body).toMatchObject({
			url: expect.stringMatching(/^http:\/\/localhost:3000\/t\/acme-\d+\/scim\/v2$/),
			users: 1,
			groups: 0,
			tokens: [{ name: "Okta", role: "owner", createdBy: null, lastUsedAt: expect.any(String) }],
		});
		expect(JSON.stringify(body)).not.toContain(token.split(".")[1]);
		const { db } = running.backend.database;
		for (const table of ["scimManagedCredential", "scimToken"]) {
			const rows = await db
				.selectFrom(table as never)
				.selectAll()
				.execute();
			expect(JSON.stringify(notEmpty(rows))).not.toContain(token.split(".")[1]);
		}
		const second = (await manage("/tenant/scim/create-token", { name: "Next" })).body;
		expect((await scim("GET", "/Users", undefined, second.token)).body.totalResults).toBe(1);
		const { id } = body.tokens[0];
		expect((await manage("/tenant/scim/revoke-token", { id })).status).toBe(200);
		expect((await scim("GET", "/Users")).status).toBe(401);
		expect((await scim("GET", "/Users", undefined, second.token)).status).toBe(200);
		expect((await manage("/tenant/scim/revoke-token", { id })).status).toBe(404);
		expect((await get("/tenant/scim/get")).body.tokens).toMatchObject([{ name: "Next" }]);
		const actions = (await audit()).map(({ action, detail }) => [action, detail?.name]);
		expect(actions).toContainEqual(["scim:create-token", "Okta"]);
		expect(actions).toContainEqual(["scim:revoke-token", "Okta"]);
		expect(running.log()).not.toContain(token.split(".")[1]);
	});

	test("cannot be made without end", async () => {
		const { manage } = await scimTenant(await service());
		for (let count = 1; count < 5; count += 1) {
			expect((await manage("/tenant/scim/create-token", { name: "More" })).status).toBe(200);
		}
		const refused = await manage("/tenant/scim/create-token", { name: "More" });
		expect([refused.status, refused.body.code]).toEqual([409, "TOO_MANY_SCIM_TOKENS"]);
	});

	test("can be made by two admins at the same time, the first one too", async () => {
		const running = await service();
		const { manage, scim, token, get } = await scimTenant(running);
		const [first] = (await get("/tenant/scim/get")).body.tokens;
		expect((await manage("/tenant/scim/revoke-token", { id: first.id })).status).toBe(200);
		expect((await scim("GET", "/Users", undefined, token)).status).toBe(401);
		const made = await Promise.all(
			["One", "Two"].map((name) => manage("/tenant/scim/create-token", { name })),
		);
		expect(made.map(({ status }) => status)).toEqual([200, 200]);
		for (const { body } of notEmpty(made)) {
			expect((await scim("GET", "/Users", undefined, body.token)).status).toBe(200);
		}
	});

	test("is made by owners and admins only, in their own tenant", async () => {
		const running = await service();
		const acme = await scimTenant(running);
		const globex = await scimTenant(running, "globex");
		const body = { name: "Mine" };
		const admin = await acme.signUpAs("admin");
		const member = await acme.signUpAs("member");
		expect(
			(await acme.manage("/tenant/scim/create-token", body, admin.headers)).body,
		).toMatchObject({
			role: "admin",
			createdBy: admin.email,
		});
		const path = "/tenant/scim/create-token";
		expect((await acme.manage(path, body, member.headers)).status).toBe(403);
		expect((await globex.manage(path, body, admin.headers)).status).toBe(403);
		expect((await globex.get("/tenant/scim/get", admin.headers)).status).toBe(403);
		expect((await acme.manage(path, body, {})).status).toBe(401);
	});

	test("of an admin reaches no owner", async () => {
		const { scim, makeToken, signUpAs, sessionOf, users } = await scimTenant(await service());
		const owner = await signUpAs("owner");
		await signUpAs("owner", "second@example.com");
		const admin = await signUpAs("admin");
		const byAdmin = await makeToken(admin.headers);
		// It cannot take over the owner, who would lose the email to the admin.
		const taken = await scim("POST", "/Users", person(owner.email), byAdmin);
		expect([taken.status, taken.body.schemas]).toEqual([403, [ERROR]]);
		const { body } = await scim("POST", "/Users", person(owner.email));
		const path = `/Users/${body.id}`;
		const moved = person("attacker@example.com");
		expect((await scim("PUT", path, moved, byAdmin)).status).toBe(403);
		const off = patch({ op: "replace", path: "active", value: false });
		expect((await scim("PATCH", path, off, byAdmin)).status).toBe(403);
		expect((await scim("DELETE", path, undefined, byAdmin)).status).toBe(403);
		expect(await sessionOf(owner.cookie)).toMatchObject({ user: { email: owner.email } });
		expect((await users()).map(({ email }) => email)).not.toContain("attacker@example.com");
		expect((await scim("PATCH", path, off)).status).toBe(200);
	});
});

test("a token does to users only what the role of its maker permits", async () => {
	const running = await runningService({
		SCIM: "true",
		TENANT_ROLES: JSON.stringify({
			connector: ["scim:create-token"],
			creator: ["scim:create-token", "user:create"],
		}),
	});
	const { scim, makeToken, signUpAs, sessionOf, users } = await scimTenant(running);
	const ada = await signUpAs("member", "ada@example.com");
	const { body } = await scim("POST", "/Users", person("ada@example.com"));
	const tokenOf = async (role: string) => makeToken((await signUpAs(role)).headers);
	const [connector, creator] = [await tokenOf("connector"), await tokenOf("creator")];
	const count = (await users()).length;
	const add = (email: string, token: string) => scim("POST", "/Users", person(email), token);
	expect((await add("eve@example.com", connector)).status).toBe(403);
	expect(await users()).toHaveLength(count);
	expect((await add("bob@example.com", creator)).status).toBe(201);
	const off = patch({ op: "replace", path: "active", value: false });
	for (const token of notEmpty([connector, creator])) {
		const path = `/Users/${body.id}`;
		expect((await scim("PATCH", path, off, token)).status).toBe(403);
		expect((await scim("PUT", path, person("eve@example.com"), token)).status).toBe(403);
		expect((await scim("DELETE", path, undefined, token)).status).toBe(403);
	}
	expect(await sessionOf(ada.cookie)).toMatchObject({ user: { email: "ada@example.com" } });
});

describe("another tenant", () => {
	test("does not accept the token, and shows and loses nothing", async () => {
		const running = await service();
		const acme = await scimTenant(running);
		const globex = await scimTenant(running, "globex");
		const made = await acme.scim("POST", "/Users", person("ada@example.com"));
		const group = await acme.scim("POST", "/Groups", {
			schemas: [GROUP],
			displayName: "Staff",
			members: [{ value: made.body.id }],
		});
		const [user, staff] = [`/Users/${made.body.id}`, `/Groups/${group.body.id}`];
		const off = patch({ op: "replace", path: "active", value: false });
		const requests: [string, string, object?][] = [
			["GET", "/Users"],
			["POST", "/Users", person("eve@example.com")],
			["GET", user],
			["PUT", user, person("eve@example.com")],
			["PATCH", user, off],
			["DELETE", user],
			["GET", "/Groups"],
			["POST", "/Groups", { schemas: [GROUP], displayName: "Others" }],
			["GET", staff],
			["PUT", staff, { schemas: [GROUP], displayName: "Others" }],
			["PATCH", staff, patch({ op: "replace", path: "displayName", value: "Others" })],
			["DELETE", staff],
		];
		for (const [method, path, body] of notEmpty(requests)) {
			const foreign = await globex.scim(method, path, body, acme.token);
			expect([method, path, foreign.status]).toEqual([method, path, 401]);
			expect(foreign.body).toMatchObject({ schemas: [ERROR], status: "401" });
			if (![user, staff].includes(path)) continue;
			const own = await globex.scim(method, path, body);
			expect([method, path, own.status]).toEqual([method, path, 404]);
		}
		expect((await acme.scim("GET", user)).body).toMatchObject({ active: true });
		expect((await acme.scim("GET", staff)).body.members).toHaveLength(1);
		expect(await globex.users()).toEqual([]);
		const [{ id }] = (await acme.get("/tenant/scim/get")).body.tokens;
		expect((await globex.manage("/tenant/scim/revoke-token", { id })).status).toBe(404);
		expect((await acme.scim("GET", "/Users")).status).toBe(200);
	});

	test("keeps its user with the same email", async () => {
		const running = await service();
		const acme = await scimTenant(running);
		const globex = await scimTenant(running, "globex");
		const ada = await globex.signUpAs("member", "ada@example.com");
		const { body } = await acme.scim("POST", "/Users", person("ada@example.com"));
		await acme.scim("DELETE", `/Users/${body.id}`);
		expect(await globex.sessionOf(ada.cookie)).toMatchObject({ user: { id: ada.id } });
		expect((await globex.users()).map(({ disabledAt }) => disabledAt)).toEqual([null]);
		expect(await acme.users()).toHaveLength(1);
	});
});

test("a user whose email nobody has verified is not given to the directory", async () => {
	const { scim, signUp } = await scimTenant(await service());
	await signUp("ada@example.com");
	const { status, body } = await scim("POST", "/Users", person("ada@example.com"));
	expect([status, body]).toMatchObject([409, { schemas: [ERROR], scimType: "uniqueness" }]);
});

test("a suspended tenant gets 403 in the format of SCIM", async () => {
	const { scim, manage } = await scimTenant(await service());
	await manage("/tenant/suspend");
	const { status, body } = await scim("GET", "/Users");
	expect([status, body]).toMatchObject([403, { schemas: [ERROR], status: "403" }]);
});

test("locations are URLs that the directory can read", async () => {
	const running = await service();
	const { scim, slug, token } = await scimTenant(running);
	const { body, headers } = await scim("POST", "/Users", person("ada@example.com"));
	const url = `http://localhost:3000/t/${slug}/scim/v2/Users/${body.id}`;
	expect([body.meta.location, headers.get("location")]).toEqual([url, url]);
	const read = await running.call(url, { headers: { authorization: `Bearer ${token}` } });
	expect(read.status).toBe(200);
});

test("nothing is open without the setting, or beside the tenant's URL", async () => {
	const off = await runningService();
	const running = await service();
	const { token, slug } = await scimTenant(running);
	const headers = { authorization: `Bearer ${token}` };
	expect((await off.call(`/t/${slug}/scim/v2/Users`, { headers })).status).toBe(404);
	expect((await off.call("/api/auth/tenant/scim/get", { headers })).status).toBe(404);
	expect((await running.call("/api/auth/scim/v2/Users", { headers })).status).toBe(404);
	const missing = await running.call("/t/nobody/scim/v2/Users", { headers });
	expect([missing.status, await missing.json()]).toMatchObject([404, { schemas: [ERROR] }]);
});
