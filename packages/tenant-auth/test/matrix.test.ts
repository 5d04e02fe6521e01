import { describe, expect, it } from "vitest";
import type { MatrixRows } from "./matrix/attempt";
import { emailRows } from "./matrix/email";
import { oauthConfigRows } from "./matrix/oauth-configs";
import { operationRows } from "./matrix/operations";
import { socialRows } from "./matrix/social";
import { splitRows } from "./matrix/tenant-rows";
import { tenantRows } from "./matrix/tenants";
import { userRows } from "./matrix/users";
import { makeWorld, secretsOf } from "./matrix/world";
import { makeInstance } from "./support/instance";
import { watchRows } from "./support/sqlite-rows";
import { useWorld } from "./support/world";

const rows: MatrixRows = {
	...tenantRows,
	...emailRows,
	...oauthConfigRows,
	...socialRows,
	...userRows,
	...operationRows,
};

/** The endpoints of a running instance. */
async function endpointsUnder(prefix: string): Promise<string[]> {
	const { auth } = await makeInstance();
	return Object.entries(auth.api as Record<string, { path?: string }>)
		.filter(([, { path }]) => path?.startsWith(prefix))
		.map(([name]) => name);
}

describe("the cross-tenant matrix", () => {
	const built = useWorld(makeWorld);

	it("has a row for each endpoint, and no other rows", async () => {
		expect(Object.keys(rows).sort()).toEqual((await endpointsUnder("/tenant/")).sort());
		for (const [name, attempts] of Object.entries(rows)) expect(attempts, name).not.toEqual([]);
	});

	describe.each(Object.entries(rows))("%s", (_, attempts) => {
		const named = attempts.map((attempt) => [attempt.tries, attempt] as const);

		it.each(named)("B %s, and neither reads nor changes anything of A", async (_, attempt) => {
			const world = built();
			const { a, savedRows } = world;
			const hasChanged = watchRows(world);
			const answer = await attempt.with(world);
			attempt.gets(answer, world);
			if (hasChanged()) expect(splitRows(world, a.tenantId).own).toEqual(savedRows.own);
			const sent = JSON.stringify([answer.body, [...answer.headers]]);
			for (const secret of secretsOf(world)) expect(sent).not.toContain(secret);
			const { body } = await world.call("/get-session", { cookie: a.cookie });
			expect(body.session.token).toBe(a.token);
		});
	});
});
