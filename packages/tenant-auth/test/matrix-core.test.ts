import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attack } from "./matrix/attack";
import { coreRows, ways } from "./matrix/core";
import { type CoreWorld, coreSecretsOf, makeCoreWorld } from "./matrix/core-world";
import { rowsOf } from "./matrix/tenant-rows";
import { makeInstance } from "./support/instance";

type Way = keyof typeof ways;

const cases = Object.entries(coreRows).flatMap(([name, attempts]) =>
	attempts.flatMap((attempt) =>
		(attempt.ways ?? (Object.keys(ways) as Way[])).map(
			(way) => [name, attempt.tries, way, attempt] as const,
		),
	),
);

describe("the cross-tenant matrix of core", () => {
	let world: CoreWorld;
	beforeAll(async () => {
		world = await makeCoreWorld();
	});
	beforeEach(() => world.restore());

	it("has a row for every endpoint, and no other", async () => {
		const { auth } = await makeInstance();
		const core = Object.entries(auth.api as Record<string, { path?: string }>)
			.filter(([, { path }]) => !path?.startsWith("/tenant/"))
			.map(([name]) => name);
		expect(Object.keys(coreRows).sort()).toEqual(core.sort());
		for (const [name, attempts] of Object.entries(coreRows)) expect(attempts, name).not.toEqual([]);
	});

	it.each(cases)(
		"%s: B %s, %s: it learns and changes nothing of A",
		async (_, __, way, attempt) => {
			const before = rowsOf(world, world.a.tenantId);
			const answer = await attack(world, attempt.call(world), ways[way](world));
			const isSignedIn = way.startsWith("with its own session");
			(isSignedIn ? attempt.signedIn : attempt.otherwise)(answer, world);
			expect(rowsOf(world, world.a.tenantId)).toEqual(before);
			const told = JSON.stringify([answer.body, [...answer.headers]]);
			for (const secret of coreSecretsOf(world)) expect(told).not.toContain(secret);
			expect(world.mails.filter(({ tenantId }) => tenantId !== world.b.tenantId)).toEqual([]);
			if (way === "with A's session and its own name") {
				const ended = answer.headers.getSetCookie().filter((it) => /session_token=;/.test(it));
				expect(ended, "A's browser keeps its session").toEqual([]);
			}
			const { body } = await world.call("/get-session", { cookie: world.a.cookie });
			expect(body.session.token).toBe(world.a.token);
		},
	);
});
