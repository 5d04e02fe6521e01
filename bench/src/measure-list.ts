import { type DatabaseType, openDatabase } from "./database";
import { MANAGEMENT_KEY, makeHost, ORIGIN } from "./host";
import type { Measurement, Run } from "./measurement";
import { type MemoryWatch, watchMemory } from "./memory-watch";
import type { Host } from "./operations";

interface Answer {
	name: string;
	/** In milliseconds: until it begins, and until it ends. */
	first: number;
	whole: number;
	megabytes: number;
	memory: MemoryWatch;
}

export interface ListFigures {
	type: DatabaseType;
	tenants: number;
	answers: Answer[];
}

/** Lists and searches many tenants, a page at a time and all at once. */
export const list: Measurement<ListFigures[]> = {
	name: "list",
	async measure(run) {
		const figures: ListFigures[] = [];
		for (const type of run.scratch.types) figures.push(await measureOn(type, run));
		return figures;
	},
	tables: (figures) =>
		figures.map(({ type, tenants, answers }) => ({
			title: `The list of ${tenants.toLocaleString("en")} tenants on ${type}`,
			columns: ["", "first byte ms", "whole ms", "MB", "heap MB", "at most", "RSS MB", "at most"],
			rows: answers.map(({ name, first, whole, megabytes, memory: it }) => [
				...[name, first, whole, megabytes],
				...[it.heapBefore, it.heapAtMost, it.residentBefore, it.residentAtMost],
			]),
		})),
};

async function measureOn(type: DatabaseType, { scratch, quick }: Run): Promise<ListFigures> {
	const tenants = quick ? 2_000 : 100_000;
	const database = openDatabase(await scratch.seeded(type, { tenants, users: tenants }));
	const host = makeHost(database, { subject: "tenant" });
	const queries = {
		"first page of 50": "?limit=50",
		"last page of 50": `?limit=50&offset=${tenants - 50}`,
		"page of 50 of a search": "?limit=50&search=ant-19",
		"page of 50 of a search with _": "?limit=50&search=_19",
		"all of them": "",
	};
	// The first call of all pays for what is compiled.
	await ask(host, "warm", "?limit=50");
	const answers: Answer[] = [];
	for (const [name, query] of Object.entries(queries)) answers.push(await ask(host, name, query));
	await database.close();
	return { type, tenants, answers };
}

async function ask(host: Host, name: string, query: string): Promise<Answer> {
	const memory = watchMemory(250);
	const began = performance.now();
	const passed = () => Math.round(performance.now() - began);
	const response = await host.handler(
		new Request(`${ORIGIN}/api/auth/tenant/list${query}`, {
			headers: { authorization: `Bearer ${MANAGEMENT_KEY}` },
		}),
	);
	if (!response.ok || !response.body) throw new Error(`${name}: ${response.status}`);
	let first: number | undefined;
	let bytes = 0;
	// As a client would that keeps nothing.
	for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
		first ??= passed();
		bytes += piece.length;
	}
	const whole = passed();
	const megabytes = Math.round(bytes / 1024 / 102.4) / 10;
	return { name, first: first ?? whole, whole, megabytes, memory: memory.stop() };
}
