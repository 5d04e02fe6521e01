// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only
import { closeSync, existsSync, openSync, readFileSync, writeSync } from "node:fs";
import { asRecord } from "../../moving-in/formats/converted";
import { readJsonLines } from "../reading/json";
import { readText } from "../reading/text";

/** Writes rows as they come: what is in the file has happened. */
export interface Report<Row extends object> {
	add: (row: Row) => void;
	close: () => void;
}

/**
 * Opens the report for new rows.
 *
 * @param keep add to the rows that are there
 */
export function openReport<Row extends object>(
	file: string | undefined,
	keep: boolean,
): Report<Row> {
	if (file === undefined) return { add: () => {}, close: () => {} };
	// A process that was killed may have left half a row.
	if (keep && existsSync(file)) dropHalfRow(file);
	const handle = openSync(file, keep ? "a" : "w", 0o600);
	return {
		add: (row) => void writeSync(handle, `${JSON.stringify(row)}\n`),
		close: () => closeSync(handle),
	};
}

function dropHalfRow(file: string): void {
	const text = readFileSync(file);
	const end = text.lastIndexOf("\n") + 1;
	if (end < text.length) {
		const handle = openSync(file, "w", 0o600);
		writeSync(handle, text.subarray(0, end));
		closeSync(handle);
	}
}

const DONE = ["created", "updated", "unchanged", "skipped"];

/** The external ids of users whom an earlier run has imported into this tenant, by its report. */
export async function readDone(file: string, tenantId: string): Promise<Set<string>> {
	const done = new Set<string>();
	if (!existsSync(file)) return done;
	dropHalfRow(file);
	for await (const { value } of readJsonLines(file, readText(file))) {
		const row = asRecord(value);
		const isDone = row.dryRun !== true && row.tenantId === tenantId;
		const { externalId, status } = row;
		if (isDone && typeof externalId === "string" && DONE.includes(String(status))) {
			done.add(externalId);
		}
	}
	return done;
}
