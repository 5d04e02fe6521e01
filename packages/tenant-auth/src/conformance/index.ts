import { BetterAuthError } from "@better-auth/core/error";
import { checkEndpoint, type Setup } from "./check-endpoint";
import { type MappedEndpoint, mapEndpoints } from "./endpoints";
import {
	type Host,
	inspectHost,
	withFastPasswords,
	withoutNetwork,
	withoutRateLimits,
} from "./host";
import { createPlatformParty, createTenantParty } from "./party";
import { withoutLog } from "./quiet";
import { findSharedCredentials, tableName } from "./shared-tables";
import type { ConformanceAuth, ConformanceOptions, IsolationReport } from "./types";

export type {
	CheckedEndpoint,
	ConformanceAuth,
	ConformanceOptions,
	IsolationReport,
	Leak,
	TestTenant,
} from "./types";

/**
 * Checks every endpoint of an instance with two test tenants: sends A's data as B, without a session and
 * as the platform, and reports what of A's data could be read or changed.
 *
 * Run it in tests, on a test database. It needs no network and no test runner.
 */
export async function checkTenantIsolation(
	auth: ConformanceAuth,
	options: ConformanceOptions = {},
): Promise<IsolationReport> {
	const host = await inspectHost(auth);
	const endpoints = readsFirst(mapEndpoints(auth.api));
	const names = new Set(endpoints.map(({ name }) => name));
	const tables = host.sharedModels.map(tableName);
	const skipped = requireReasons(options.skip ?? {}, new Set([...names, ...tables]));
	const shared = findSharedCredentials(host).filter(({ endpoint }) => !options.skip?.[endpoint]);
	const chosen = chooseEndpoints(endpoints, options, names);
	const check = async () => {
		const report: IsolationReport = { leaks: shared, endpoints: [], skipped, notes: [] };
		const setup = await createSetup(host, options, report.notes);
		try {
			for (const endpoint of chosen) {
				const { checked, leaks } = await checkEndpoint(setup, endpoint);
				report.endpoints.push(checked);
				report.leaks.push(...leaks);
			}
		} finally {
			await removeSetup(setup);
		}
		report.notes = [...new Set(report.notes)];
		return report;
	};
	const checkFast = () =>
		withFastPasswords(host.ctx, options.network ? check : () => withoutNetwork(check));
	return withoutRateLimits(host.ctx, options.logs ? checkFast : () => withoutLog(checkFast));
}

/**
 * Does the same as {@link checkTenantIsolation}, and throws if there is a leak or if every call fails.
 * Otherwise it prints a few lines about what was checked.
 *
 * @example
 * ```ts
 * it("isolates tenants", () => assertTenantIsolation(auth));
 * ```
 */
export async function assertTenantIsolation(
	auth: ConformanceAuth,
	options: ConformanceOptions = {},
): Promise<IsolationReport> {
	const report = await checkTenantIsolation(auth, options);
	if (report.leaks.length === 0) {
		requireUsableResponse(report);
		// biome-ignore lint/suspicious/noConsole: it runs in tests, where somebody reads it
		console.info(describeIsolation(report));
		return report;
	}
	throw new BetterAuthError(
		`Tenants are not isolated: ${report.leaks.length} leaks\n${describeLeaks(report)}`,
	);
}

/** At most ten lines. */
function describeIsolation({ endpoints, skipped, notes }: IsolationReport): string {
	const calls = endpoints.reduce((sum, endpoint) => sum + endpoint.calls, 0);
	const unproven = endpoints.filter((endpoint) => endpoint.inputNeverAccepted);
	const named = (items: readonly string[]) =>
		items.slice(0, 5).join(", ") + (items.length > 5 ? ` and ${items.length - 5} more` : "");
	return [
		`Tenants are isolated: no leak at ${endpoints.length} endpoints in ${calls} calls.`,
		"Each was called with data of tenant A, by B, by the platform and without a session. A's rows were compared after each endpoint.",
		unproven.length > 0 &&
			`Rejected every input, so nothing is proven: ${named(unproven.map(({ name }) => name))}.`,
		skipped.length > 0 && `Skipped: ${named(skipped.map(({ name }) => name))}.`,
		notes.length > 0 && `Notes: ${notes.length}, the first: ${notes[0]?.slice(0, 200)}`,
	]
		.filter(Boolean)
		.join("\n");
}

