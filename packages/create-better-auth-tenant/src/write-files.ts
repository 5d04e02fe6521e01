import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Files } from "./app-files";

/** Writes all files or, if one cannot be written, none. */
export function writeFiles(directory: string, files: Files): void {
	const isNew = mkdirSync(directory, { recursive: true });
	try {
		for (const [path, content] of files) {
			const file = join(directory, path);
			mkdirSync(dirname(file), { recursive: true });
			// Only the owner may read the secret.
			writeFileSync(file, content, { mode: path === ".env" ? 0o600 : 0o666 });
		}
	} catch (error) {
		const written = isNew ? [isNew] : [...files.keys()].map((path) => join(directory, top(path)));
		for (const path of written) rmSync(path, { recursive: true, force: true });
		throw error;
	}
}

const top = (path: string) => path.split("/", 1)[0] ?? path;
