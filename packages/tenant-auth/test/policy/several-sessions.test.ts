import { multiSession } from "better-auth/plugins";
import { afterEach, describe, expect, it, vi } from "vitest";
import { makeInstance } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";

afterEach(() => {
	vi.useRealTimers();
});

const stores = sessionStores.filter(([, store]) => !store().session?.cookieCache);

describe.each(stores)("several sessions of one browser, stored %s", (_, store) => {
	it.each([{ lifetime: 3600 }, { idleTime: 3600 }])("end by the policy: %j", async (session) => {
		const { call, manage, makeTenant, signUp, signIn } = await makeInstance({
			...store(),
			plugins: [multiSession()],
		});
		const tenantId = await makeTenant();
		const policy = await manage("/tenant/policy/update", { body: { tenantId, session } });
		expect(policy.status).toBe(200);
		const first = await signUp(tenantId, "ada@example.com");
		await signUp(tenantId, "bob@example.com");
		const second = await signIn(tenantId, { email: "bob@example.com", cookie: first.cookie });
		const cookie = `${first.cookie}; ${second.cookie}`;
		const list = () => call("/multi-session/list-device-sessions", { cookie, tenant: tenantId });
		const before = await list();
		expect([before.status, before.body.length]).toEqual([200, 2]);
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
		const after = await list();
		expect([after.status, after.body]).toEqual([200, []]);
	});
});
