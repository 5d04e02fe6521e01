import { runInTenant } from "../context/current-tenant";
import { type Caller, callersOf } from "./callers";
import type { MappedEndpoint } from "./endpoint-map";
import type { Host } from "./host";
import { makeUpInput } from "./made-up-input";
import type { ConformanceOptions } from "./options";
import type { Crossing, WalkedEndpoint } from "./report";
import { restoreSide, type Side, snapshot } from "./side";
import { ROUNDS, secretsOf, victimsValues } from "./victims-values";

const PATIENCE = 60_000;

/** The stage on which an endpoint is tried. */
export interface Stage {
	host: Host;
	a: Side;
	/** What every text in A's rows begins with. */
	markOfA: string;
	b: Side;
	platform: Side;
	options: ConformanceOptions;
	notes: string[];
	/** Users that a call has made on the platform. */
	strays: Set<string>;
	/** A's rows as they were last seen. */
	seen?: Map<string, string>;
	/** What of A's was sent in calls that were accepted: it may stand in the caller's own rows. */
	accepted: Set<string>;
}

interface Sent {
	text: string;
	run: () => Promise<Response>;
}

/** Calls one endpoint as everybody but A, with what is A's. */
export async function walkEndpoint(stage: Stage, endpoint: MappedEndpoint) {
	const walked: WalkedEndpoint = {
		name: endpoint.name,
		path: endpoint.path,
		calls: 0,
		answers: {},
		neverUnderstood: true,
	};
	const crossings: Crossing[] = [];
	for (const caller of callersOf(stage.host, stage)) {
		if (caller.isPlatforms && isManagement(endpoint)) continue;
		crossings.push(...(await tryAs(stage, endpoint, caller.name, walked)));
	}
	return { walked, crossings };
}

async function tryAs(
	stage: Stage,
	endpoint: MappedEndpoint,
	callerName: string,
	walked: WalkedEndpoint,
): Promise<Crossing[]> {
	const { host, a } = stage;
	const crossings: Crossing[] = [];
	const before = stage.seen ?? (await snapshot(host, a));
	const secrets = secretsOf(a, stage.markOfA);
	const calls = new Set<string>();
	await restoreAttackers(stage);
	for (const method of endpoint.methods) {
		for (let round = 0; round < ROUNDS; round += 1) {
			const caller = callersOf(host, stage).find((it) => it.name === callerName) as Caller;
			const { text, run } = makeCall(stage, endpoint, caller, method, round);
			if (calls.has(text)) continue;
			calls.add(text);
			const answer = await runPatiently(run, endpoint, stage);
			if (answer.status < 400) await restoreAttackers(stage);
			count(walked, answer);
			rememberStray(stage, caller, answer.text);
			const told = secrets.find(
				(it) => answer.text.includes(it) && !text.includes(it) && !stage.accepted.has(it),
			);
			if (answer.status < 400) {
				for (const it of secrets) if (text.includes(it)) stage.accepted.add(it);
			}
			if (told) crossings.push(crossing(endpoint, callerName, text, `the answer tells ${told}`));
		}
	}
	stage.seen = await snapshot(host, a);
	const changes = changesBetween(before, stage.seen);
	for (const change of changes) {
		crossings.push(crossing(endpoint, callerName, `one of ${[...calls].join("; ")}`, change));
	}
	if (changes.length > 0) {
		await restoreSide(host, a, insideOf(host, a));
		delete stage.seen;
	}
	return crossings;
}

function count(walked: WalkedEndpoint, { status, text }: { status: number; text: string }): void {
	walked.calls += 1;
	walked.answers[status] = (walked.answers[status] ?? 0) + 1;
	if (!/VALIDATION_ERROR|Validation Error/i.test(text)) walked.neverUnderstood = false;
}

/** Whoever a call has signed out or deleted comes back, in his own tenant. */
async function restoreAttackers({ host, b, platform }: Stage): Promise<void> {
	await restoreSide(host, b, insideOf(host, b));
	await restoreSide(host, platform, (work) => work());
}

const insideOf =
	({ auth }: Host, { id }: Side) =>
	<T>(work: () => Promise<T>) =>
		runInTenant(auth as { $context: Promise<{ adapter: unknown }> }, id, work);

const isManagement = ({ path }: MappedEndpoint) =>
	path?.startsWith("/tenant/") === true && !/\/(sign-|callback)/.test(path);

