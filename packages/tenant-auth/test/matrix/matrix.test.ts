import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeInstance } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";
import { ownRows as rows } from "./own-rows";
import { otherSetups, setups } from "./setups";
import { splitRows, watchStores } from "./tenant-rows";
import { makeWorld, secretsOf } from "./world";

/** The endpoints of a running instance. */
async function endpointsUnder(prefix: string): Promise<string[]> {
	const { auth } = await makeInstance();
	return Object.entries(auth.api as Record<string, { path?: string }>)
		.filter(([, { path }]) => path?.startsWith(prefix))
		.map(([name]) => name);
}

it("has a row for each endpoint, and no other rows", async () => {
	expect(Object.keys(rows).sort()).toEqual((await endpointsUnder("/tenant/")).sort());
	for (const [name, attempts] of notEmpty(Object.entries(rows)))
		expect(attempts, name).not.toEqual([]);
});

describe.each(setups)("the cross-tenant matrix (%s)", (setup) => {
	const built = useWorld(() => makeWorld(setup && otherSetups[setup]));

	describe.each(Object.entries(rows))("%s", (_, attempts) => {
		const named = attempts
			.filter(({ notIn }) => !setup || !notIn?.includes(setup))
			.map((attempt) => [attempt.tries, attempt] as const);

		it.each(named)("B %s, and neither reads nor changes anything of A", async (_, attempt) => {
			const world = built();
			const { a, savedRows } = world;
			const hasChanged = watchStores(world);
			const answer = await attempt.with(world);
			attempt.gets(answer, world);
			if (hasChanged()) expect(splitRows(world, a.tenantId).own).toEqual(savedRows.own);
			const sent = JSON.stringify([answer.body, [...answer.headers]]);
			for (const secret of notEmpty(secretsOf(world))) expect(sent).not.toContain(secret);
			const { body } = await world.call("/get-session", { cookie: a.cookie });
			expect(body.session.token).toBe(a.token);
		});
	});
});
