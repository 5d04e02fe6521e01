import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

let isReady = false;

/** The path of a built program of the server. */
export function builtProgram(name: "main" | "cli"): string {
	if (!isReady) {
		const args = ["scripts/ready.mjs", "--no-install"];
		execFileSync(process.execPath, args, { cwd: root, stdio: "pipe" });
	}
	isReady = true;
	return join(root, `apps/server/dist/${name}.mjs`);
}
