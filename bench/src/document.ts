import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Table } from "./measurement";
import type { Result } from "./results";

/** File name and content. */
type Charts = Record<string, string>;

const file = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));

/** Puts charts and tables between `<!-- name -->` and `<!-- /name -->`. Nobody copies a figure by hand. */
export function document(name: string, tables: Table[], charts: Charts, result: Result): void {
	writeFileSync(file, fillSection(readFileSync(file, "utf8"), name, tables, charts, result));
}

/** @throws Error if the text has no such section */
export function fillSection(
	text: string,
	name: string,
	tables: Table[],
	charts: Charts,
	{ machine: { cpu, memory, node }, date, commit, command }: Result,
): string {
	const section = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
	if (!section.test(text)) throw new Error(`docs/performance.md has no section ${name}`);
	const origin = `Measured on ${date.slice(0, 10)} at ${commit}, ${cpu}, ${memory}, Node ${node}: \`${command}\``;
	const pictures = Object.entries(charts).map(
		([chart, svg]) => `![${/aria-label="([^"]*)"/.exec(svg)?.[1]}](images/${chart})`,
	);
	const content = [...pictures, ...tables.map(markdown), origin, ""].join("\n\n");
	return text.replace(section, (_, begin, end) => `${begin}\n${content}${end}`);
}

function markdown({ title, columns, rows }: Table): string {
	const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
	const table = [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
	return `${title}:\n\n${table}`;
}
