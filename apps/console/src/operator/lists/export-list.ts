import type { Page } from "../../api/client";

export type ExportFormat = "csv" | "ndjson";

type Cell = string | number | null | undefined;

/** The columns of a CSV file, by their names. */
export type Columns<Row> = Record<string, (row: Row) => Cell>;

type Export<Row> = {
	/** Reads one page. `cursor` is `undefined` for the first one. */
	readPage: (cursor: string | undefined) => Promise<Page<Row>>;
	columns: Columns<Row>;
	format: ExportFormat;
	/** Called after each page with the number of rows so far. */
	onProgress: (count: number) => void;
};

/** Reads a whole list, page by page, and returns it as the content of a file. */
export async function exportList<Row>(list: Export<Row>): Promise<Blob> {
	const { readPage, columns, format, onProgress } = list;
	const parts = format === "csv" ? [toCsvLine(Object.keys(columns))] : [];
	let cursor: string | undefined;
	let count = 0;
	do {
		const page = await readPage(cursor);
		for (const row of page.items) {
			parts.push(
				format === "csv"
					? toCsvLine(Object.values(columns).map((cell) => cell(row)))
					: `${JSON.stringify(row)}\n`,
			);
		}
		count += page.items.length;
		onProgress(count);
		cursor = page.nextCursor ?? undefined;
	} while (cursor);
	const type = format === "csv" ? "text/csv" : "application/x-ndjson";
	return new Blob(parts, { type: `${type};charset=utf-8` });
}

const toCsvLine = (cells: Cell[]) => `${cells.map(toCsvCell).join(",")}\r\n`;

/** https://www.rfc-editor.org/rfc/rfc4180 */
export function toCsvCell(value: Cell): string {
	// A spreadsheet would run a text that begins with one of these as a formula. In some languages it also
	// begins a new cell after a semicolon or a tab.
	const text = String(value ?? "").replace(/(^|[;\t\r\n])(\s*[=+\-@\t\r])/g, "$1'$2");
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function download(content: Blob, name: string): void {
	const link = document.createElement("a");
	link.href = URL.createObjectURL(content);
	link.download = name;
	link.click();
	URL.revokeObjectURL(link.href);
}