function describeLeaks({ leaks }: IsolationReport): string {
	return leaks
		.map(({ endpoint, caller, call, what }) => `${endpoint} (${caller}): ${what}\n    ${call}`)
		.join("\n");
}

/** An instance with a wrong setup may fail at every call. Then it leaks nothing and proves nothing. */
function requireUsableResponse(report: IsolationReport): void {
	const statuses = report.endpoints.flatMap(({ responses }) => Object.keys(responses).map(Number));
	if (statuses.some((status) => status < 500)) return;
	throw new BetterAuthError(
		`Nothing was proven: every call failed with a server error\n${report.notes.join("\n")}`,
	);
}

/** A value of A's that B has written into its own row proves nothing when B reads it there. */
function readsFirst(endpoints: MappedEndpoint[]): MappedEndpoint[] {
	const writes = ({ methods }: MappedEndpoint) => Number(methods.some((it) => it !== "GET"));
	return endpoints.sort((x, y) => writes(x) - writes(y));
}

/** A skipped endpoint must exist and have a reason, so that no entry becomes outdated unnoticed. */
function requireReasons(skip: Record<string, string>, names: Set<string>) {
	return Object.entries(skip).map(([name, reason]) => {
		if (!names.has(name)) {
			throw new BetterAuthError(`checkTenantIsolation: skip names an unknown endpoint: ${name}`);
		}
		if (!reason) throw new BetterAuthError(`checkTenantIsolation: skip needs a reason for ${name}`);
		return { name, reason };
	});
}

/** A misspelled name must not lead to a check that calls nothing and passes. */
function chooseEndpoints(
	endpoints: MappedEndpoint[],
	{ only, skip }: ConformanceOptions,
	names: Set<string>,
): MappedEndpoint[] {
	for (const name of only ?? []) {
		if (names.has(name)) continue;
		throw new BetterAuthError(`checkTenantIsolation: only names an unknown endpoint: ${name}`);
	}
	const chosen = endpoints.filter(({ name }) => !skip?.[name] && only?.includes(name) !== false);
	if (chosen.length > 0) return chosen;
	throw new BetterAuthError("checkTenantIsolation: there is no endpoint to check");
}

async function createSetup(
	host: Host,
	options: ConformanceOptions,
	notes: string[],
): Promise<Setup> {
	const random = () => Math.random().toString(36).slice(2, 10).padEnd(8, "x");
	const canary = `a${random()}`;
	const email = `${random()}@conformance.example.com`;
	const identity = () => ({ email, password: `password ${random()}` });
	const a = await createTenantParty(host, canary, identity(), options, notes);
	const b = await createTenantParty(host, `b${random()}`, identity(), options, notes);
	const fields = options.userFields ?? {};
	const platform = await createPlatformParty(host, `p${random()}`, identity(), fields);
	const [orphanUsers, accepted] = [new Set<string>(), new Set<string>()];
	return { host, a, b, platform, canary, options, notes, orphanUsers, accepted };
}

async function removeSetup(setup: Setup): Promise<void> {
	const { host, a, b } = setup;
	for (const { id } of [a, b]) await host.deleteTenant(id).catch(() => undefined);
	await removePlatformUsers(setup);
}

/** Runs outside a request, so in the platform's scope: it cannot find a tenant's user. */
async function removePlatformUsers({ host, platform, orphanUsers }: Setup): Promise<void> {
	const { internalAdapter } = host.ctx;
	const found = await internalAdapter.findUserByEmail(platform.email);
	for (const id of new Set([platform.userId, ...orphanUsers, ...(found ? [found.user.id] : [])])) {
		await internalAdapter.deleteUser(id).catch(() => undefined);
	}
}
