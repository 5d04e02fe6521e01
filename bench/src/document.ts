import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Table } from "./measurement";
import type { Result } from "./results";

const files = ["performance", "scaling"].map((name) =>
	fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)),
);

/** Puts tables between `<!-- name -->` and `<!-- /name -->`: nobody copies a figure by hand. */
export function document(name: string, tables: Table[], result: Result): void {
	const section = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
	const file = files.find((it) => section.test(readFileSync(it, "utf8")));
	if (!file) {
		console.warn(`The documents have no place for ${name}`);
		return;
	}
	const text = readFileSync(file, "utf8");
	const { cpu, memory, node } = result.machine;
	const origin = `Measured on ${result.date.slice(0, 10)} at ${result.commit}, ${cpu}, ${memory}, Node ${node}: \`${result.command}\``;
	const content = [...tables.map(markdown), origin, ""].join("\n\n");
	writeFileSync(
		file,
		text.replace(section, (_, begin, end) => `${begin}\n${content}${end}`),
	);
}

function markdown({ columns, rows }: Table): string {
	const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
	return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}
