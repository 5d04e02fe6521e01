/** A table. Empty columns are left out. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	const used = columns.flatMap((_, index) => (rows.some((row) => row[index]) ? [index] : []));
	const line = (cells: readonly string[]) =>
		`| ${used.map((index) => inCell(cells[index] ?? "")).join(" | ")} |`;
	return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

const inCell = (cell: string) => cell.replaceAll("|", "\\|").replaceAll("\n", " ");

export const code = (text: string | number) => `\`${text}\``;

export const page = (title: string, introduction: string, sections: readonly string[]) =>
	`${[`# ${title}`, GENERATED, introduction, ...sections].join("\n\n")}\n`;

const GENERATED =
	"<!-- Generated from the source. To update it: npx vitest run docs/reference --update -->";
