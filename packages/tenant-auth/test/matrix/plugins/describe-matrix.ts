import type { BetterAuthPlugin } from "better-auth";
import { afterAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { TEST_ALL } from "../../../../../testing/services";
import { isOurPlugin } from "../../../src/call/context/endpoint-rules";
import type { Instance } from "../../support/worlds/instance";
import { findOwnEndpoints } from "../../support/worlds/require-conformance";
import { useWorld } from "../../support/worlds/world";
import { attack, type Caller } from "../attack";
import { otherSetups, type SetupName } from "../setups";
import { splitRows, watchStores } from "../tenant-rows";
import { type Attempt, outcomeOf, type PluginMatrix, type Way, ways, waysOf } from "./matrix";
import { makePluginWorld, type PluginWorld } from "./world";

/** The calls of B: each attempt, with each session and name that B can use. */
export const casesOf = <Own>({ rows, core = {} }: PluginMatrix<Own>) =>
	[...Object.entries(rows), ...Object.entries(core)].flatMap(([name, attempts]) =>
		attempts.flatMap((attempt) =>
			(attempt.ways ?? waysOf[attempt.by]).map(
				(way) => [name, attempt.tries, way, attempt] as const,
			),
		),
	);

/** Adds the tests of a plugin. Returns the name of the plugin. */
export function describeMatrix<Own>(matrix: PluginMatrix<Own>): string {
	const { plugin, rows, core = {} } = matrix;
	const all = [...Object.entries(rows), ...Object.entries(core)];

	describe(`the cross-tenant matrix of ${plugin}`, () => {
		const world = useWorld(() => makePluginWorld(matrix));
		afterAll(() => world().close());

		it("has a row for each endpoint, and no other rows", async () => {
			expect(Object.keys(rows).sort()).toEqual((await endpointsOfPlugins(world())).sort());
			expect(all).not.toEqual([]);
			for (const [name, attempts] of notEmpty(all)) {
				expect(attempts, name).not.toEqual([]);
				for (const attempt of notEmpty(attempts)) expectToCall(world(), name, attempt);
			}
		});

		const distinguishing = all.flatMap(([name, attempts]) =>
			attempts.filter((it) => !it.ofHost).map((it) => [name, it.tries, it] as const),
		);
		it.each(distinguishing)("%s: fails this test if A itself %s", async (_, __, attempt) => {
			const { a } = world();
			const asA = { cookie: attempt.signedOut ? "" : a.cookie, tenant: a.tenantId };
			await expect(attackByB(world(), attempt, "with its own session", asA)).rejects.toThrow();
		});

		it.each(casesOf(matrix))(NEITHER_READS_NOR_CHANGES, async (_, __, way, attempt) => {
			await expectFailedAttack(world(), attempt, way);
		});
	});
	return plugin;
}

/** Adds the tests of a plugin in another set-up. */
export const describeMatrixIn =
	(name: SetupName) =>
	<Own>(matrix: PluginMatrix<Own>): string => {
		const { plugin, rows, core = {} } = matrix;
		const all = [...Object.entries(rows), ...Object.entries(core)];
		const attempts = all.flatMap(([endpoint, attempts]) =>
			attempts
				.filter((it) => !it.notIn?.includes(name))
				.map((attempt) => [endpoint, attempt.tries, attempt] as const),
		);
		const cases = attempts.flatMap(([endpoint, tries, attempt]) =>
			(attempt.ways ?? waysOf[attempt.by]).map((way) => [endpoint, tries, way, attempt] as const),
		);
		if (matrix.notIn?.includes(name)) return plugin;
		describe(`the cross-tenant matrix of ${plugin}, ${name}`, () => {
			const world = useWorld(() => makePluginWorld(matrix, otherSetups[name]));
			afterAll(() => world().close());
			it.each(cases)(NEITHER_READS_NOR_CHANGES, async (_, __, way, attempt) => {
				await expectFailedAttack(world(), attempt, way);
			});
		});
		return plugin;
	};

const NEITHER_READS_NOR_CHANGES = "%s: B %s, %s, and neither reads nor changes anything of A";

async function expectFailedAttack<Own>(world: PluginWorld<Own>, attempt: Attempt<Own>, way: Way) {
	await attackByB(world, attempt, way, ways[way](world));
	const [first] = attempt.ways ?? waysOf[attempt.by];
	// All rows are as before, so A's own call answers the same after each way.
	if (way !== first && !TEST_ALL) return;
	const { a, outbox } = world;
	outbox.length = 0;
	const asA = { cookie: attempt.signedOut ? "" : a.cookie, tenant: a.tenantId };
	attempt.own(await attack(world, attempt.call(world), asA), world);
}

/** The endpoints that other plugins add, and those of core that they replace. */
async function endpointsOfPlugins({ auth, options }: Instance): Promise<string[]> {
	const without = await findOwnEndpoints();
	const others: BetterAuthPlugin[] = options.plugins.filter((it) => !isOurPlugin(it));
	const replaced = others.flatMap(({ endpoints = {} }) => Object.keys(endpoints));
	return Object.keys(auth.api).filter((name) => !without.has(name) || replaced.includes(name));
}

/** A row that calls another endpoint would prove nothing about its own. */
function expectToCall<Own>(world: PluginWorld<Own>, name: string, attempt: Attempt<Own>): void {
	const endpoints = world.auth.api as unknown as Record<string, { path?: string }>;
	const { path, onServer } = attempt.call(world);
	const mounted = endpoints[name]?.path?.replaceAll(/:\w+/g, "[^/]+");
	if (onServer) expect(path).toBe(name);
	else expect(path).toMatch(new RegExp(`^${mounted}$`));
}

async function attackByB<Own>(
	world: PluginWorld<Own>,
	attempt: Attempt<Own>,
	way: Way,
	caller: Caller,
) {
	const { a, b, outbox, savedRows } = world;
	const hasChanged = watchStores(world);
	const call = attempt.call(world);
	const answer = await attack(world, call, caller);
	outcomeOf(attempt, way)(answer, world);
	const after = hasChanged() ? splitRows(world, a.tenantId) : savedRows;
	expect(after.own).toEqual(savedRows.own);
	const known = attempt.knows?.(world) ?? [];
	const secrets = world.secrets.filter((secret) => !known.includes(secret));
	const sent = JSON.stringify([answer.body, [...answer.headers]]);
	expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
	const written = after.others.join("\n");
	expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
	expect(outbox.filter(({ tenantId }) => tenantId !== b.tenantId)).toEqual([]);
	if (!way.startsWith("with A's session")) return;
	const cookies = answer.headers.getSetCookie().filter((it) => it.includes("session_token="));
	expect(cookies.at(-1) ?? "", "A's browser keeps its session").not.toMatch(/max-age=0/i);
}
