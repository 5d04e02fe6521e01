import { fastHandler } from "better-auth-fast";
import { openDatabase } from "../../host/database";
import { makeHost } from "../../host/host";
import { quantile } from "../../instruments/statistics";
import { type Host, perform } from "../../setup/operations";

export interface CallFigure {
	name: string;
	calls: number;
	/** Milliseconds. */
	p50: number;
	slowest: number;
	/** Of the most expensive call, without begin and commit. */
	statements: number;
}

/** A host that times one call after the other, and counts its statements. */
export interface TimedHost extends Host {
	time(name: string, request: (n: number) => Request): Promise<CallFigure>;
	close(): Promise<void>;
}

/** Slow calls are made less often. */
const MAX_MS = 20_000;
const MIN_CALLS = 4;

export function openTimedHost(address: string, calls: number): TimedHost {
	let statements = 0;
	const database = openDatabase(address, {
		onStatement: ({ sql }) => {
			if (!/^(begin|commit)/i.test(sql)) statements += 1;
		},
	});
	const host = { handler: fastHandler(makeHost(database, { subject: "tenant" })) };
	return {
		...host,
		async time(name, request) {
			// The first ones pay for what is compiled. Two, so that a suspended tenant is resumed.
			for (const n of [0, 1]) await perform(host, request(n));
			const times: number[] = [];
			let maxStatements = 0;
			const began = performance.now();
			const isLate = () => times.length >= MIN_CALLS && performance.now() - began > MAX_MS;
			while (times.length < calls && !isLate()) {
				const made = request(times.length);
				statements = 0;
				const startedAt = performance.now();
				await perform(host, made);
				times.push(performance.now() - startedAt);
				maxStatements = Math.max(maxStatements, statements);
			}
			const [p50, slowest] = [quantile(times, 0.5), quantile(times, 1)];
			return { name, calls: times.length, p50, slowest, statements: maxStatements };
		},
		close: database.close,
	};
}
