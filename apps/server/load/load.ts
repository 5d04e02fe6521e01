import { growthOf, type MemorySample, watchMemory } from "./memory";
import { mix, type OperationName, type Outcome, operations } from "./operations";
import type { LoadOptions } from "./options";
import { type Member, populate } from "./population";
import { startService } from "./service-under-load";

export type LoadReport = {
	seconds: number;
	/** In milliseconds, of each operation. */
	durations: Map<OperationName, number[]>;
	/** How many of each kind. */
	errors: Map<string, number>;
	crossings: number;
	memory: MemorySample[];
	/** What grew; `null` where the run was too short to tell. */
	growth: string[] | null;
	/** What the service logged as a warning or an error. */
	complaints: string[];
};

/**
 * Loads a service that is started for it.
 *
 * @param say is told how far it is
 * @param end ends the run, also early
 */
export async function load(
	options: LoadOptions,
	say: (line: string) => void,
	end = new AbortController(),
): Promise<LoadReport> {
	const service = await startService(options);
	try {
		say(`Making ${options.tenants} tenants on ${service.url}`);
		const members = await populate(service, options);
		say(`Sending ${options.concurrency} requests at a time for ${options.seconds} seconds`);
		const timer = setTimeout(() => end.abort(), options.seconds * 1000);
		const startedAt = performance.now();
		const [sent, memory] = await Promise.all([
			sendRequests(service.url, members, options.concurrency, end.signal),
			watchMemory(service, options.seconds, end.signal),
		]);
		clearTimeout(timer);
		const seconds = (performance.now() - startedAt) / 1000;
		const { complaints } = service;
		return { seconds, ...sent, memory, growth: growthOf(memory, seconds), complaints };
	} finally {
		await service.stop();
	}
}

/** Each of the senders sends its next request when the last was answered. */
async function sendRequests(
	url: string,
	members: Member[],
	concurrency: number,
	signal: AbortSignal,
): Promise<Pick<LoadReport, "durations" | "errors" | "crossings">> {
	const durations = new Map<OperationName, number[]>(mix.map((name) => [name, []]));
	const errors = new Map<string, number>();
	let crossings = 0;
	let sent = 0;
	const sender = async () => {
		while (!signal.aborted) {
			const name = mix[sent % mix.length] as OperationName;
			sent += 1;
			const [member, other] = twoOf(members);
			const startedAt = performance.now();
			const outcome = await operations[name](url, member, other).catch(asOutcome);
			durations.get(name)?.push(performance.now() - startedAt);
			if (outcome.kind === "crossing") crossings += 1;
			if (outcome.kind === "error") {
				const what = `${name}: ${outcome.what}`;
				errors.set(what, 1 + (errors.get(what) ?? 0));
			}
		}
	};
	await Promise.all(Array.from({ length: concurrency }, sender));
	return { durations, errors, crossings };
}

function twoOf(members: Member[]): [Member, Member] {
	const one = Math.floor(Math.random() * members.length);
	const another = (one + 1 + Math.floor(Math.random() * (members.length - 1))) % members.length;
	return [members[one] as Member, members[another] as Member];
}

function asOutcome(error: unknown): Outcome {
	const { name, cause } = error as Error;
	const code = cause instanceof Error && "code" in cause ? ` ${cause.code}` : "";
	return { kind: "error", what: `${name}${code}` };
}
