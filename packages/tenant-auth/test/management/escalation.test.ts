import { tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { makePeople, type Person } from "../support/worlds/people";

const REFUSED = "ROLE_NOT_ALLOWED";

/** It may manage users, and impersonate them, which an admin may not. */
const agent = tenantAccess.newRole({
	user: [
		"list",
		"get",
		"create",
		"update",
		"disable",
		"enable",
		"impersonate",
		"delete",
		"revoke-sessions",
		"send-password-reset",
		"remove-second-factor",
		"remove-passkeys",
	],
});

async function makeWorld() {
	const app = await makePeople({
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: async () => {} },
		tenants: { roles: { agent, reader: tenantAccess.newRole({ user: ["list"] }) } },
	});
	const post = (by: Person, path: string, body: object) =>
		app.call(`/tenant/user/${path}`, { body, cookie: by.cookie });
	return { ...app, agent: await app.add("agent"), reader: await app.add("reader"), post };
}

describe("nobody gives a role that permits more than the own one", () => {
	const person = () => ({ name: "New", email: `${Math.random()}@example.com` });

	it.each([
		["admin", "owner"],
		["admin", "agent"],
		["agent", "owner"],
		["agent", "admin"],
	] as const)("%s: %s", async (by, role) => {
		const world = await makeWorld();
		const { post, read, member } = world;
		expectRefusal(await post(world[by], "create", { ...person(), role }), 403, REFUSED);
		expectRefusal(await post(world[by], "update", { userId: member.id, role }), 403, REFUSED);
		const own = await post(world[by], "update", { userId: world[by].id, role });
		expectRefusal(own, 403, REFUSED);
		expect((await read(member))?.tenantRole).toBe("member");
		expect((await read(world[by]))?.tenantRole).toBe(by);
	});

	it.each([
		["owner", "owner"],
		["owner", "agent"],
		["admin", "admin"],
		["admin", "reader"],
		["agent", "agent"],
		["agent", "member"],
	] as const)("but %s gives %s", async (by, role) => {
		const world = await makeWorld();
		const { post, read, add } = world;
		const created = await post(world[by], "create", { ...person(), role });
		expect(created.body).toMatchObject({ tenantRole: role });
		const plain = await add(null);
		expect((await post(world[by], "update", { userId: plain.id, role })).status).toBe(200);
		expect((await read(plain))?.tenantRole).toBe(role);
	});

	it.each(["", "OWNER", "owner ", "unknown", "__proto__", "constructor", "toString"])(
		"and not %j, which is not a role",
		async (role) => {
			const { post, member, owner, manage, tenantId } = await makeWorld();
			const body = { userId: member.id, role };
			const code = role === "" ? "VALIDATION_ERROR" : "ROLE_NOT_FOUND";
			expectRefusal(await post(owner, "update", body), 400, code);
			expectRefusal(await post(owner, "create", { ...person(), role }), 400, code);
			const byKey = await manage("/tenant/user/update", { body: { ...body, tenantId } });
			expectRefusal(byKey, 400, code);
		},
	);
});

