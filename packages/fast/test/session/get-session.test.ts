import { runWithTransaction } from "@better-auth/core/context";
import type { BetterAuthOptions } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { getSession } from "better-auth-fast";
import { describe, expect, it } from "vitest";
import { makeDeterministic, makePair } from "../comparison/compare";
import { isReadDirectly } from "./sent-session";

makeDeterministic();

async function makeApp(options: BetterAuthOptions = {}) {
	const pair = await makePair(() => options);
	const { auth, cookie, statements } = pair.ours;
	const headers = new Headers({ cookie });
	const read = async () => {
		statements.length = 0;
		return getSession(auth, headers);
	};
	return { pair, auth, headers, read };
}

describe("getSession(auth, headers)", () => {
	it("returns what auth.api.getSession returns, with one statement", async () => {
		const { pair, auth, headers, read } = await makeApp();
		const expected = await auth.api.getSession({ headers });
		const found = await read();
		expect(found).toEqual(expected);
		expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
		expect(found?.session.expiresAt).toBeInstanceOf(Date);
		expect([isReadDirectly(pair), pair.ours.statements.length]).toEqual([true, 1]);
	});

	it("asks Better Auth for everything that is unusual", async () => {
		const { auth } = await makeApp();
		expect(await getSession(auth, new Headers())).toBeNull();
		const cached = await makeApp({ session: { cookieCache: { enabled: true } } });
		expect(await cached.read()).toMatchObject({ user: { name: "Ada" } });
		expect(isReadDirectly(cached.pair)).toBe(false);
	});

	it("sees a session that was revoked", async () => {
		const { pair, read } = await makeApp();
		expect(await read()).not.toBeNull();
		pair.ours.execute("delete from session");
		expect(await read()).toBeNull();
	});

	it("reads as Better Auth does inside of a transaction, and inside of a request", async () => {
		let inRequest: unknown = null;
		const app = await makeApp({
			plugins: [
				{
					id: "under-test",
					endpoints: {
						look: createAuthEndpoint("/look", { method: "GET" }, async () => {
							inRequest = [await app.read(), isReadDirectly(app.pair)];
							return null;
						}),
					},
				},
			],
		});
		const { adapter } = await app.auth.$context;
		const inTransaction = await runWithTransaction(adapter, async () => [
			await app.read(),
			isReadDirectly(app.pair),
		]);
		expect(inTransaction).toEqual([expect.objectContaining({ user: expect.anything() }), false]);
		await app.auth.handler(new Request("http://localhost:3000/api/auth/look"));
		expect(inRequest).toEqual([expect.objectContaining({ user: expect.anything() }), false]);
	});
});
