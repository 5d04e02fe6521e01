import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, without a slash at the end. */
export const repository = fileURLToPath(new URL("../../../..", import.meta.url)).replace(/\/$/, "");

/** The path of a file in `deploy`. */
export const deployFile = (name: string) => join(repository, "deploy", name);

/** @param replacements hosts, ports and paths. Everything else stays as in the file. */
export function readDeployFile(name: string, replacements: Record<string, string> = {}): string {
	let text = readFileSync(deployFile(name), "utf8");
	for (const [from, to] of Object.entries(replacements)) {
		if (!text.includes(from)) throw new Error(`deploy/${name} does not contain ${from}`);
		text = text.replaceAll(from, to);
	}
	return text;
}
