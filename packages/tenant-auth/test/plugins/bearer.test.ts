import { bearer } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { makeTwoUsers, orders } from "../support/two-tenants";

// What a bearer token does with each store of sessions stands in sessions-bearer.test.ts.
describe.each(orders)("bearer tokens, %s", (_, order) => {
	async function setUp() {
		const app = await makeTwoUsers({ ...order, plugins: [bearer()] });
		const ask = (path: string, token: string, tenant?: string, body?: object) =>
			app.call(path, {
				headers: { authorization: `Bearer ${token}` },
				...(tenant ? { tenant } : {}),
				...(body ? { body } : {}),
			});
		return { ...app, ask };
	}

	it("come with the tenant's sign-up and sign-in, and name their tenant", async () => {
		const { a, b, ada, bob, signIn, ask } = await setUp();
		const answers = [ada, bob, await signIn(a), await signIn(b)];
		const tenants: unknown[] = [];
		for (const { headers } of answers) {
			const token = String(headers.get("set-auth-token"));
			tenants.push((await ask("/get-session", token)).body.session.tenantId);
		}
		expect(tenants).toEqual([a, b, a, b]);
	});

	it("of A are worth nothing in B, and are not spent there", async () => {
		const { b, ada, ask } = await setUp();
		const token = String(ada.headers.get("set-auth-token"));
		expect((await ask("/get-session", token, b)).body).toBeNull();
		expect((await ask("/list-sessions", token, b)).status).toBe(401);
		await ask("/sign-out", token, b, {});
		expect((await ask("/get-session", token)).body.user.id).toBe(ada.body.user.id);
	});
});
