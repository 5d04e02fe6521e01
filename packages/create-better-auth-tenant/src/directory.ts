import { readdirSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";

/** Says why no app can be written to a directory. A new directory and an empty one are fine. */
export function findProblem(directory: string): string | undefined {
	if (directory.trim() === "") return "Give the directory a name.";
	const stats = statSync(directory, { throwIfNoEntry: false });
	if (!stats) return undefined;
	if (!stats.isDirectory()) return `${directory} is a file.`;
	const isEmpty = readdirSync(directory).every((name) => name === ".git");
	return isEmpty ? undefined : `The directory ${directory} is not empty.`;
}

/** The name of the app: that of its directory, as far as npm allows it. */
export function appName(directory: string): string {
	const name = basename(resolve(directory))
		.toLowerCase()
		.replaceAll(/[^a-z\d._-]+/g, "-")
		.replaceAll(/^[._-]+|-+$/g, "");
	return name || "my-app";
}
