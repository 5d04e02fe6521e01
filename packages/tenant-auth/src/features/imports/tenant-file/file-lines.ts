import { BetterAuthError } from "@better-auth/core/error";
import * as z from "zod";
import { digest } from "../../../database/digest";
import type { Row } from "../../../isolation/raw-adapter";
import { idOf } from "../../../isolation/row-owners";

// A tenant's file has one JSON object per line: first the tenant, then its rows, a table's rows after those
// that they refer to, and at last how many there are. What the app stores encrypted is plaintext in it, so
// that another app can encrypt it again with its own secret. Whoever keeps such a file encrypts it.

const FORMAT = "better-auth-tenant/tenant";
const VERSION = 1;

const row = z.looseObject({ id: z.string().min(1) });

const firstLine = z.object({
	format: z.literal(FORMAT),
	version: z.literal(VERSION),
	exportedAt: z.iso.datetime(),
	tenant: row.extend({ slug: z.string(), name: z.string() }),
	formerSlugs: z.array(z.string()),
	/** The columns of each table. Those that another app adds do not count when it compares. */
	columns: z.record(z.string(), z.array(z.string())),
});

const rowLine = z.object({
	model: z.string(),
	row,
	/** The columns that the app encrypts. */
	secrets: z.array(z.string()).optional(),
});

const lastLine = z.object({
	tables: z.record(z.string(), z.object({ rows: z.number(), digest: z.string() })),
});

export type FirstLine = Omit<z.infer<typeof firstLine>, "format" | "version">;
export type RowLine = z.infer<typeof rowLine>;
export type LastLine = z.infer<typeof lastLine>;

export const firstLineOf = (first: FirstLine) =>
	JSON.stringify({ format: FORMAT, version: VERSION, ...first });

export const refuseFile = (problem: string) => new BetterAuthError(`importTenant: ${problem}`);

export function parseFirstLine(line: string): FirstLine {
	const parsed = firstLine.safeParse(parseJson(line));
	if (parsed.success) return parsed.data;
	throw refuseFile(
		`the first line must be that of a tenant's file, version ${VERSION}. Was it made by a newer version?`,
	);
}

/** A line after the first one. Messages do not repeat it: it may have secrets. */
export function parseLine(line: string, number: number): RowLine | LastLine {
	const value = parseJson(line);
	const asRow = rowLine.safeParse(value);
	if (asRow.success) return asRow.data;
	const asLast = lastLine.safeParse(value);
	if (asLast.success) return asLast.data;
	throw refuseFile(`line ${number} is not a line of a tenant's file`);
}

function parseJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

/** Counts the rows of each table, and digests them in any order. */
export class Tally {
	readonly #tables = new Map<string, { rows: number; sum: bigint }>();
	readonly #columns: FirstLine["columns"];

	constructor(columns: FirstLine["columns"]) {
		this.#columns = columns;
	}

	async add(model: string, values: Row): Promise<void> {
		const { rows, sum } = this.#tables.get(model) ?? { rows: 0, sum: 0n };
		const own = Object.fromEntries(
			["id", ...(this.#columns[model] ?? [])].map((name) => [name, values[name]]),
		);
		const added = BigInt(`0x${await digest(canonical(own))}`);
		this.#tables.set(model, { rows: rows + 1, sum: (sum + added) % MODULUS });
	}

	tables(): LastLine["tables"] {
		return Object.fromEntries(
			[...this.#tables].map(([model, { rows, sum }]) => [
				model,
				{ rows, digest: sum.toString(16).padStart(64, "0") },
			]),
		);
	}

	/** The first table that is different. */
	findDifference(expected: LastLine["tables"]): string | undefined {
		const own = this.tables();
		return Object.keys({ ...own, ...expected }).find(
			(model) =>
				own[model]?.rows !== expected[model]?.rows ||
				own[model]?.digest !== expected[model]?.digest,
		);
	}
}

const MODULUS = 2n ** 256n;

/** The same text for the same values: a database may change the order of a JSON object. */
function canonical(value: unknown): string {
	if (value instanceof Date) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
	if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
	const entries = Object.entries(value)
		.filter(([, item]) => item !== undefined && item !== null)
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join()}}`;
}

/** Whether a stored row has the values that the file has for it. */
export const isSame = (row: Row, stored: Row): boolean =>
	canonical(row) ===
	canonical(Object.fromEntries(Object.keys(row).map((name) => [name, stored[name]])));

export const describeRow = (model: string, values: Row) => `${model} ${idOf(values)}`;
