import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a directory that only this user can read, and the directories above it. `recursive` of Node
 * never returns for a path in which no directory can be created, such as one below `/proc`.
 *
 * @throws the error of the system
 */
export function createPrivateDirectory(path: string): void {
	try {
		mkdirSync(path, { mode: 0o700 });
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		const found = statSync(path, { throwIfNoEntry: false });
		if (found?.isDirectory()) return;
		const parent = dirname(path);
		if (code !== "ENOENT" || statSync(parent, { throwIfNoEntry: false })) throw error;
		createPrivateDirectory(parent);
		mkdirSync(path, { mode: 0o700 });
	}
}
