import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const loader = createRequire(import.meta.url).resolve("tsx");
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

type Answer = { code: number | null; out: string; err: string };

/** A command as operators type it, with nobody at a terminal. */
export async function tenantAuth(
	environment: Record<string, string>,
	args: string[],
	input = "",
): Promise<Answer> {
	const child = spawn(
		process.execPath,
		["--import", loader, pathOf("../src/cli/main.ts"), ...args],
		{
			env: {
				PATH: process.env.PATH,
				TSX_TSCONFIG_PATH: pathOf("../tsconfig.json"),
				...environment,
			},
		},
	);
	onTestFinished(() => void child.kill("SIGKILL"));
	const answer: Answer = { code: null, out: "", err: "" };
	child.stdout.on("data", (chunk) => {
		answer.out += chunk;
	});
	child.stderr.on("data", (chunk) => {
		answer.err += chunk;
	});
	// A command that reads nothing may be gone by now.
	child.stdin.on("error", () => {});
	child.stdin.end(input);
	[answer.code] = await once(child, "close");
	return answer;
}
