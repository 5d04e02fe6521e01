import { ROUNDS, secretsOf } from "./attack-values";
import {
	type Caller,
	type CallResponse,
	callersOf,
	createCall,
	type Parties,
	readResponse,
} from "./calls";
import type { MappedEndpoint } from "./endpoints";
import type { Host } from "./host";
import { restoreParty, takeSnapshot } from "./party";
import type { CheckedEndpoint, ConformanceOptions, Leak } from "./types";

/** What all endpoints are checked with. */
export interface Setup extends Parties {
	host: Host;
	/** Every text in A's rows begins with it. */
	canary: string;
	options: ConformanceOptions;
	notes: string[];
	/** Users that calls have created on the platform. */
	orphanUsers: Set<string>;
	/** A's rows after the last call. */
	snapshot?: Map<string, string>;
	/** A's values in calls that were accepted. They may be in the caller's own rows now. */
	accepted: Set<string>;
}

/** Calls one endpoint with A's data, as every caller except A. */
export async function checkEndpoint(
	setup: Setup,
	endpoint: MappedEndpoint,
): Promise<{ checked: CheckedEndpoint; leaks: Leak[] }> {
	const checked: CheckedEndpoint = {
		name: endpoint.name,
		path: endpoint.path,
		calls: 0,
		responses: {},
		inputNeverAccepted: true,
	};
	const leaks: Leak[] = [];
	for (const caller of callersOf(setup.host, setup)) {
		if (caller.isPlatformUser && isManagement(endpoint)) continue;
		leaks.push(...(await callAs(setup, endpoint, caller, checked)));
	}
	return { checked, leaks };
}

async function callAs(
	setup: Setup,
	endpoint: MappedEndpoint,
	caller: Caller,
	checked: CheckedEndpoint,
): Promise<Leak[]> {
	const { host, a, options, notes, accepted } = setup;
	const leaks: Leak[] = [];
	const before = setup.snapshot ?? (await takeSnapshot(host, a));
	const secrets = secretsOf(a, setup.canary);
	const sent = new Set<string>();
	const leak = (call: string, what: string) =>
		leaks.push({ endpoint: endpoint.name, caller: caller.name, call, what });
	await restoreAttackers(setup);
	for (const method of endpoint.methods) {
		for (let round = 0; round < ROUNDS; round += 1) {
			const call = createCall(host, setup, options, { endpoint, caller, method, round });
			if (sent.has(call.text)) continue;
			sent.add(call.text);
			const response = await readResponse(call, endpoint, notes);
			if (response.status < 400) await restoreAttackers(setup);
			count(checked, response);
			rememberOrphanUsers(setup, caller, response);
			const leaked = secrets.find(
				(it) => response.text.includes(it) && !call.text.includes(it) && !accepted.has(it),
			);
			if (response.status < 400) {
				for (const it of secrets) if (call.text.includes(it)) accepted.add(it);
			}
			if (leaked) leak(call.text, `the response contains ${leaked}`);
		}
	}
	setup.snapshot = await takeSnapshot(host, a);
	const changes = changesBetween(before, setup.snapshot);
	for (const change of changes) leak(`one of ${[...sent].join("; ")}`, change);
	if (changes.length > 0) {
		await restoreParty(host, a);
		delete setup.snapshot;
	}
	return leaks;
}

/** A call may have ended the attackers' own sessions, or deleted their users. */
async function restoreAttackers({ host, b, platform }: Setup): Promise<void> {
	await restoreParty(host, b);
	await restoreParty(host, platform);
}

const isManagement = ({ path }: MappedEndpoint) =>
	path?.startsWith("/tenant/") === true && !/\/(sign-|callback)/.test(path);

function count(checked: CheckedEndpoint, { status, text }: CallResponse): void {
	checked.calls += 1;
	checked.responses[status] = (checked.responses[status] ?? 0) + 1;
	if (!/VALIDATION_ERROR|Validation Error/i.test(text)) checked.inputNeverAccepted = false;
}

/** A call that names no tenant is allowed to create a user on the platform. */
function rememberOrphanUsers(
	{ orphanUsers }: Setup,
	{ names }: Caller,
	{ text }: CallResponse,
): void {
	if (names) return;
	for (const [, id] of text.matchAll(/"user":\{[^{}]*?"id":"([^"]+)"/g)) {
		if (id) orphanUsers.add(id);
	}
}

function changesBetween(before: Map<string, string>, after: Map<string, string>): string[] {
	const changed = [...before].flatMap(([key, row]) => {
		const now = after.get(key);
		if (now === row) return [];
		return now === undefined
			? `A's ${key} was deleted`
			: `A's ${key} changed from ${row} to ${now}`;
	});
	const added = [...after].filter(([key]) => !before.has(key));
	return [...changed, ...added.map(([key, row]) => `A has a new ${key}: ${row}`)];
}
