import type { BetterAuthPlugin } from "better-auth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../../support/instance";
import { attack } from "../attack";
import { rowsOf, rowsOfOthers } from "../tenant-rows";
import { type Attempt, outcomeOf, type PluginMatrix, type Way, ways, waysOf } from "./matrix";
import { makePluginWorld, type PluginWorld } from "./world";

/** Makes the tests of a plugin's rows. Answers with the plugin's name. */
export function describeMatrix<Own>(matrix: PluginMatrix<Own>): string {
	const { plugin, rows, core = {} } = matrix;
	const all = [...Object.entries(rows), ...Object.entries(core)];
	const cases = all.flatMap(([name, attempts]) =>
		attempts.flatMap((attempt) =>
			(attempt.ways ?? waysOf[attempt.by]).map(
				(way) => [name, attempt.tries, way, attempt] as const,
			),
		),
	);

	describe(`the cross-tenant matrix of ${plugin}`, () => {
		let world: PluginWorld<Own>;
		beforeAll(async () => {
			world = await makePluginWorld(matrix);
		});
		afterAll(() => world.close());
		beforeEach(() => world.restore());

		it("has a row for every endpoint, and no other", async () => {
			expect(Object.keys(rows).sort()).toEqual((await endpointsOfPlugins(world)).sort());
			expect(all).not.toEqual([]);
			for (const [name, attempts] of all) {
				expect(attempts, name).not.toEqual([]);
				for (const attempt of attempts) expectToBeAt(world, name, attempt);
			}
		});

		it.each(cases)(
			"%s: B %s, %s: it learns and changes nothing of A",
			async (_, __, way, attempt) => {
				await attackByB(world, attempt, way);
				const { a, outbox } = world;
				const { body } = await world.call("/get-session", { cookie: a.cookie });
				expect(body.session.token ?? body.session.id).toBe(a.token);
				outbox.length = 0;
				const cookie = attempt.signedOut ? "" : a.cookie;
				const again = await attack(world, attempt.call(world), { cookie, tenant: a.tenantId });
				attempt.own(again, world);
			},
		);
	});
	return plugin;
}

/** What the running instance has beyond core and our own, and what a plugin has replaced of core's. */
async function endpointsOfPlugins({ auth, options }: Instance): Promise<string[]> {
	const without = new Set(Object.keys((await makeInstance()).auth.api));
	const others: BetterAuthPlugin[] = options.plugins.filter(({ id }) => id !== "tenant-auth");
	const replaced = others.flatMap(({ endpoints = {} }) => Object.keys(endpoints));
	return Object.keys(auth.api).filter((name) => !without.has(name) || replaced.includes(name));
}

/** A row that calls something else would prove nothing about its endpoint. */
function expectToBeAt<Own>(world: PluginWorld<Own>, name: string, attempt: Attempt<Own>): void {
	const endpoints = world.auth.api as unknown as Record<string, { path?: string }>;
	const { path, onServer } = attempt.call(world);
	const mounted = endpoints[name]?.path?.replaceAll(/:\w+/g, "[^/]+");
	if (onServer) expect(path).toBe(name);
	else expect(path).toMatch(new RegExp(`^${mounted}$`));
}

async function attackByB<Own>(world: PluginWorld<Own>, attempt: Attempt<Own>, way: Way) {
	const { a, b, outbox } = world;
	const before = rowsOf(world, a.tenantId);
	const call = attempt.call(world);
	const answer = await attack(world, call, ways[way](world));
	outcomeOf(attempt, way)(answer, world);
	expect(rowsOf(world, a.tenantId)).toEqual(before);
	const known = attempt.knows?.(world) ?? [];
	const secrets = world.secrets.filter((secret) => !known.includes(secret));
	const told = JSON.stringify([answer.body, [...answer.headers]]);
	expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
	const written = rowsOfOthers(world, a.tenantId).join("\n");
	expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
	expect(outbox.filter(({ tenantId }) => tenantId !== b.tenantId)).toEqual([]);
	if (!way.startsWith("with A's session")) return;
	const cookies = answer.headers.getSetCookie().filter((it) => it.includes("session_token="));
	expect(cookies.at(-1) ?? "", "A's browser keeps its session").not.toMatch(/max-age=0/i);
}
