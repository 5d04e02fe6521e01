/** Why a file cannot be read. The message is for the user. */
export class CsvError extends Error {
	override name = "CsvError";
}

export type CsvRow = {
	/** Where it begins, counted from 1. */
	line: number;
	cells: string[];
};

/**
 * Reads a CSV file (https://www.rfc-editor.org/rfc/rfc4180). Empty lines are skipped. Spreadsheets in some
 * languages write semicolons in place of commas.
 *
 * @throws CsvError if a quote is not closed, or is where it cannot be
 */
export function readCsv(text: string): CsvRow[] {
	const content = text.replace(/^\uFEFF/, "");
	const [header = ""] = content.trimStart().split("\n", 1);
	const separator = !header.includes(",") && header.includes(";") ? ";" : ",";
	const rows: CsvRow[] = [];
	let [line, rowLine, cell, at] = [1, 1, "", "start" as "start" | "plain" | "quoted" | "quote"];
	let cells: string[] = [];
	const endCell = () => {
		cells.push(cell);
		[cell, at] = ["", "start"];
	};
	const endRow = () => {
		const isEmpty = cells.length === 0 && cell.trim() === "" && at !== "quote";
		endCell();
		if (!isEmpty) rows.push({ line: rowLine, cells });
		[cells, rowLine] = [[], line + 1];
	};
	for (const character of content) {
		if (at === "quoted") {
			if (character === '"') at = "quote";
			else cell += character;
		} else if (character === separator) endCell();
		else if (character === "\n") endRow();
		else if (character === '"' && at !== "plain") {
			// Two quotes in a quoted cell are one.
			if (at === "quote") cell += character;
			at = "quoted";
		} else if (character !== "\r") {
			if (at === "quote") throw new CsvError(`Line ${line} has a text after a closing quote.`);
			cell += character;
			at = "plain";
		}
		if (character === "\n") line += 1;
	}
	if (at === "quoted") throw new CsvError(`Line ${rowLine} has a quote that is not closed.`);
	endRow();
	return rows;
}
