import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProcess } from "./server-process";
import { temporaryDirectory } from "./temporary-directory";

export const hasCurl = spawnSync("curl", ["--version"]).status === 0;

export type Block = { language: string; text: string };

/** The code blocks of a page, or of one of its sections, from top to bottom. */
export function blocksOf(path: string, section?: string): Block[] {
	const page = readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");
	const part = section === undefined ? page : page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0];
	return [...(part ?? "").matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
		([, language = "", text = ""]) => ({
			language,
			text,
		}),
	);
}

/** A server as with `npm start`, and a shell next to its `data` directory. */
export async function serverWithShell() {
	const dataDir = join(temporaryDirectory(), "data");
	const server = startProcess({ DATA_DIR: dataDir });
	const { port } = new URL(await server.url());
	/** Replaces only the port, because the default port may be taken. */
	const atThisServer = (text: string) =>
		text
			.replaceAll("localhost:3000", `localhost:${port}`)
			.replaceAll("localhost%3A3000", `localhost%3A${port}`);
	/** Runs all blocks in one shell, and returns the output of each. */
	const runBlocks = (blocks: string[]) => {
		const input = blocks.map((text) => `${atThisServer(text)}\nprintf '\\036'\n`).join("");
		const { stdout, stderr } = spawnSync("bash", ["-e"], {
			cwd: dirname(dataDir),
			input,
			encoding: "utf8",
		});
		if (stderr) throw new Error(stderr);
		return stdout.split("\u001e").slice(0, -1);
	};
	return { atThisServer, runBlocks, server };
}
