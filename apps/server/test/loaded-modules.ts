import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { temporaryDirectory } from "./temporary-directory";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Notes each module that Node.js loads. It runs in the thread of the loader. */
const HOOKS = `
import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
	appendFileSync(process.env.LOADED_MODULES, url + "\\n");
	return next(url, context);
}
`;

/**
 * The packages and files that a program loads.
 *
 * @param runner options of Node.js, for a program that is not built
 */
export function loadedModules(program: string, args: string[], { runner = [] as string[] } = {}) {
	const directory = temporaryDirectory();
	const list = join(directory, "modules.txt");
	const hooks = join(directory, "hooks.mjs");
	const register = join(directory, "register.mjs");
	writeFileSync(hooks, HOOKS);
	const registered = JSON.stringify(pathToFileURL(hooks));
	writeFileSync(register, `import { register } from "node:module";\nregister(${registered});\n`);
	const options = [...runner, "--import", pathToFileURL(register).href];
	const { status: code } = spawnSync(process.execPath, [...options, program, ...args], {
		cwd: root,
		env: { PATH: process.env.PATH, LOADED_MODULES: list, DATA_DIR: directory },
	});
	const paths = readFileSync(list, "utf8")
		.split("\n")
		.filter((url) => url.startsWith("file:"))
		.map((url) => fileURLToPath(url.replace(/\?.*/, "")));
	const packageOf = (path: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
	return {
		code,
		packages: [...new Set(paths.flatMap((path) => packageOf(path) ?? []))].sort(),
		files: paths
			.filter((path) => path.startsWith(root) && !packageOf(path))
			.map((path) => path.slice(root.length)),
	};
}
