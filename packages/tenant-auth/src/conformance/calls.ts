import { attackValues } from "./attack-values";
import { generateInput, type MappedEndpoint, type ValueFor } from "./endpoints";
import type { Host } from "./host";
import type { Party } from "./party";
import type { ConformanceOptions } from "./types";

const TIMEOUT_MS = 60_000;

export interface Parties {
	a: Party;
	b: Party;
	platform: Party;
}

/** Who calls an endpoint with A's data. */
export interface Caller {
	name: string;
	/** A function, because a party gets a new session when a call has ended the old one. */
	headers: () => Record<string, string>;
	/** The tenant that the request names. */
	names: Party | null;
	/**
	 * Whether A's secret tokens are sent as well. The token of an email works without a named tenant,
	 * for anyone who has it. That is not a leak.
	 */
	holdsTokens: boolean;
	/** A user of the platform, who may be allowed to manage every tenant. */
	isPlatformUser?: boolean;
}

export function callersOf(host: Host, { a, b, platform }: Parties): Caller[] {
	const named = { names: b, holdsTokens: true };
	const unnamed = { names: null, holdsTokens: false };
	const bearer = {
		name: "A's bearer token, naming B",
		headers: () => ({ authorization: `Bearer ${a.sessionToken}` }),
		...named,
	};
	return [
		{ name: "B's session", headers: () => ({ cookie: b.cookie }), ...unnamed },
		{ name: "B's session, naming B", headers: () => ({ cookie: b.cookie }), ...named },
		{ name: "A's session, naming B", headers: () => ({ cookie: a.cookie }), ...named },
		...(host.acceptsBearer ? [bearer] : []),
		{ name: "no session, naming B", headers: () => ({}), ...named },
		{ name: "no session, naming no tenant", headers: () => ({}), ...unnamed },
		{
			name: "the platform's session",
			headers: () => ({ cookie: platform.cookie }),
			...unnamed,
			isPlatformUser: true,
		},
	];
}

/** One of the calls that are made with an endpoint. */
interface Attempt {
	endpoint: MappedEndpoint;
	caller: Caller;
	method: string;
	/** From 0 to `ROUNDS`. Each round sends other values. */
	round: number;
}

export interface Call {
	/** Everything that the caller sends, and so already knows. */
	text: string;
	send: () => Promise<Response>;
}

/** Prepares a call of an endpoint with A's data. */
export function createCall(
	host: Host,
	{ a, b }: Parties,
	options: ConformanceOptions,
	{ endpoint, caller, method, round }: Attempt,
): Call {
	const providerId = String(host.ctx.socialProviders[0]?.id ?? "google");
	const valueFor = attackValues(endpoint, a, b, { holdsTokens: caller.holdsTokens, providerId });
	const hasBody = method !== "GET" && method !== "HEAD";
	const body = hasBody ? generateInput(endpoint.body, valueFor, round) : undefined;
	const query = hasBody && !endpoint.query ? {} : generateInput(endpoint.query, valueFor, round);
	const addTenant = (request: Request) => nameTenant(host, options, request, caller);
	if (endpoint.path === null) {
		const headers = { ...caller.headers(), host: new URL(host.baseURL).host };
		const request = new Request(host.baseURL, { headers });
		return callOnServer(endpoint, caller, addTenant(request), { query, ...(body && { body }) });
	}
	const url = new URL(host.baseURL + fillPath(endpoint.path, valueFor, round));
	for (const [name, value] of Object.entries(query)) {
		url.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value));
	}
	const headers = new Headers({ ...caller.headers(), origin: url.origin });
	if (body) headers.set("content-type", "application/json");
	const text = body ? JSON.stringify(body) : "";
	const request = addTenant(new Request(url, { method, headers, ...(body && { body: text }) }));
	return {
		text: `${method} ${decode(url.pathname + url.search)} ${text} ${credentialsOf(caller)}`,
		send: () => host.handler(request),
	};
}

function fillPath(path: string, valueFor: ValueFor, round: number): string {
	return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(valueFor(name, round)));
}

function nameTenant(host: Host, options: ConformanceOptions, request: Request, { names }: Caller) {
	if (!names) return request;
	if (options.nameTenant) return options.nameTenant(request, names);
	request.headers.set(host.tenantHeader, names.id);
	return request;
}

/** Calls an endpoint without a route as the app's own code would call it during a request. */
function callOnServer(
	endpoint: MappedEndpoint,
	caller: Caller,
	{ headers }: Request,
	input: object,
): Call {
	return {
		text: `auth.api.${endpoint.name} ${JSON.stringify(input)} ${credentialsOf(caller)}`,
		send: () => endpoint.call({ ...input, headers, asResponse: true }),
	};
}

const credentialsOf = ({ headers }: Caller) => Object.values(headers()).map(decode).join(" ");

export interface CallResponse {
	status: number;
	/** Headers and body. */
	text: string;
}

/** Sends a call and reads its response. An error without a status is noted and treated as 500. */
export async function readResponse(
	{ send }: Call,
	{ name }: MappedEndpoint,
	notes: string[],
): Promise<CallResponse> {
	try {
		const response = await withTimeout(send());
		const headers = [...response.headers].map((header) => header.join(": ")).join("\n");
		return {
			status: response.status,
			text: `${decode(headers)}\n${await response.text()}`,
		};
	} catch (error) {
		if (error instanceof Error && "statusCode" in error && typeof error.statusCode === "number") {
			return { status: error.statusCode, text: JSON.stringify(error) };
		}
		notes.push(`${name} failed: ${String(error)}`);
		return { status: 500, text: "" };
	}
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const timeout = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error("no response in time")), TIMEOUT_MS);
	});
	try {
		return await Promise.race([work, timeout]);
	} finally {
		clearTimeout(timer);
	}
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}
