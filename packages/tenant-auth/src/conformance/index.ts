import { BetterAuthError } from "@better-auth/core/error";
import { type MappedEndpoint, mapEndpoints } from "./endpoint-map";
import { type ConformanceAuth, type Host, lookAtHost } from "./host";
import type { ConformanceOptions } from "./options";
import { describeCrossings, type IsolationReport } from "./report";
import { makePlatformSide, makeTenantSide, removeTenantSide, type Side } from "./side";
import { withoutNetwork, withoutRateLimits } from "./undisturbed";
import { type Stage, walkEndpoint } from "./walk";

export type { ConformanceAuth } from "./host";
export type { ConformanceOptions, ThrowAwayTenant } from "./options";
export type { Crossing, IsolationReport, WalkedEndpoint } from "./report";

/**
 * Tries every endpoint of an instance with two throw-away tenants: whatever is A's is sent by B, by
 * nobody and by the platform, and it is watched that nothing of A's is told or changed.
 *
 * Run it in tests, on a database of the tests. It needs no network and no test runner.
 */
export async function checkTenantIsolation(
	auth: ConformanceAuth,
	options: ConformanceOptions = {},
): Promise<IsolationReport> {
	const host = await lookAtHost(auth);
	const endpoints = readsFirst(mapEndpoints(auth.api));
	const names = new Set(endpoints.map(({ name }) => name));
	const skipped = requireReasons(options.skip ?? {}, names);
	const chosen = chooseEndpoints(endpoints, options, names);
	return undisturbed(host, options, async () => {
		const report: IsolationReport = { crossings: [], endpoints: [], skipped, notes: [] };
		const stage = await setStage(host, options, report.notes);
		try {
			for (const endpoint of chosen) {
				const { walked, crossings } = await walkEndpoint(stage, endpoint);
				report.endpoints.push(walked);
				report.crossings.push(...crossings);
			}
		} finally {
			await clearStage(stage);
		}
		report.notes = [...new Set(report.notes)];
		return report;
	});
}

/**
 * As {@link checkTenantIsolation}, and throws where something crosses, or where every call fails.
 *
 * @example
 * ```ts
 * it("keeps tenants apart", () => assertTenantIsolation(auth));
 * ```
 */
export async function assertTenantIsolation(
	auth: ConformanceAuth,
	options: ConformanceOptions = {},
): Promise<IsolationReport> {
	const report = await checkTenantIsolation(auth, options);
	if (report.crossings.length === 0) return requireAnAnswer(report);
	throw new BetterAuthError(
		`Tenants are not kept apart: ${report.crossings.length} crossings\n${describeCrossings(report)}`,
	);
}

/** A host that fails at every call, for its set-up is wrong, tells nothing and changes nothing. */
function requireAnAnswer(report: IsolationReport): IsolationReport {
	const statuses = report.endpoints.flatMap(({ answers }) => Object.keys(answers).map(Number));
	if (statuses.some((status) => status < 500)) return report;
	throw new BetterAuthError(
		`Nothing is proven: every call failed with a server error\n${report.notes.join("\n")}`,
	);
}

/** Once B has written something of A's into a row of its own, reading it there proves nothing. */
function readsFirst(endpoints: MappedEndpoint[]): MappedEndpoint[] {
	const writes = ({ methods }: MappedEndpoint) => Number(methods.some((it) => it !== "GET"));
	return endpoints.sort((x, y) => writes(x) - writes(y));
}

/** What is left out must be there, and have a reason: otherwise nobody would notice it come back. */
function requireReasons(skip: Record<string, string>, names: Set<string>) {
	return Object.entries(skip).map(([name, reason]) => {
		if (!names.has(name)) {
			throw new BetterAuthError(`checkTenantIsolation: there is no endpoint ${name} to skip`);
		}
		if (!reason) throw new BetterAuthError(`checkTenantIsolation: say why ${name} is skipped`);
		return { name, reason };
	});
}

/** A check that calls nothing, for a name was misspelt, would pass and prove nothing. */
function chooseEndpoints(
	endpoints: MappedEndpoint[],
	{ only, skip }: ConformanceOptions,
	names: Set<string>,
): MappedEndpoint[] {
	for (const name of only ?? []) {
		if (names.has(name)) continue;
		throw new BetterAuthError(`checkTenantIsolation: there is no endpoint ${name} to try alone`);
	}
	const chosen = endpoints.filter(({ name }) => !skip?.[name] && only?.includes(name) !== false);
	if (chosen.length > 0) return chosen;
	throw new BetterAuthError("checkTenantIsolation: no endpoint is left to try");
}

/** Runs `work` without rate limits and, unless it is wanted, without network. */
function undisturbed<T>({ ctx }: Host, options: ConformanceOptions, work: () => Promise<T>) {
	return withoutRateLimits(ctx, options.network ? work : () => withoutNetwork(work));
}

async function setStage(host: Host, options: ConformanceOptions, notes: string[]): Promise<Stage> {
	const random = () => Math.random().toString(36).slice(2, 10).padEnd(8, "x");
	const [markOfA, markOfB] = [`a${random()}`, `b${random()}`];
	const email = `${random()}@conformance.example.com`;
	const identity = () => ({ email, password: `password ${random()}` });
	const a = await makeTenantSide(host, markOfA, identity(), options, notes);
	const b = await makeTenantSide(host, markOfB, identity(), options, notes);
	const fields = options.userFields ?? {};
	const platform = await makePlatformSide(host, `p${random()}`, identity(), fields);
	return { host, a, markOfA, b, platform, options, notes, strays: new Set(), accepted: new Set() };
}

async function clearStage(stage: Stage): Promise<void> {
	const { host, a, b, strays } = stage;
	for (const side of [a, b]) await removeTenantSide(host, side).catch(() => undefined);
	await removePlatformUsers(host, stage.platform, strays);
}

/** Runs with no request around it, so in the platform's scope: no other user can be meant. */
async function removePlatformUsers({ ctx }: Host, { email, userId }: Side, strays: Set<string>) {
	const found = await ctx.internalAdapter.findUserByEmail(email);
	for (const id of new Set([userId, ...strays, ...(found ? [found.user.id] : [])])) {
		await ctx.internalAdapter.deleteUser(id).catch(() => undefined);
	}
}
