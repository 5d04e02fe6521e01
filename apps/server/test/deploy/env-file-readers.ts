import { execFileSync, type StdioOptions } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";

type Variables = Record<string, string>;

const environmentOf = (script: string, ...args: string[]): Variables => {
	const print = `exec "${process.execPath}" -p 'JSON.stringify(process.env)'`;
	const output = execFileSync("sh", ["-c", `${script}${print}`, "sh", ...args], { env: {} });
	return JSON.parse(output.toString());
};

/** What a program gets that a shell starts after it has read the file. */
export function readWithShell(path: string): Variables {
	const own = environmentOf("");
	const all = environmentOf('set -ae; . "$1"; set +a; ', path);
	return Object.fromEntries(Object.entries(all).filter(([name]) => !(name in own)));
}

/**
 * `docker run --env-file`, and `kubectl create secret --from-env-file`: everything after the first `=`
 * belongs to the value, also quotes, spaces and what looks like a comment
 * (https://github.com/docker/cli/blob/master/pkg/kvfile/kvfile.go).
 */
export function readWithDocker(path: string): Variables {
	const variables: Variables = {};
	for (const line of readFileSync(path, "utf8").split(/\r?\n/)) {
		const text = line.trimStart();
		if (text === "" || text.startsWith("#")) continue;
		const end = text.indexOf("=");
		if (end < 1 || /\s/.test(text.slice(0, end))) throw new Error(`Docker rejects: ${line}`);
		variables[text.slice(0, end)] = text.slice(end + 1);
	}
	return variables;
}

/** Node's `--env-file`. Compose has the same rules for lines without `$`. */
export function readWithNode(path: string): Variables {
	return { ...parseEnv(readFileSync(path, "utf8")) } as Variables;
}

/** The program of systemd that reads such files for sessions of users, with the rules of `EnvironmentFile`. */
export const systemdReader =
	"/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator";

/** @param directory contains `environment.d/*.conf` */
export function readWithSystemd(directory: string): Variables {
	const env = { XDG_CONFIG_HOME: directory };
	// On standard error it reports empty variables, which only this program does not accept.
	const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
	const printed = execFileSync(systemdReader, { env, stdio }).toString();
	// It prints the variables with quotes for a shell.
	const quoted = printed.replaceAll(/^(?=\w+=)/gm, "export ");
	return environmentOf(`${quoted}\n`);
}
