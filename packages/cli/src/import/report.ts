import {
	closeSync,
	existsSync,
	fstatSync,
	ftruncateSync,
	openSync,
	readSync,
	writeSync,
} from "node:fs";
import { asRecord } from "../formats/converted";
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

/** Looks for the end of the last whole row, from the end: the report may be larger than the memory. */
function dropHalfRow(file: string): void {
	const handle = openSync(file, "r+");
	try {
		const part = Buffer.alloc(64 * 1024);
		let end = fstatSync(handle).size;
		while (end > 0) {
			const start = Math.max(0, end - part.length);
			const read = readSync(handle, part, 0, end - start, start);
			const found = part.subarray(0, read).lastIndexOf("\n");
			end = found < 0 ? start : start + found + 1;
			if (found >= 0) break;
		}
		ftruncateSync(handle, end);
	} finally {
		closeSync(handle);
	}
}

const DONE = ["created", "updated", "unchanged", "skipped"];

/** How {@link readDone} knows a user. */
export const doneKey = (tenantId: string | null, externalId: string) =>
	JSON.stringify([tenantId, externalId]);

/** The users whom an earlier run has imported, by its report. */
export async function readDone(file: string): Promise<Set<string>> {
	const done = new Set<string>();
	if (!existsSync(file)) return done;
	dropHalfRow(file);
	for await (const { value } of readJsonLines(file, readText(file))) {
		const { dryRun, tenantId, externalId, status } = asRecord(value);
		const isDone = dryRun !== true && DONE.includes(String(status));
		if (isDone && typeof tenantId === "string" && typeof externalId === "string") {
			done.add(doneKey(tenantId, externalId));
		}
	}
	return done;
}
