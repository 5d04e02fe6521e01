import { createAuthMiddleware } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { EMAIL, makeInstance, PASSWORD } from "../support/worlds/instance";

/** A hook of the app that asks for the tenant and for its users, after every call. */
async function makeWorld() {
	const seen: { tenantId: string | null; users: string }[] = [];
	const after = createAuthMiddleware(async (ctx) => {
		const tenantId = await getCurrentTenantId();
		const users = await ctx.context.adapter.count({ model: "user" }).then(String, (error) => {
			return String(error.body?.code);
		});
		seen.push({ tenantId, users });
	});
	const app = await makeInstance({ hooks: { after } });
	// A user of the platform, whom no call of a tenant may see.
	await app.call("/sign-up/email", { body: { name: "Ada", email: EMAIL, password: PASSWORD } });
	const tenantId = await app.makeTenant();
	seen.length = 0;
	const signIn = (named: string) =>
		app.call("/tenant/sign-in/email", {
			body: { tenantId: named, email: EMAIL, password: PASSWORD },
		});
	return { ...app, tenantId, signIn, seen };
}

describe("a hook after a call that its tenant refuses", () => {
	it("sees the tenant that is suspended, and no data", async () => {
		const { manage, signIn, seen, tenantId } = await makeWorld();
		await manage("/tenant/suspend", { body: { tenantId } });
		seen.length = 0;
		expectRefusal(await signIn(tenantId), 403, "TENANT_SUSPENDED");
		expect(seen).toEqual([{ tenantId, users: "TENANT_SUSPENDED" }]);
	});

	it("sees the tenant whose policy refuses the call, and no data", async () => {
		const { manage, signIn, seen, tenantId } = await makeWorld();
		const body = { tenantId, signIn: { methods: ["social"] } };
		await manage("/tenant/policy/update", { body });
		seen.length = 0;
		expectRefusal(await signIn(tenantId), 403, "SIGN_IN_METHOD_NOT_ALLOWED");
		expect(seen).toEqual([{ tenantId, users: "SIGN_IN_METHOD_NOT_ALLOWED" }]);
	});

	it("sees no tenant that does not exist, and not the platform's data either", async () => {
		const { signIn, seen } = await makeWorld();
		expectRefusal(await signIn("nobody"), 404, "TENANT_NOT_FOUND");
		expect(seen).toEqual([{ tenantId: null, users: "TENANT_NOT_FOUND" }]);
	});
});

describe("a call inside of a request that the tenant's policy refuses", () => {
	it("does not refuse the request around it", async () => {
		const inner: unknown[] = [];
		let headers = new Headers();
		const app = await makeInstance({
			hooks: {
				before: createAuthMiddleware(async (ctx) => {
					if (ctx.path !== "/update-user") return;
					const body = { name: "Bob", email: "bob@example.com", password: PASSWORD };
					const answer = await app.auth.api.signUpEmail({ body, headers }).catch((error) => error);
					inner.push(answer.body?.code);
				}),
			},
		});
		const tenantId = await app.makeTenant();
		headers = new Headers({ "x-tenant-id": tenantId });
		const { cookie } = await app.signUp(tenantId);
		const policy = { tenantId, signUp: { mode: "closed" } };
		await app.manage("/tenant/policy/update", { body: policy });
		const body = { name: "Grace" };
		const answer = await app.call("/update-user", { cookie, tenant: tenantId, body });
		expect(inner).toEqual(["SIGN_UP_NOT_ALLOWED"]);
		expect(answer.status).toBe(200);
	});
});
