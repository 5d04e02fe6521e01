import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import ts from "typescript";
import { PLUGIN } from "./paths";

/** The files that the plugin imports, directly or not, also for types only. */
export function filesOfCore(): string[] {
	const found = new Set([PLUGIN]);
	// A set also visits what is added to it meanwhile.
	for (const file of found) {
		for (const { fileName } of ts.preProcessFile(readFileSync(file, "utf8")).importedFiles) {
			if (fileName.startsWith(".")) found.add(fileOf(resolve(dirname(file), fileName)));
		}
	}
	return [...found];
}

const fileOf = (path: string) => (existsSync(`${path}.ts`) ? `${path}.ts` : `${path}/index.ts`);

export const countLines = (files: string[]): number =>
	files.reduce((sum, file) => sum + readFileSync(file, "utf8").split("\n").length - 1, 0);
