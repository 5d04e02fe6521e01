import { describe, expect, it } from "vitest";
import type { MatrixRows } from "./matrix/attempt";
import { emailRows } from "./matrix/email";
import { oauthConfigRows } from "./matrix/oauth-configs";
import { operationRows } from "./matrix/operations";
import { socialRows } from "./matrix/social";
import { rowsOf } from "./matrix/tenant-rows";
import { tenantRows } from "./matrix/tenants";
import { userRows } from "./matrix/users";
import { makeWorld, secretsOf } from "./matrix/world";
import { makeInstance } from "./support/instance";

const rows: MatrixRows = {
	...tenantRows,
	...emailRows,
	...oauthConfigRows,
	...socialRows,
	...userRows,
	...operationRows,
};

/** The endpoints that a running instance really mounts. */
async function endpointsUnder(prefix: string): Promise<string[]> {
	const { auth } = await makeInstance();
	return Object.entries(auth.api as Record<string, { path?: string }>)
		.filter(([, { path }]) => path?.startsWith(prefix))
		.map(([name]) => name);
}

describe("the cross-tenant matrix", () => {
	it("has a row for every endpoint, and no other", async () => {
		expect(Object.keys(rows).sort()).toEqual((await endpointsUnder("/tenant/")).sort());
		for (const [name, attempts] of Object.entries(rows)) expect(attempts, name).not.toEqual([]);
	});

	describe.each(Object.entries(rows))("%s", (_, attempts) => {
		const named = attempts.map((attempt) => [attempt.tries, attempt] as const);

		it.each(named)("B %s: it learns and changes nothing of A", async (_, attempt) => {
			const world = await makeWorld();
			const before = rowsOf(world, world.a.tenantId);
			const answer = await attempt.with(world);
			attempt.gets(answer, world);
			expect(rowsOf(world, world.a.tenantId)).toEqual(before);
			const told = JSON.stringify([answer.body, [...answer.headers]]);
			for (const secret of secretsOf(world)) expect(told).not.toContain(secret);
			const { body } = await world.call("/get-session", { cookie: world.a.cookie });
			expect(body.session.token).toBe(world.a.token);
		});
	});
});
