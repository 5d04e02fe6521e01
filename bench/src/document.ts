import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Table } from "./measurement";
import type { Result } from "./results";

const file = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));

/** Puts tables between `<!-- name -->` and `<!-- /name -->`: nobody copies a figure by hand. */
export function document(name: string, tables: Table[], result: Result): void {
	const text = readFileSync(file, "utf8");
	const section = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
	if (!section.test(text)) {
		console.warn(`docs/performance.md has no place for ${name}`);
		return;
	}
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
