import { bearer } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

// The tests with all session stores are in sessions-bearer.test.ts.
describe.each(orders)("bearer tokens, with the plugin %s,", (_, order) => {
	const world = useWorld(async () => {
		const app = await makeTwoUsers({ ...order(), plugins: [bearer()] });
		const ask = (path: string, token: string, tenant?: string, body?: object) =>
			app.call(path, {
				headers: { authorization: `Bearer ${token}` },
				...(tenant ? { tenant } : {}),
				...(body ? { body } : {}),
			});
		return { ...app, ask };
	});

	it("are returned by a sign-up and a sign-in, and belong to their tenant", async () => {
		const { a, b, ada, bob, signIn, ask } = world();
		const answers = [ada, bob, await signIn(a), await signIn(b)];
		const tenants: unknown[] = [];
		for (const { headers } of answers) {
			const token = String(headers.get("set-auth-token"));
			tenants.push((await ask("/get-session", token)).body.session.tenantId);
		}
		expect(tenants).toEqual([a, b, a, b]);
	});

	it("of A are rejected in B, and stay valid in A", async () => {
		const { b, ada, ask } = world();
		const token = String(ada.headers.get("set-auth-token"));
		expect((await ask("/get-session", token, b)).body).toBeNull();
		expect((await ask("/list-sessions", token, b)).status).toBe(401);
		await ask("/sign-out", token, b, {});
		expect((await ask("/get-session", token)).body.user.id).toBe(ada.body.user.id);
	});
});
