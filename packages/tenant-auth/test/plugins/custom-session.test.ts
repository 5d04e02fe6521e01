import { customSession, multiSession } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

const setUp = (options: InstanceOptions) =>
	makeTwoUsers({
		...options,
		plugins: [
			customSession(async ({ user, session }) => ({
				user: { id: user.id },
				session,
				tenantOfCall: await getCurrentTenantId(),
			})),
			multiSession(),
		],
	});

const cases: [string, () => InstanceOptions][] = [...sessionStores, ...orders];

describe.each(cases)("a custom session %s", (_, options) => {
	const world = useWorld(() => setUp(options()));

	it("is created in the tenant of the session", async () => {
		const { a, b, ada, bob, sessionOf } = world();
		for (const [tenant, user] of [
			[a, ada],
			[b, bob],
		] as const) {
			const session = await sessionOf(user.cookie);
			expect(session.user).toEqual({ id: user.body.user.id });
			expect([session.session.tenantId, session.tenantOfCall]).toEqual([tenant, tenant]);
		}
	});

	it("of A is ignored in B, and the browser stays signed in to A", async () => {
		const { call, b, ada, sessionOf } = world();
		const elsewhere = await call("/get-session", { cookie: ada.cookie, tenant: b });
		expect(elsewhere.body).toBeNull();
		expect(elsewhere.headers.getSetCookie().filter((it) => /max-age=0/i.test(it))).toEqual([]);
		expect((await sessionOf(ada.cookie)).user.id).toBe(ada.body.user.id);
	});
});
