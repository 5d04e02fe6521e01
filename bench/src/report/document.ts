import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Table } from "../setup/measurement";
import type { Result } from "./results";

/** File name and content. */
type Charts = Record<string, string>;

/** The documents that have sections for results. */
export const pages = ["performance-results.md", "scaling.md"].map((name) =>
	fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)),
);

const sectionOf = (name: string) => new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);

/** Puts charts and tables between `<!-- name -->` and `<!-- /name -->`. Nobody copies a figure by hand. */
export function document(name: string, tables: Table[], charts: Charts, result: Result): void {
	const page = findPage(name);
	if (!page) throw new Error(`The documents have no section ${name}`);
	writeFileSync(page, fillSection(readFileSync(page, "utf8"), name, tables, charts, result));
}

export const findPage = (name: string) =>
	pages.find((page) => sectionOf(name).test(readFileSync(page, "utf8")));

export function fillSection(
	text: string,
	name: string,
	tables: Table[],
	charts: Charts,
	{ machine: { cpu, memory, node }, date, commit, command }: Result,
): string {
	const origin = `Measured on ${date.slice(0, 10)} at ${commit}, ${cpu}, ${memory}, Node ${node}: \`${command}\``;
	const pictures = Object.entries(charts).map(
		([chart, svg]) => `![${/aria-label="([^"]*)"/.exec(svg)?.[1]}](images/${chart})`,
	);
	const content = [...pictures, ...tables.map(markdown), origin, ""].join("\n\n");
	return text.replace(sectionOf(name), (_, begin, end) => `${begin}\n${content}${end}`);
}

function markdown({ title, columns, rows }: Table): string {
	const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
	const table = [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
	return `${title}:\n\n${table}`;
}
