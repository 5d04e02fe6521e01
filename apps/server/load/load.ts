import { findGrowth, type MemorySample, watchMemory } from "./memory";
import type { Member, Outcome } from "./operation";
import { createMember, mix, type OperationName, operations } from "./operations";
import { type StoreOptions, startService } from "./service-under-load";

export type LoadOptions = StoreOptions & {
	seconds: number;
	tenants: number;
	/** How many clients send requests, each without a pause. */
	concurrency: number;
};

export type LoadReport = {
	seconds: number;
	/** In milliseconds, by operation. */
	durations: Map<OperationName, number[]>;
	/** The number of failures, by kind. */
	errors: Map<string, number>;
	/** The number of responses from another tenant. */
	leaks: number;
	memory: MemorySample[];
	/** Sentences about memory that grew; `null` if the run was too short. */
	growth: string[] | null;
	/** Warnings and errors in the log of the service. */
	warnings: string[];
};

/**
 * Starts a service and sends requests to it.
 *
 * @param onProgress called with a line of text for each step
 * @param end aborted at the end of the run, or earlier by the caller
 */
export async function load(
	options: LoadOptions,
	onProgress: (line: string) => void,
	end = new AbortController(),
): Promise<LoadReport> {
	const service = await startService(options);
	try {
		onProgress(`Creating ${options.tenants} tenants on ${service.url}`);
		const members = await createMembers(service.url, options);
		const results: Results = { durations: new Map(), errors: new Map(), leaks: 0 };
		onProgress("Sending each kind of request to each tenant");
		await sendRequests(service.url, visitsOf(members, end.signal), options.concurrency, results);
		results.durations.clear();
		onProgress(
			`Sending requests from ${options.concurrency} clients for ${options.seconds} seconds`,
		);
		const timer = setTimeout(() => end.abort(), options.seconds * 1000);
		const startedAt = performance.now();
		const requests = mixedRequests(members, end.signal);
		const [memory] = await Promise.all([
			watchMemory(service, options.seconds, end.signal),
			sendRequests(service.url, requests, options.concurrency, results),
		]);
		clearTimeout(timer);
		const seconds = (performance.now() - startedAt) / 1000;
		const { warnings } = service;
		return { seconds, ...results, memory, growth: findGrowth(memory, seconds), warnings };
	} finally {
		await service.stop();
	}
}

async function createMembers(url: string, { tenants, concurrency }: LoadOptions) {
	const members: Member[] = [];
	while (members.length < tenants) {
		const length = Math.min(concurrency, tenants - members.length);
		const batch = Array.from({ length }, (_, index) => createMember(url, members.length + index));
		members.push(...(await Promise.all(batch)));
	}
	return members;
}

type Results = Pick<LoadReport, "durations" | "errors" | "leaks">;
type Request = { name: OperationName; member: Member; other: Member };

/**
 * Each kind of request to each tenant. Afterwards, what the service keeps per tenant is there, so memory
 * that still grows is not such a cache. Each user has just signed up, so a sign-in is not needed.
 */
export function* visitsOf(members: Member[], signal: AbortSignal): Generator<Request> {
	const names = new Set(mix.filter((name) => name !== "sign-in"));
	for (const name of names) {
		for (const [index, member] of members.entries()) {
			const other = members[(index + 1) % members.length] as Member;
			if (signal.aborted) return;
			yield { name, member, other };
		}
	}
}

function* mixedRequests(members: Member[], signal: AbortSignal): Generator<Request> {
	// A short run on a busy machine does each operation too.
	for (let sent = 0; !signal.aborted || sent < mix.length; sent++) {
		const [member, other] = pickTwo(members);
		yield { name: mix[sent % mix.length] as OperationName, member, other };
	}
}

/** Sends the requests from so many clients, and adds the results. */
async function sendRequests(
	url: string,
	requests: Generator<Request>,
	concurrency: number,
	results: Results,
): Promise<void> {
	const { durations, errors } = results;
	const client = async () => {
		for (const { name, member, other } of requests) {
			const startedAt = performance.now();
			const outcome = await operations[name](url, member, other).catch(toOutcome);
			const known = durations.get(name) ?? [];
			known.push(performance.now() - startedAt);
			durations.set(name, known);
			if (outcome === "leak") results.leaks += 1;
			else if (outcome !== "ok") {
				const kind = `${name}: ${outcome.error}`;
				errors.set(kind, 1 + (errors.get(kind) ?? 0));
			}
		}
	};
	await Promise.all(Array.from({ length: concurrency }, client));
}

function pickTwo(members: Member[]): [Member, Member] {
	const one = Math.floor(Math.random() * members.length);
	const another = (one + 1 + Math.floor(Math.random() * (members.length - 1))) % members.length;
	return [members[one] as Member, members[another] as Member];
}

function toOutcome(error: unknown): Outcome {
	const { name, cause } = error as Error;
	const code = cause instanceof Error && "code" in cause ? ` ${cause.code}` : "";
	return { error: `${name}${code}` };
}
