import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeInstance } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";
import { attack } from "./attack";
import { coreRows, ways } from "./core";
import { coreSecretsOf, makeCoreWorld } from "./core-world";
import { otherSetups, setups } from "./setups";
import { splitRows, watchStores } from "./tenant-rows";

type Way = keyof typeof ways;

const attempts = Object.entries(coreRows).flatMap(([name, attempts]) =>
	attempts.map((attempt) => ({ name, attempt, all: attempt.ways ?? (Object.keys(ways) as Way[]) })),
);

it("has a row for each endpoint of core, and no other rows", async () => {
	const { auth } = await makeInstance();
	const core = Object.entries(auth.api as Record<string, { path?: string }>)
		.filter(([, { path }]) => !path?.startsWith("/tenant/"))
		.map(([name]) => name);
	expect(Object.keys(coreRows).sort()).toEqual(core.sort());
	for (const [name, attempts] of notEmpty(Object.entries(coreRows)))
		expect(attempts, name).not.toEqual([]);
});

const cases = attempts.flatMap(({ name, attempt, all }) =>
	all.map((way) => [name, attempt.tries, way, attempt] as const),
);

describe.each(setups)("the cross-tenant matrix of core (%s)", (setup) => {
	const built = useWorld(() => makeCoreWorld(setup && otherSetups[setup]));

	it.each(cases)(
		"%s: B %s, %s, and neither reads nor changes anything of A",
		async (_, __, way, attempt) => {
			const world = built();
			const { a, b, savedRows } = world;
			const hasChanged = watchStores(world);
			const answer = await attack(world, attempt.call(world), ways[way](world));
			const isSignedIn = way.startsWith("with its own session");
			(isSignedIn ? attempt.signedIn : attempt.otherwise)(answer, world);
			if (hasChanged()) expect(splitRows(world, a.tenantId).own).toEqual(savedRows.own);
			const sent = JSON.stringify([answer.body, [...answer.headers]]);
			for (const secret of notEmpty(coreSecretsOf(world))) expect(sent).not.toContain(secret);
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
