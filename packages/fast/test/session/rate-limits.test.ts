import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { describe, expect, it, onTestFinished } from "vitest";
import { ORIGIN } from "../../../tenant-auth/test/support/worlds/plain-better-auth";
import { makeDeterministic, makePair, type Pair } from "../comparison/compare";
import { requireDirect, sendGetSession } from "./sent-session";

makeDeterministic();

const from = (ip: string) => ({ headers: { "x-forwarded-for": ip } });
const max = (n: number): BetterAuthOptions["rateLimit"] => ({ enabled: true, window: 60, max: n });

/** Better Auth counts in the memory of the process, so both apps have addresses of their own. */
async function sendToBoth({ plain, ours, handler }: Pair, times: number) {
	const ask = async (app: typeof plain, send: typeof handler, ip: string) => {
		const url = `${ORIGIN}/api/auth/get-session`;
		const headers = { cookie: app.cookie, "x-forwarded-for": ip };
		return (await app.observe(send, new Request(url, { headers }))).response;
	};
	const all = [];
	for (let n = 0; n < times; n += 1) {
		const expected = await ask(plain, plain.auth.handler, "203.0.113.1");
		const found = await ask(ours, handler, "203.0.113.2");
		expect(found).toEqual(expected);
		all.push(found.status);
	}
	return all;
}

describe("a direct read with rate limits", () => {
	it("is refused after as many requests as Better Auth allows", async () => {
		const pair = await makePair(() => ({ rateLimit: max(3) }));
		expect(await sendToBoth(pair, 5)).toEqual([200, 200, 200, 429, 429]);
		// A request over the limit reads nothing.
		expect(pair.ours.statements).toEqual([]);
	});

	it("is counted in the database as Better Auth counts it", async () => {
		const pair = await makePair(() => ({ rateLimit: { ...max(9), storage: "database" } }));
		await requireDirect(pair, from("203.0.113.3"));
		expect(pair.ours.rows()).toEqual(pair.plain.rows());
		pair.plain.execute(
			"insert into rateLimit (id, key, count, lastRequest) values ('x', '203.0.113.3|/get-session', 9, 9e15)",
		);
		pair.ours.execute(
			"insert into rateLimit (id, key, count, lastRequest) values ('x', '203.0.113.3|/get-session', 9, 9e15)",
		);
		expect((await sendGetSession(pair, from("203.0.113.3"))).status).toBe(429);
	});

	it("is counted once in a storage of the app, also if Better Auth responds", async () => {
		const keys: unknown[][] = [[], []];
		let made = 0;
		const pair = await makePair(() => {
			const own = keys[made++ % 2];
			const consume = async (...call: unknown[]) => {
				own?.push(call);
				return { allowed: true, retryAfter: null };
			};
			return { rateLimit: { ...max(9), customStorage: { consume } } as never };
		});
		for (const list of keys) list.length = 0;
		await requireDirect(pair, from("203.0.113.4"));
		expect(keys[0]).toEqual([["203.0.113.4|/get-session", { window: 60, max: 9 }]]);
		expect(keys[1]).toEqual(keys[0]);
		for (const app of [pair.plain, pair.ours])
			app.execute("update session set expiresAt = '2000-01-01T00:00:00.000Z'");
		for (const list of keys) list.length = 0;
		await sendGetSession(pair, from("203.0.113.4"));
		expect(pair.ours.statements.length).toBeGreaterThan(1);
		expect(keys[0]).toHaveLength(1);
		expect(keys[1]).toEqual(keys[0]);
	});

	it("is direct where a server such as Hono has replaced the global Response", async () => {
		const pair = await makePair(() => ({ rateLimit: max(9) }));
		await sendGetSession(pair, from("203.0.113.5"));
		const original = globalThis.Response;
		onTestFinished(() => {
			globalThis.Response = original;
		});
		globalThis.Response = class extends original {};
		await requireDirect(pair, from("203.0.113.6"));
	});

	it.each<[string, () => BetterAuthOptions]>([
		[
			"of the app",
			() => ({ rateLimit: { ...max(9), customRules: { "/get-session": { window: 60, max: 1 } } } }),
		],
		[
			"of the app, a function",
			() => ({
				rateLimit: { ...max(9), customRules: { "/get-*": async () => ({ window: 60, max: 1 }) } },
			}),
		],
		[
			"of a plugin",
			() => ({
				rateLimit: max(9),
				plugins: [
					{
						id: "x",
						rateLimit: [
							{ pathMatcher: (path: string) => path === "/get-session", window: 60, max: 1 },
						],
					} as BetterAuthPlugin,
				],
			}),
		],
	])("keeps to a rule %s", async (name, options) => {
		const advanced = { ipAddress: { ipAddressHeaders: ["x-forwarded-for"] } };
		const pair = await makePair(() => ({ ...options(), advanced }));
		const ip = `198.51.100.${name.length % 20}`;
		const ask = async (send: Pair["handler"], app: Pair["plain"], own: string) => {
			const headers = { cookie: app.cookie, "x-forwarded-for": own };
			const request = new Request(`${ORIGIN}/api/auth/get-session`, { headers });
			return (await app.observe(send, request)).response.status;
		};
		for (const expected of [200, 429]) {
			expect(await ask(pair.plain.auth.handler, pair.plain, ip)).toBe(expected);
			expect(await ask(pair.handler, pair.ours, `${ip}9`)).toBe(expected);
		}
	});
});
