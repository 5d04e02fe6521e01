import type { BetterAuthPlugin } from "better-auth";
import { bearer } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { cookiesOf, ORIGIN } from "../../../tenant-auth/test/support/worlds/plain-better-auth";
import { makeDeterministic, makePair, type Pair } from "../comparison/compare";
import { type Fill, USER } from "../comparison/compared-app";
import { isReadDirectly, sendGetSession } from "./sent-session";

makeDeterministic();

const RUNS = { numRuns: 150, seed: 7 };

const mostly = <T>(usual: T, ...others: T[]) =>
	fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

/** Some of the requests are read directly, and some are not. */
async function check<T>(pair: Pair, values: fc.Arbitrary<T>, send: (value: T) => Promise<unknown>) {
	const direct = { yes: 0, no: 0 };
	const property = fc.asyncProperty(values, async (value) => {
		await send(value);
		const isDirect = isReadDirectly(pair) && pair.ours.statements.length === 1;
		direct[isDirect ? "yes" : "no"] += 1;
	});
	await fc.assert(property, RUNS);
	expect(direct.yes).toBeGreaterThan(0);
	expect(direct.no).toBeGreaterThan(0);
}

describe("any cookies", () => {
	it("get the response of Better Auth", async () => {
		const pair = await makePair(() => ({ plugins: [bearer() as BetterAuthPlugin] }));
		const [name = "", value = ""] = pair.plain.cookie.split(/=(.*)/);
		const token = decodeURIComponent(value);
		const names = mostly(
			...[name, ` ${name}`, `${name} `, name.toUpperCase(), `x${name}`, `${name}x`, "a", ""],
			...[`__Secure-${name}`, `__Host-${name}`, `${name}_multi-a`, name.replace(".", "%2e")],
			...["better-auth.session_data", "better-auth.session_data.0", "better-auth.dont_remember"],
		);
		const values = mostly(
			...[value, token, `"${value}"`, ` ${value}`, `${value} `, "", "x", "true"],
			...[`${value}%`, value.replace("%3D", "="), value.toLowerCase(), token.split(".")[0] ?? ""],
			...[`x${value}`, `${value}x`, encodeURIComponent(value), `${name}=${value}`, `a=${value}`],
		);
		const cookies = fc.array(
			fc.record({
				pair: fc.tuple(names, mostly("=", "= ", " =", ""), values),
				end: mostly("; ", ";", " ; ", ";;", ", ", "\t;"),
			}),
			{ minLength: 1, maxLength: 3 },
		);
		await check(pair, cookies, (list) =>
			sendGetSession(pair, { cookie: list.map(({ pair, end }) => pair.join("") + end).join("") }),
		);
	});
});

describe("any state of a session, its user and its tenant", () => {
	let pair: Pair;
	let ids: string[];

	const fill: Fill = async ({ api, handler }) => {
		type Api = { createTenant(input: object): Promise<{ id: string }> };
		const create = (slug: string) =>
			(api as unknown as Api).createTenant({ body: { name: slug, slug } });
		const { id } = await create("acme");
		await create("globex");
		const request = new Request(`${ORIGIN}/api/auth/tenant/sign-up/email`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: ORIGIN },
			body: JSON.stringify({ ...USER, tenantId: id }),
		});
		return cookiesOf(await handler(request));
	};

	beforeAll(async () => {
		pair = await makePair(() => ({ plugins: [tenantAuth() as BetterAuthPlugin] }), { fill });
		const tenants = pair.plain.rows().tenant ?? [];
		ids = ["acme", "globex"].map((slug) => String(tenants.find((it) => it.slug === slug)?.id));
	});

	const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
	const quoted = (value: string | null) => (value === null ? "null" : `'${value}'`);

	it("gets the response of Better Auth, with the same effects", async () => {
		const [acme = "", globex = ""] = ids;
		const tenantId = mostly(acme, globex, "", "gone");
		const date = mostly<string | null>(null, at(-1), at(1));
		const states = fc.record({
			session: fc.record({
				tenantId,
				tenantImpersonator: mostly<string | null>(null, "", "member:1", "key:1"),
				expiresAt: mostly(at(24 * 7), at(-1), at(0), at(1), at(24 * 6), at(24 * 6 + 1), at(9999)),
				createdAt: mostly(at(0), at(-2), at(-9999), at(1)),
				updatedAt: mostly(at(0), at(-2), at(-9999), at(1)),
			}),
			user: fc.record({ tenantId, disabledAt: date }),
			tenant: fc.record({
				suspendedAt: date,
				erasingSince: date,
				policy: mostly<string | null>(
					...([null, "", "{}", '{"session":{"lifetime":3600}}'] as const),
					...(['{"session":{"idleTime":3600}}', '{"secondFactor":{"required":true}}'] as const),
				),
			}),
			named: mostly<string | undefined>(
				...([undefined, acme, ` ${acme}`, globex, "", " ", "unknown", "acme"] as const),
				...([acme.toUpperCase(), `${acme}, ${acme}`, `${acme},`] as const),
			),
		});
		await check(pair, states, async ({ named, ...tables }) => {
			for (const [table, row] of Object.entries(tables)) {
				const set = Object.entries(row).map(([name, value]) => `${name} = ${quoted(value)}`);
				for (const app of [pair.plain, pair.ours]) app.execute(`update ${table} set ${set}`);
			}
			await sendGetSession(pair, named === undefined ? {} : { headers: { "x-tenant-id": named } });
		});
	});
});
