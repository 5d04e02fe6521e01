import { describe, expect, it } from "vitest";
import { makeInstance } from "../support/instance";
import { watchRows } from "../support/sqlite-rows";
import { useWorld } from "../support/world";
import { attack } from "./attack";
import { coreRows, ways } from "./core";
import { coreSecretsOf, makeCoreWorld } from "./core-world";
import { splitRows } from "./tenant-rows";

type Way = keyof typeof ways;

const cases = Object.entries(coreRows).flatMap(([name, attempts]) =>
	attempts.flatMap((attempt) =>
		(attempt.ways ?? (Object.keys(ways) as Way[])).map(
			(way) => [name, attempt.tries, way, attempt] as const,
		),
	),
);

describe("the cross-tenant matrix of core", () => {
	const built = useWorld(makeCoreWorld);

	it("has a row for each endpoint, and no other rows", async () => {
		const { auth } = await makeInstance();
		const core = Object.entries(auth.api as Record<string, { path?: string }>)
			.filter(([, { path }]) => !path?.startsWith("/tenant/"))
			.map(([name]) => name);
		expect(Object.keys(coreRows).sort()).toEqual(core.sort());
		for (const [name, attempts] of Object.entries(coreRows)) expect(attempts, name).not.toEqual([]);
	});

	it.each(cases)(
		"%s: B %s, %s, and neither reads nor changes anything of A",
		async (_, __, way, attempt) => {
			const world = built();
			const { a, b, savedRows } = world;
			const hasChanged = watchRows(world);
			const answer = await attack(world, attempt.call(world), ways[way](world));
			const isSignedIn = way.startsWith("with its own session");
			(isSignedIn ? attempt.signedIn : attempt.otherwise)(answer, world);
			if (hasChanged()) expect(splitRows(world, a.tenantId).own).toEqual(savedRows.own);
			const sent = JSON.stringify([answer.body, [...answer.headers]]);
			for (const secret of coreSecretsOf(world)) expect(sent).not.toContain(secret);
			expect(world.mails.filter(({ tenant }) => tenant?.id !== b.tenantId)).toEqual([]);
			if (way === "with A's session and its own name") {
				const ended = answer.headers.getSetCookie().filter((it) => /session_token=;/.test(it));
				expect(ended, "A's browser keeps its session").toEqual([]);
			}
			const { body } = await world.call("/get-session", { cookie: a.cookie });
			expect(body.session.token).toBe(a.token);
		},
	);
});
