// Copies the examples that are templates into `dist`. Runs after the build.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FRAMEWORKS } from "./src/frameworks";

const own = fileURLToPath(new URL(".", import.meta.url));
const repository = join(own, "../..");
const templates = join(own, "dist/templates");

/** The files that Git knows or would add: no database, `.env` or installed package. */
function filesIn(folder: string): string[] {
	const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", folder];
	const listed = execFileSync("git", args, { cwd: repository, encoding: "utf8" }).split("\0");
	return listed.filter((path) => path && existsSync(join(repository, path)));
}

rmSync(templates, { recursive: true, force: true });
for (const framework of Object.keys(FRAMEWORKS)) {
	const files = filesIn(`examples/${framework}`);
	if (files.length === 0) throw new Error(`There is no folder examples/${framework}.`);
	for (const path of files) {
		cpSync(join(repository, path), join(templates, path.replace(/^examples\//, "")));
	}
}
cpSync(join(own, "databases"), join(own, "dist/databases"), { recursive: true });