function makeCall(
	stage: Stage,
	endpoint: MappedEndpoint,
	caller: Caller,
	method: string,
	round: number,
): Sent {
	const providerId = String(stage.host.ctx.socialProviders[0]?.id ?? "google");
	const valueFor = victimsValues(endpoint, stage.a, stage.b, caller, providerId);
	const hasBody = method !== "GET" && method !== "HEAD";
	const body = hasBody ? makeUpInput(endpoint.body, valueFor, round) : undefined;
	const query = hasBody && !endpoint.query ? {} : makeUpInput(endpoint.query, valueFor, round);
	if (endpoint.path === null) {
		return onServer(stage, endpoint, caller, { query, ...(body ? { body } : {}) });
	}
	const path = pathOf(endpoint.path, valueFor, round);
	return overHttp(stage, { method, path, query, body }, caller);
}

function pathOf(path: string, valueFor: (field: string, round: number) => string, round: number) {
	return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(valueFor(name, round)));
}

function overHttp(
	{ host, options }: Stage,
	call: { method: string; path: string; query: object; body: object | undefined },
	caller: Caller,
): Sent {
	const url = new URL(host.baseURL + call.path);
	for (const [name, value] of Object.entries(call.query)) {
		url.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value));
	}
	const headers = new Headers({ ...caller.headers, origin: url.origin });
	if (call.body) headers.set("content-type", "application/json");
	const plain = new Request(url, {
		method: call.method,
		headers,
		...(call.body ? { body: JSON.stringify(call.body) } : {}),
	});
	const request = nameTenant(host, options, plain, caller);
	const path = decodeURIComponent(url.pathname + url.search);
	return {
		text: `${call.method} ${path} ${call.body ? JSON.stringify(call.body) : ""} ${Object.values(caller.headers).map(decodeURIComponent).join(" ")}`,
		run: () => host.auth.handler(request),
	};
}

function nameTenant(host: Host, options: ConformanceOptions, request: Request, { names }: Caller) {
	if (!names) return request;
	if (options.nameTenant) return options.nameTenant(request, names);
	request.headers.set(host.tenantHeader, names.id);
	return request;
}

/** An endpoint that is mounted nowhere, as the host's own code calls it during a request. */
function onServer(
	{ host, options }: Stage,
	endpoint: MappedEndpoint,
	caller: Caller,
	input: object,
): Sent {
	const { headers } = nameTenant(
		host,
		options,
		new Request(host.baseURL, { headers: caller.headers }),
		caller,
	);
	return {
		text: `auth.api.${endpoint.name} ${JSON.stringify(input)} ${Object.values(caller.headers).map(decodeURIComponent).join(" ")}`,
		run: () => endpoint.call({ ...input, headers, asResponse: true }) as Promise<Response>,
	};
}

async function runPatiently(run: Sent["run"], { name }: MappedEndpoint, { notes }: Stage) {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error("no answer in time")), PATIENCE);
	});
	try {
		const response = await Promise.race([run(), late]);
		const headers = decoded([...response.headers].map((it) => it.join(": ")).join("\n"));
		return { status: response.status, text: `${headers}\n${await response.text()}` };
	} catch (error) {
		const status = (error as { statusCode?: unknown }).statusCode;
		if (typeof status === "number") return { status, text: JSON.stringify(error) };
		notes.push(`${name} failed: ${String(error)}`);
		return { status: 500, text: "" };
	} finally {
		clearTimeout(timer);
	}
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** A call that names no tenant may rightly have made a user of the platform. */
function rememberStray({ strays }: Stage, { names }: Caller, text: string): void {
	if (names) return;
	for (const [, id] of text.matchAll(/"user":\{[^{}]*?"id":"([^"]+)"/g)) if (id) strays.add(id);
}

function changesBetween(before: Map<string, string>, after: Map<string, string>): string[] {
	const changed = [...before].flatMap(([key, row]) => {
		const now = after.get(key);
		if (now === row) return [];
		return now === undefined ? `A's ${key} is gone` : `A's ${key} was ${row} and is ${now}`;
	});
	const added = [...after].filter(([key]) => !before.has(key));
	return [...changed, ...added.map(([key, row]) => `A has a new ${key}: ${row}`)];
}

function crossing({ name }: MappedEndpoint, caller: string, call: string, what: string): Crossing {
	return { endpoint: name, caller, call, what };
}
