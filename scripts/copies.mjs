// What the scripts that copy parts of the repository share.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The folder for copies of this repository. It is in the temporary folder of the system.
 *
 * @param {string} repository
 */
export function folderOfCopies(repository) {
	return join(tmpdir(), `better-auth-tenant-${digest(repository)}`);
}

/**
 * Lists the files that Git knows or would add: no database, `.env` or installed package.
 *
 * @param {string} repository
 * @param {string} folder
 */
export function listFiles(repository, folder = ".") {
	const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", folder];
	const output = execFileSync("git", args, { cwd: repository, encoding: "utf8" });
	return output.split("\0").filter((path) => path && existsSync(join(repository, path)));
}

/** @param {string} text */
export function digest(text) {
	return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
