import { bearer, twoFactor } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { beforeAll, describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { MANAGEMENT_KEY, ORIGIN } from "../support/worlds/instance";
import { makeInvitingApp } from "../support/worlds/invitations";
import { stores } from "../support/worlds/two-tenants";

const OWNER = "owner@corp.com";

async function makeApp(options: Parameters<typeof makeInvitingApp>[0] = {}) {
	const app = await makeInvitingApp(options);
	const tenantId = await app.makeTenant();
	const { body } = await app.signUp(tenantId, OWNER);
	const userId: string = body.user.id;
	await app.changeUser(tenantId, OWNER, { tenantRole: "owner" });
	const create = (input: object = {}, rest: object = {}) =>
		app.manage("/tenant/user/sign-in-link", {
			body: { tenantId, userId, reason: "locked out", ...input },
			...rest,
		});
	const makeLink = async (input: object = {}) => String((await create(input)).body.url);
	return { ...app, tenantId, userId, create, makeLink };
}

type App = Awaited<ReturnType<typeof makeApp>>;

const targetOf = ({ headers }: { headers: Headers }) =>
	new URL(headers.get("location") ?? "", ORIGIN);
const errorOf = (answer: { headers: Headers; cookie: string }) => {
	expect(answer.cookie).toBe("");
	return targetOf(answer).searchParams.get("error");
};

describe("a sign-in link", () => {
	it.each(stores)("signs in an owner, stored %s", async (_, options) => {
		const { makeLink, call, userId } = await makeApp(options());
		const url = await makeLink({ callbackURL: "/settings" });
		const answer = await call(url);
		expect([answer.status, targetOf(answer).href]).toEqual([302, `${ORIGIN}/settings`]);
		const { body } = await call("/get-session", { cookie: answer.cookie });
		expect(body.user.id).toBe(userId);
		expect(errorOf(await call(url))).toBe("SIGN_IN_LINK_INVALID");
	});

	it("is not in the database, only its digest is", async () => {
		const { makeLink, db } = await makeApp();
		const token = new URL(await makeLink()).searchParams.get("token");
		const rows = await db.selectFrom("verification").selectAll().execute();
		expect(rows).toHaveLength(1);
		expect(JSON.stringify(rows)).not.toContain(token);
	});

	it.each<[string, (app: App) => Promise<unknown>, string]>([
		[
			"after it has expired",
			({ db }) =>
				db
					.updateTable("verification")
					.set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
					.execute(),
			"SIGN_IN_LINK_INVALID",
		],
		[
			"of a user who is no longer an owner",
			({ changeUser, tenantId }) => changeUser(tenantId, OWNER, { tenantRole: "admin" }),
			"SIGN_IN_LINK_INVALID",
		],
		[
			"of a user who is disabled",
			({ changeUser, tenantId }) => changeUser(tenantId, OWNER, { disabledAt: new Date() }),
			"SIGN_IN_LINK_INVALID",
		],
		[
			"of a user who was deleted",
			async ({ manage, tenantId, userId, signUp, changeUser }) => {
				await signUp(tenantId, "other@corp.com");
				await changeUser(tenantId, "other@corp.com", { tenantRole: "owner" });
				await manage("/tenant/user/delete", { body: { tenantId, userId } });
			},
			"SIGN_IN_LINK_INVALID",
		],
		[
			"of a suspended tenant",
			({ manage, tenantId }) => manage("/tenant/suspend", { body: { tenantId } }),
			"TENANT_SUSPENDED",
		],
		[
			"of a deleted tenant",
			({ manage, tenantId }) => manage("/tenant/delete", { body: { tenantId } }),
			"SIGN_IN_LINK_INVALID",
		],
	])("does not work %s", async (_, change, code) => {
		const app = await makeApp();
		const url = await app.makeLink();
		await change(app);
		expect(errorOf(await app.call(url))).toBe(code);
	});

	it("does not work in another tenant, and is not used up by that", async () => {
		const { makeLink, makeTenant, call } = await makeApp();
		const url = await makeLink();
		const other = await makeTenant();
		expect(errorOf(await call(url, { tenant: other }))).toBe("SIGN_IN_LINK_INVALID");
		expect(targetOf(await call(url)).pathname).toBe("/");
	});

	it("goes to the root if its target is no longer trusted", async () => {
		const { makeLink, call, db } = await makeApp();
		const url = await makeLink();
		const [row] = await db.selectFrom("verification").selectAll().execute();
		const value = JSON.stringify({
			...JSON.parse(String(row?.value)),
			callbackURL: "https://evil.example",
		});
		await db.updateTable("verification").set({ value }).execute();
		expect(targetOf(await call(url)).href).toBe(`${ORIGIN}/`);
	});
});

describe("creating a sign-in link", () => {
	let app: App;

	beforeAll(async () => {
		app = await makeApp({
			tenants: { managementKeys: [MANAGEMENT_KEY], canManageTenants: () => true },
		});
	});

	it("is for the app only: a tenant's admin could become its owner", async () => {
		const { tenantId, userId, call } = app;
		const { cookie } = await app.signUp(tenantId, "admin@corp.com");
		const body = { tenantId, userId, reason: "because" };
		const answer = await call("/tenant/user/sign-in-link", { body, cookie });
		expectRefusal(answer, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});

	it("is for owners only", async () => {
		const { body } = await app.signUp(app.tenantId, "member@corp.com");
		const answer = await app.create({ userId: body.user.id });
		expectRefusal(answer, 409, "SIGN_IN_LINK_NOT_ALLOWED");
	});

	it("needs a reason", async () => {
		for (const reason of [undefined, "", "   "]) {
			expectRefusal(await app.create({ reason }), 400, "VALIDATION_ERROR");
		}
	});

	it("leads to trusted pages only", async () => {
		const answer = await app.create({ callbackURL: "https://evil.example" });
		expectRefusal(answer, 403, "INVALID_CALLBACK_URL");
	});

	it("lasts at most an hour", async () => {
		expectRefusal(await app.create({ expiresIn: 3601 }), 400, "VALIDATION_ERROR");
		const { body } = await app.create();
		const seconds = (Date.parse(body.expiresAt) - Date.now()) / 1000;
		expect(Math.round(seconds / 60)).toBe(10);
	});
});

it("an owner gets in by a link although the policy lets nobody in", async () => {
	const app = await makeApp();
	const body = {
		tenantId: app.tenantId,
		signUp: { mode: "closed" },
		signIn: { methods: ["social"] },
	};
	expect((await app.manage("/tenant/policy/update", { body })).status).toBe(200);
	const refused = await app.signIn(app.tenantId, { email: OWNER });
	expectRefusal(refused, 403, "SIGN_IN_METHOD_NOT_ALLOWED");
	const { cookie } = await app.call(await app.makeLink());
	expect((await app.call("/get-session", { cookie })).body.user.email).toBe(OWNER);
});

describe("an owner without a password, if the policy requires a second factor", () => {
	const world = async (options: Parameters<typeof makeApp>[0] = {}) => {
		const app = await makeApp({ ...options, plugins: [twoFactor(), bearer()] });
		const { tenantId, userId } = app;
		await app.db.deleteFrom("account").where("userId", "=", userId).execute();
		const body = { tenantId, secondFactor: { required: true } };
		expect((await app.manage("/tenant/policy/update", { body })).status).toBe(200);
		const { cookie } = await app.call(await app.makeLink());
		const events = async () =>
			(await app.manage("/tenant/audit/list", { query: { tenantId } })).body;
		const update = (by: string) =>
			app.call("/tenant/policy/update", {
				body: { tenantId, secondFactor: { required: false } },
				cookie: by,
			});
		return { ...app, cookie, events, update };
	};

	it.each(stores)(
		"can repair the policy with the session of a link, stored %s",
		async (_, options) => {
			const { cookie, call, update, events, userId } = await world(options());
			expect((await call("/get-session", { cookie })).body.user.id).toBe(userId);
			expect((await update(cookie)).status).toBe(200);
			expect(await events()).toContainEqual(
				expect.objectContaining({
					action: "user:use-sign-in-link",
					detail: { withoutSecondFactorUntil: expect.any(String) },
				}),
			);
		},
	);

	it("has an hour for it, and no other session", async () => {
		const { cookie, call, update, db, auth, userId, tenantId } = await world();
		const { internalAdapter } = await auth.$context;
		const other = await runInTenant(auth, tenantId, () => internalAdapter.createSession(userId));
		const headers = { authorization: `Bearer ${other.token}` };
		expect((await call("/get-session", { headers })).body).toBeNull();
		await db
			.updateTable("verification")
			.set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
			.execute();
		expect((await call("/get-session", { cookie })).body).toBeNull();
		expectRefusal(await update(cookie), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});

	it("loses it with the role", async () => {
		const { cookie, call, changeUser, tenantId } = await world();
		await changeUser(tenantId, OWNER, { tenantRole: "admin" });
		expect((await call("/get-session", { cookie })).body).toBeNull();
	});
});
