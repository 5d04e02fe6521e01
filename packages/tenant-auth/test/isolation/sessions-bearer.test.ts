import { bearer } from "better-auth/plugins";
import { expect } from "vitest";
import { makeInstance } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

describeVariations("a bearer token of a session %s", sessionStores, (store, it) => {
	const world = useWorld(async () => {
		const instance = await makeInstance({ ...store(), plugins: [bearer()] });
		const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
		const mine = await instance.signUp(own);
		const theirs = await instance.signUp(other);
		const signed = String(mine.headers.get("set-auth-token"));
		const ask = (path: string, token: string, tenant?: string, body?: object) =>
			instance.call(path, {
				headers: { authorization: `Bearer ${token}` },
				...(tenant ? { tenant } : {}),
				...(body ? { body } : {}),
			});
		return { ...instance, own, other, mine, theirs, signed, ask };
	});

	it("is valid in its own tenant, whether signed or not, and whether the request names the tenant or not", async () => {
		const { ask, own, mine, signed } = world();
		for (const token of [mine.body.token, signed, decodeURIComponent(signed)]) {
			for (const tenant of [undefined, own]) {
				const { body } = await ask("/get-session", token, tenant);
				expect(body?.session).toMatchObject({ token: mine.body.token, tenantId: own });
				expect((await ask("/list-sessions", token, tenant)).body).toHaveLength(1);
			}
		}
	});

	it("is rejected in another tenant, and stays valid in its own", async () => {
		const { ask, other, mine, signed } = world();
		for (const token of [mine.body.token, signed]) {
			expect((await ask("/get-session", token, other)).body).toBeNull();
			expect((await ask("/update-user", token, other, { name: "Taken over" })).status).toBe(401);
			await ask("/sign-out", token, other, {});
			expect((await ask("/get-session", token)).body.user.name).toBe("User");
		}
	});

	it("works in its own tenant without a header", async () => {
		const { ask, call, own, mine, theirs } = world();
		await ask("/update-user", mine.body.token, undefined, { name: "Renamed" });
		expect((await ask("/get-session", mine.body.token, own)).body.user.name).toBe("Renamed");
		expect((await call("/get-session", { cookie: theirs.cookie })).body.user.name).toBe("User");
	});

	it("is not accepted for the cookie of another tenant, nor the cookie for it", async () => {
		const { call, own, other, mine, theirs } = world();
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
