import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtProgram } from "../built-program";
import { readDeployFile } from "./deploy-files";

/**
 * Installs deploy/tenant-auth.sh as `tenant-auth` in the directory.
 *
 * @param envFile in place of /etc/tenant-auth/env
 */
export function installScript(directory: string, envFile: string): string {
	const program = join(directory, "program");
	writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${builtProgram("cli")}" "$@"\n`);
	const script = join(directory, "tenant-auth");
	writeFileSync(
		script,
		readDeployFile("tenant-auth.sh")
			.replace("/etc/tenant-auth/env", envFile)
			.replace("/opt/tenant-auth/current/node_modules/.bin/tenant-auth", program),
	);
	for (const file of [program, script]) chmodSync(file, 0o700);
	return script;
}
