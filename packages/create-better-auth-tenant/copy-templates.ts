// Copies the examples that are templates into `dist`. Runs after the build.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listFiles } from "../../scripts/copies.mjs";
import { FRAMEWORKS } from "./src/frameworks";

const own = fileURLToPath(new URL(".", import.meta.url));
const repository = join(own, "../..");
const templates = join(own, "dist/templates");

rmSync(templates, { recursive: true, force: true });
for (const framework of Object.keys(FRAMEWORKS)) {
	const files = listFiles(repository, `examples/${framework}`);
	if (files.length === 0) throw new Error(`There is no folder examples/${framework}.`);
	for (const path of files) {
		cpSync(join(repository, path), join(templates, path.replace(/^examples\//, "")));
	}
}
cpSync(join(own, "databases"), join(own, "dist/databases"), { recursive: true });