describe("a role in a tenant", () => {
	it.each([{ tenantRole: "owner" }, { disabledAt: null }, { tenantImpersonator: "" }])(
		"cannot write %j of a new user as a field of the app",
		async (field) => {
			const { post, admin, db } = await makeWorld();
			const email = "sneaky@example.com";
			const answer = await post(admin, "create", { name: "New", email, ...field });
			const made = await db.selectFrom("user").selectAll().where("email", "=", email).execute();
			if (answer.status === 200) expect(made).toMatchObject([{ tenantRole: null }]);
			else expect([answer.status, made]).toEqual([400, []]);
		},
	);

	it("cannot take the mark from an impersonated session", async () => {
		const { call, manage, owner, tenantId } = await makeWorld();
		const body = { tenantId, userId: owner.id, reason: "An invoice", setCookie: true };
		const { cookie } = await manage("/tenant/user/impersonate", { body });
		for (const tenantImpersonator of [null, "", "nobody"]) {
			const answer = await call("/update-session", { cookie, body: { tenantImpersonator } });
			expect(answer.status).toBe(400);
		}
		expectRefusal(
			await call("/tenant/user/list", { cookie }),
			403,
			"TENANT_MANAGEMENT_NOT_ALLOWED",
		);
	});

	it("cannot declare an email verified, as a tenant's identity provider cannot", async () => {
		const { post, owner, member, read } = await makeWorld();
		const update = { userId: member.id, emailVerified: true };
		expectRefusal(await post(owner, "update", update), 403, REFUSED);
		const create = { name: "New", email: "new@example.com", emailVerified: true };
		expectRefusal(await post(owner, "create", create), 403, REFUSED);
		expect((await read(member))?.emailVerified).toBe(0);
	});

	it("cannot lead the link of a password reset to another site", async () => {
		const { post, owner, member } = await makeWorld();
		const body = { userId: member.id, redirectTo: "https://evil.example/new-password" };
		const answer = await post(owner, "send-password-reset", body);
		expect(answer.status).toBe(403);
	});

	it("cannot set trustEmails", async () => {
		const { call, owner, tenantId } = await makeWorld();
		const body = {
			tenantId,
			providerId: "gitlab",
			clientId: "id",
			clientSecret: "secret",
			options: { issuer: "https://gitlab.example.com" },
			trustEmails: ["example.com"],
		};
		const answer = await call("/tenant/oauth-config/register", { body, cookie: owner.cookie });
		expectRefusal(answer, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});

	it("sees and changes the branding, and no other metadata of the app", async () => {
		const { call, manage, owner, admin, tenantId } = await makeWorld();
		const stored = { plan: "free", branding: { tagline: "Old" } };
		await manage("/tenant/update", { body: { tenantId, metadata: stored } });
		const { cookie } = admin;
		const got = await call("/tenant/get", { query: { id: tenantId }, cookie });
		expect(got.body.metadata).toEqual({ branding: { tagline: "Old" } });
		const update = (metadata: unknown) =>
			call("/tenant/update", { body: { tenantId, metadata }, cookie });
		expectRefusal(await update({ plan: "pro" }), 403, REFUSED);
		expectRefusal(await update({ plan: "free", branding: {} }), 403, REFUSED);
		const changed = await update({ branding: { tagline: "New" } });
		expect(changed.body.metadata).toEqual({ branding: { tagline: "New" } });
		const read = async () =>
			(await manage("/tenant/get", { query: { id: tenantId } })).body.metadata;
		expect(await read()).toEqual({ plan: "free", branding: { tagline: "New" } });
		expect((await update(null)).body.metadata).toBeNull();
		expect(await read()).toEqual({ plan: "free" });
		const large = { branding: { tagline: "x".repeat(16_370) } };
		expectRefusal(await update(large), 400, "VALIDATION_ERROR");
		const named = { body: { tenantId, name: "New name" }, cookie: owner.cookie };
		expect((await call("/tenant/update", named)).body).toMatchObject({ name: "New name" });
		expect(await read()).toEqual({ plan: "free" });
	});

	it("changes the slug only as an owner", async () => {
		const { call, owner, admin, tenantId } = await makeWorld();
		const rename = ({ cookie }: Person, slug: string) =>
			call("/tenant/update", { body: { tenantId, slug }, cookie });
		expectRefusal(await rename(admin, "by-an-admin"), 403, REFUSED);
		expect((await rename(owner, "by-an-owner")).body.slug).toBe("by-an-owner");
		expectRefusal(await rename(owner, "admin"), 400, "SLUG_RESERVED");
	});

	it("verifies a login domain only as an owner: links in emails lead there", async () => {
		const { call, dns, owner, admin, tenantId } = await makeWorld();
		const post = ({ cookie }: Person, path: string, body: object) =>
			call(`/tenant/domain/${path}`, { body: { tenantId, ...body }, cookie });
		const add = async (host: string, purpose: string) => {
			const { body } = await post(admin, "add", { host, purpose });
			dns.set(body.record.name, [body.record.value]);
			return { domainId: body.id as string };
		};
		const login = await add("login.admin.example", "login");
		expectRefusal(await post(admin, "verify", login), 403, REFUSED);
		expect((await post(owner, "verify", login)).body.state).toBe("verified");
		expectRefusal(await post(admin, "update", { ...login, primary: true }), 403, REFUSED);
		expect((await post(owner, "update", { ...login, primary: true })).status).toBe(200);
		const email = await add("admin.example", "email");
		expect((await post(admin, "verify", email)).body.state).toBe("verified");
		expect((await post(admin, "remove", login)).status).toBe(200);
	});

	it("reads what the app did to the tenant, and not who works for the app", async () => {
		const { call, manage, owner, tenantId } = await makeWorld();
		const headers = { "user-agent": "a browser of the staff", "x-forwarded-for": "203.0.113.7" };
		await manage("/tenant/update", { body: { tenantId, name: "Renamed" }, headers });
		await call("/tenant/update", {
			body: { tenantId, name: "Renamed again" },
			cookie: owner.cookie,
			headers: { "user-agent": "a browser of the owner" },
		});
		const { body } = await call("/tenant/audit/list", {
			query: { tenantId, action: "tenant:update" },
			cookie: owner.cookie,
		});
		expect(body).toMatchObject([
			{ actor: { kind: "member", id: owner.id }, userAgent: "a browser of the owner" },
			{ actor: { kind: "key", id: null }, ipAddress: null, userAgent: null },
		]);
		expect(JSON.stringify(body)).not.toContain("staff");
	});
});
