import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../../testing/pages";
import { pathForBlocks } from "../../../testing/shell-blocks";
import { startProcess } from "./server-process";
import { temporaryDirectory } from "./temporary-directory";

export const hasCurl = spawnSync("curl", ["--version"]).status === 0;

/** A server as with `npm start`, and a shell next to its `data` directory. */
export async function serverWithShell(settings: Record<string, string> = {}) {
	const dataDir = join(temporaryDirectory(), "data");
	// With these, `npx tenant-auth` works as in a clone.
	symlinkSync(join(root, "node_modules"), join(dirname(dataDir), "node_modules"));
	const server = startProcess({ DATA_DIR: dataDir, ...settings });
	const { port } = new URL(await server.url());
	/** Replaces only the port, because the default port may be taken. */
	const atThisServer = (text: string) =>
		text
			.replaceAll("localhost:3000", `localhost:${port}`)
			.replaceAll("localhost%3A3000", `localhost%3A${port}`);
	/** Runs all blocks in one shell, and returns the output of each. */
	const runBlocks = (blocks: string[]) => {
		const input = blocks.map((text) => `${atThisServer(text)}\nprintf '\\036'\n`).join("");
		const { status, stdout, stderr } = spawnSync("bash", ["-e", "-o", "pipefail"], {
			cwd: dirname(dataDir),
			env: { ...process.env, PATH: pathForBlocks },
			input,
			encoding: "utf8",
		});
		if (status !== 0) throw new Error(`${stderr}\nexit code ${status}`);
		return stdout.split("\u001e").slice(0, -1);
	};
	return { atThisServer, runBlocks, server, directory: dirname(dataDir) };
}
