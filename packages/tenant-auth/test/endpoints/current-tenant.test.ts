import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { describe, expect, it } from "vitest";
import { makeInstance } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

describe("the tenant of the signed-in user", () => {
	const world = useWorld(async () => {
		const instance = await makeInstance({
			hooks: {
				// A hook of the app may read the session before the tenant is known.
				before: createAuthMiddleware(async (ctx) => {
					if (ctx.path === "/tenant/current") await getSessionFromCtx(ctx);
				}),
			},
		});
		const metadata = { branding: { primaryColor: "#123456", secret: "x" }, plan: "private" };
		const { body } = await instance.manage("/tenant/create", {
			body: { name: "Acme", slug: "acme", metadata },
		});
		const tenantId: string = body.id;
		const other = await instance.makeTenant("globex");
		const { cookie } = await instance.signUp(tenantId);
		return { ...instance, tenantId, other, cookie };
	});

	it("is known by the session, with its branding and no other metadata", async () => {
		const { call, cookie, tenantId } = world();
		const own = {
			id: tenantId,
			name: "Acme",
			slug: "acme",
			branding: { primaryColor: "#123456" },
		};
		expect((await call("/tenant/current", { cookie })).body).toEqual(own);
		expect((await call("/tenant/current", { cookie, tenant: tenantId })).body).toEqual(own);
	});

	it("needs a session, also if the request names the tenant", async () => {
		const { call, tenantId } = world();
		for (const options of [{}, { tenant: tenantId }, { query: { tenantId } }]) {
			const { status, body } = await call("/tenant/current", options);
			expect([status, body.code]).toEqual([401, "UNAUTHORIZED"]);
		}
	});

	it("is not told to a session of another tenant, and the cookie stays", async () => {
		const { call, cookie, other } = world();
		const answer = await call("/tenant/current", { cookie, tenant: other });
		expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
		expect((await call("/get-session", { cookie })).body.user).toBeTruthy();
	});

	it("is null for a user of the platform", async () => {
		const { call } = world();
		const user = { name: "Root", email: "root@example.com", password: "correct horse battery" };
		const { cookie } = await call("/sign-up/email", { body: user });
		expect(await call("/tenant/current", { cookie })).toMatchObject({ status: 200, body: null });
	});

	it("is not told while the tenant is suspended", async () => {
		const { call, manage, cookie, tenantId } = world();
		await manage("/tenant/suspend", { body: { tenantId } });
		const named = await call("/tenant/current", { cookie, tenant: tenantId });
		expect([named.status, named.body.code]).toEqual([403, "TENANT_SUSPENDED"]);
		expect((await call("/tenant/current", { cookie })).status).toBe(401);
	});

	it("costs the read of the tenant and of the session", async () => {
		const { call, cookie, statements } = world();
		statements.length = 0;
		await call("/tenant/current", { cookie });
		expect(statements.filter((sql) => sql.includes('from "tenant"'))).toHaveLength(1);
	});
});
