import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { fastHandler, fastStatements } from "better-auth-fast";
import { afterAll, beforeAll, expect, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type ComparedApp, type Fill, makeComparedApp, type Observed } from "./compared-app";
import { type ComparedEndpoint, KINDS, methodsOf, validRequest } from "./requests";

export interface Pair {
	plain: ComparedApp;
	ours: ComparedApp;
	handler: ReturnType<typeof fastHandler>;
}

/** Two apps with the same rows: one as Better Auth is, one with our handler and statements. */
export async function makePair(
	options: () => BetterAuthOptions,
	{
		watched = false,
		statements = true,
		fill,
	}: { watched?: boolean; statements?: boolean; fill?: Fill } = {},
): Promise<Pair> {
	const plain = await makeComparedApp(options(), { watched, ...(fill ? { fill } : {}) });
	// The first call of some plugins writes keys, which are random.
	await plain.auth.handler(new Request("http://localhost:3000/api/auth/jwks"));
	const { plugins = [], ...others } = options();
	const first = statements ? [fastStatements()] : [];
	const fast = { ...others, plugins: [...first, ...plugins] as BetterAuthPlugin[] };
	const filled = { rows: plain.rows(), cookie: plain.cookie };
	const ours = await makeComparedApp(fast, { watched, filled });
	return { plain, ours, handler: fastHandler(ours.auth) };
}

/** All endpoints of the installed version. */
export const endpointsOf = ({ plain: { auth } }: Pair): ComparedEndpoint[] =>
	Object.values(auth.api as unknown as Record<string, ComparedEndpoint>).filter(({ path }) => path);

/** Sends the same requests to both, and requires that they do the same. Returns the responses. */
export async function requireSame(
	pair: Pair,
	endpoint: ComparedEndpoint,
	kinds: string[],
): Promise<Observed[]> {
	const all: Observed[] = [];
	for (const method of methodsOf(endpoint)) {
		const valid = validRequest(endpoint, method, pair.plain.cookie);
		for (const name of notEmpty(kinds)) {
			const make = () => KINDS[name]?.(valid) as Request;
			all.push(await requireSameFor(pair, make, `${method} ${endpoint.path} ${name}`));
		}
	}
	return all;
}

/** Sends one request to both, and requires that they do the same. Returns what Better Auth does. */
export async function requireSameFor(
	{ plain, ours, handler }: Pair,
	make: () => Request,
	name: string,
): Promise<Observed> {
	seedRandom();
	const expected = await plain.observe(plain.auth.handler, make());
	seedRandom();
	const found = await ours.observe(handler, make());
	expect(found, name).toEqual(expected);
	return expected;
}

let state = 1;

/** Makes the next random numbers the same as after the last call of this. */
function seedRandom(): void {
	state = 1;
}

const next = () => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return state >>> 24;
};

/** Stops the clock, replaces randomness, and lets no request leave the process. */
export function makeDeterministic(): void {
	beforeAll(() => {
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
		vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
			if (!array) return array;
			const { buffer, byteOffset, byteLength } = array as unknown as Uint8Array;
			const bytes = new Uint8Array(buffer, byteOffset, byteLength);
			for (let at = 0; at < bytes.length; at += 1) bytes[at] = next();
			return array;
		});
		vi.spyOn(crypto, "randomUUID").mockImplementation(() => `0-0-0-0-${next()}`);
		vi.spyOn(console, "error").mockImplementation(() => {});
		vi.stubGlobal("fetch", async () => {
			throw new Error("There is no network");
		});
	});
	afterAll(() => {
		vi.restoreAllMocks();
		vi.unstubAllGlobals();
		vi.useRealTimers();
	});
}
