/** The result of one line, as the service reports it. */
export type LineResult = {
	/** Counted from 1. */
	line: number;
	externalId: string | null;
	status: "created" | "updated" | "unchanged" | "failed";
	code?: string | null | undefined;
	message?: string | null | undefined;
};

type ParsedLine = { line: number; user: unknown };

export type ParsedFile = {
	/** Parts of the file, each small enough for one call. */
	batches: ParsedLine[][];
	/** Lines that are not JSON. They are not sent. */
	failed: LineResult[];
	count: number;
};

const MAX_BATCH_LINES = 100;

/** The service accepts bodies of 1 MiB. */
const MAX_BATCH_CHARACTERS = 200_000;

/** Reads a file with the JSON of one user per line. Empty lines are skipped. */
export function parseImportFile(text: string): ParsedFile {
	const failed: LineResult[] = [];
	const batches: ParsedLine[][] = [];
	let size = Number.POSITIVE_INFINITY;
	for (const [index, content] of text
		.replace(/^\uFEFF/, "")
		.split(/\r?\n/)
		.entries()) {
		if (content.trim() === "") continue;
		const line = index + 1;
		const user = parseJson(content);
		if (user === undefined) {
			const message = "The line is not valid JSON.";
			failed.push({ line, externalId: null, status: "failed", code: "INVALID_JSON", message });
			continue;
		}
		size += content.length;
		const isFull = size > MAX_BATCH_CHARACTERS || batches.at(-1)?.length === MAX_BATCH_LINES;
		if (isFull) {
			batches.push([]);
			size = content.length;
		}
		batches.at(-1)?.push({ line, user });
	}
	const count = failed.length + batches.reduce((sum, batch) => sum + batch.length, 0);
	return { batches, failed, count };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The service counts the lines of each call. This gives them the numbers that they have in the file. */
export const inFile = (batch: ParsedLine[], results: LineResult[]): LineResult[] =>
	results.map((result) => ({ ...result, line: batch[result.line - 1]?.line ?? result.line }));
