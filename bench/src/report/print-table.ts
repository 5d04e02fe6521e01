import type { Table } from "../setup/measurement";

export function printTable({ title, columns, rows }: Table): void {
	const lines = [columns, ...rows.map((row) => row.map(String))];
	const widths = columns.map((_, column) =>
		Math.max(...lines.map((it) => it[column]?.length ?? 0)),
	);
	const isNumber = columns.map((_, column) =>
		rows.every((row) => /^[-\d.,]*$/.test(String(row[column]))),
	);
	const format = (cells: string[]) =>
		cells
			.map((cell, column) =>
				isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
			)
			.join("  ");
	console.log(`\n${title}`);
	for (const [index, cells] of lines.entries()) {
		console.log(format(cells));
		if (index === 0) console.log(widths.map((width) => "─".repeat(width)).join("  "));
	}
}
