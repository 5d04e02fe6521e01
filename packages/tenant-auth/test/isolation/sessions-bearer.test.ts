import { bearer } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { makeInstance } from "../support/instance";
import { sessionStores } from "../support/session-stores";

describe.each(sessionStores)("a bearer token of a session %s", (_, store) => {
	async function setUp() {
		const instance = await makeInstance({ ...store(), plugins: [bearer()] });
		const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
		const mine = await instance.signUp(own, "ada@example.com");
		const signed = String(mine.headers.get("set-auth-token"));
		const ask = (path: string, token: string, tenant?: string, body?: object) =>
			instance.call(path, {
				headers: { authorization: `Bearer ${token}` },
				...(tenant ? { tenant } : {}),
				...(body ? { body } : {}),
			});
		return { ...instance, own, other, mine, signed, ask };
	}

	it("answers in its own tenant, named or not, signed or not", async () => {
		const { ask, own, mine, signed } = await setUp();
		for (const token of [mine.body.token, signed, decodeURIComponent(signed)]) {
			for (const tenant of [undefined, own]) {
				const { body } = await ask("/get-session", token, tenant);
				expect(body?.session).toMatchObject({ token: mine.body.token, tenantId: own });
				expect((await ask("/list-sessions", token, tenant)).body).toHaveLength(1);
			}
		}
	});

	it("of tenant A answers on B: no, and it stays good on A", async () => {
		const { ask, other, mine, signed } = await setUp();
		for (const token of [mine.body.token, signed]) {
			expect((await ask("/get-session", token, other)).body).toBeNull();
			expect((await ask("/update-user", token, other, { name: "Taken over" })).status).toBe(401);
			await ask("/sign-out", token, other, {});
			expect((await ask("/get-session", token)).body.user.name).toBe("User");
		}
	});

	it("acts in its own tenant with no header", async () => {
		const { ask, call, own, other, signUp, mine } = await setUp();
		const theirs = await signUp(other, "ada@example.com");
		await ask("/update-user", mine.body.token, undefined, { name: "Renamed" });
		expect((await ask("/get-session", mine.body.token, own)).body.user.name).toBe("Renamed");
		expect((await call("/get-session", { cookie: theirs.cookie })).body.user.name).toBe("User");
	});

	it("of tenant A beside a cookie of B makes neither count in the other's place", async () => {
		const { call, own, other, signUp, mine } = await setUp();
		const theirs = await signUp(other, "ada@example.com");
		const both = (tenant: string) =>
			call("/get-session", {
				headers: { authorization: `Bearer ${mine.body.token}` },
				cookie: theirs.cookie,
				tenant,
			});
		const inOwn = await both(own);
		if (inOwn.body) expect(inOwn.body.session.tenantId).toBe(own);
		const inOther = await both(other);
		if (inOther.body) expect(inOther.body.session.tenantId).toBe(other);
	});
});
