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
	let unchecked: Calls[] = [];
	await restoreParty(setup.host, setup.b);
	await restoreParty(setup.host, setup.platform);
	for (const caller of callersOf(setup.host, setup)) {
		if (caller.isPlatformUser && isManagement(endpoint)) continue;
		const calls = await callAs(setup, endpoint, caller, checked);
		leaks.push(...calls.leaks);
		unchecked.push(calls);
		if (calls.refused) continue;
		leaks.push(...(await findChanges(setup, endpoint, unchecked)));
		unchecked = [];
	}
	if (unchecked.length > 0) leaks.push(...(await findChanges(setup, endpoint, unchecked)));
	return { checked, leaks };
}

/** The calls of one caller. */
interface Calls {
	caller: string;
	sent: Set<string>;
	/** Whether every call was refused. A's rows are compared once for several such callers. */
	refused: boolean;
	leaks: Leak[];
}

async function callAs(
	setup: Setup,
	endpoint: MappedEndpoint,
	caller: Caller,
	checked: CheckedEndpoint,
): Promise<Calls> {
	const { host, a, options, notes, accepted } = setup;
	setup.snapshot ??= await takeSnapshot(host, a);
	const secrets = secretsOf(a, setup.canary);
	const calls: Calls = { caller: caller.name, sent: new Set(), refused: true, leaks: [] };
	for (const method of endpoint.methods) {
		for (let round = 0; round < ROUNDS; round += 1) {
			const call = createCall(host, setup, options, { endpoint, caller, method, round });
			if (calls.sent.has(call.text)) continue;
			calls.sent.add(call.text);
			const response = await readResponse(call, endpoint, notes);
			count(checked, response);
			rememberOrphanUsers(setup, caller, response);
			const leaked = secrets.find(
				(it) => response.text.includes(it) && !call.text.includes(it) && !accepted.has(it),
			);
			if (leaked) {
				const what = `the response contains ${leaked}`;
				calls.leaks.push({ endpoint: endpoint.name, caller: caller.name, call: call.text, what });
			}
			if (isRefused(response)) continue;
			calls.refused = false;
			if (response.status < 400) {
				for (const it of secrets) if (call.text.includes(it)) accepted.add(it);
			}
			await restoreAttacker(setup, caller);
		}
	}
	return calls;
}

const isRefused = ({ status }: CallResponse) => status >= 400 && status < 500;

/** A call may have ended the attacker's own session, or deleted its user. */
async function restoreAttacker({ host, b, platform }: Setup, caller: Caller): Promise<void> {
	if (caller.isPlatformUser) await restoreParty(host, platform);
	else await restoreParty(host, b);
}

/** Compares A's rows with those before the calls. */
async function findChanges(
	setup: Setup,
	{ name }: MappedEndpoint,
	calls: Calls[],
): Promise<Leak[]> {
	const { host, a, snapshot: before = new Map() } = setup;
	setup.snapshot = await takeSnapshot(host, a);
	const changes = changesBetween(before, setup.snapshot);
	if (changes.length === 0) return [];
	await restoreParty(host, a);
	delete setup.snapshot;
	const caller = calls.map((it) => it.caller).join(" or ");
	const call = `one of ${calls.flatMap(({ sent }) => [...sent]).join("; ")}`;
	return changes.map((what) => ({ endpoint: name, caller, call, what }));
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
