import { cpSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, vi } from "vitest";
import { temporaryDirectory } from "../../../apps/server/test/temporary-directory";
import { FRAMEWORKS } from "../src/frameworks";
import { run } from "../src/program";

const own = fileURLToPath(new URL("..", import.meta.url));

/** What the build puts next to the program. Git ignores the rest of an example. */
function copyResources(folder: string): URL {
	for (const framework of Object.keys(FRAMEWORKS)) {
		cpSync(join(own, "../../examples", framework), join(folder, "templates", framework), {
			recursive: true,
			filter: (path) => !/\/(node_modules|dist|build|\.[^/]+|[^/]+\.db)$/.test(path),
		});
	}
	cpSync(join(own, "databases"), join(folder, "databases"), { recursive: true });
	return pathToFileURL(`${folder}/`);
}

/** The program from its sources, for the tests of a file. It runs in a directory, without a terminal. */
export function useStarter() {
	const folder = temporaryDirectory(afterAll);
	let resources: URL;
	beforeAll(() => {
		resources = copyResources(folder);
	});
	return (cwd: string, ...args: string[]) => withProcess(cwd, () => run(args, resources));
}

/** What a process has for itself: a current directory, listeners and its output. */
async function withProcess(cwd: string, work: () => Promise<number>) {
	const written = { stdout: "", stderr: "" };
	const collect = (name: "stdout" | "stderr") =>
		vi.spyOn(process[name], "write").mockImplementation((chunk) => {
			written[name] += String(chunk);
			return true;
		});
	const spies = [collect("stdout"), collect("stderr")];
	const before = process.cwd();
	const listeners = process.listeners("SIGINT");
	process.chdir(cwd);
	try {
		return { status: await work(), ...written };
	} finally {
		process.chdir(before);
		for (const listener of process.listeners("SIGINT")) {
			if (!listeners.includes(listener)) process.off("SIGINT", listener);
		}
		for (const spy of spies) spy.mockRestore();
	}
}
