import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { createProgram as createCommandLine } from "../../../../packages/cli/src/program";
import { readArguments } from "../../../../packages/create-better-auth-tenant/src/arguments";
import { root } from "../../../../testing/pages";
import { createProgram as createService } from "../../src/cli/program";

/**
 * The commands in a block: words without quotes and comments. It knows the shell as far as the pages use
 * it, and does not look into `$(…)`.
 */
export function commandsIn(block: string): string[][] {
	const commands: string[][] = [[]];
	const text = block.replaceAll(/<<'(\w+)'.*?^\1$/gms, "").replaceAll("\\\n", " ");
	// A quoted part, a comment, a separator, a redirection, or anything else without spaces.
	const tokens =
		/(?:\$\([^)]*\)|'[^']*'|"(?:\\.|[^"\\])*"|<[^<>\n]+ [^<>\n]+>|[^\s'"#&|;<>])+|(?<=^|\s)#.*|&&|[|;\n]|[<>]+ *\S+/gm;
	for (const [token] of text.matchAll(tokens)) {
		if (/^(&&|[|;\n])$/.test(token)) commands.push([]);
		else if (!/^(#|[<>]+ *\S+$)/.test(token) || /^<[^<>]+>$/.test(token)) {
			commands.at(-1)?.push(token.replaceAll(/^(['"])(.*)\1$/gs, "$2"));
		}
	}
	return commands.map(withoutPrefix).filter(({ length }) => length > 0);
}

/** Without `NAME=value` and `sudo -u user` in front of a command. */
function withoutPrefix(words: string[]): string[] {
	const start = words.findIndex((word) => !/^[A-Za-z_]+=/.test(word));
	const command = start === -1 ? [] : words.slice(start);
	return command[0] === "sudo" ? command.slice(3) : command;
}

/** What is wrong with a command. `undefined` if it is right, and `"unknown"` if it is not one of ours. */
export function problemWith(words: string[]): string | undefined {
	const [program = "", ...args] = words;
	const [first = "", ...rest] = args;
	if (program === "npm") return problemWithNpm(first, rest);
	if (program === "tenant-auth") return problemWithService(args);
	if (program === "npx") {
		if (["tenant-auth", "better-auth-tenant-server"].includes(first)) {
			return problemWithService(rest);
		}
		if (["better-auth-tenant", "better-auth-tenant-cli"].includes(first)) {
			return problemWithProgram(createCommandLine(), rest);
		}
		if (first === "vitest" && rest[0] === "run") return problemWithPaths(rest.slice(1));
	}
	if (program === "node" && first === "packages/create-better-auth-tenant/dist/main.mjs") {
		return problemOf(() => readArguments(rest));
	}
	if (program === "cd" || program === "export") return undefined;
	return "unknown";
}

const readManifest = (folder: string): { name: string; scripts: Record<string, string> } =>
	JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

const { scripts } = readManifest(".");
const ours = [
	...["packages/tenant-auth", "packages/cli", "packages/create-better-auth-tenant"],
	"apps/server",
].map((folder) => readManifest(folder).name);

function problemWithNpm(command: string, args: string[]): string | undefined {
	const [first = "", ...rest] = args;
	switch (command) {
		case "start":
		case "test":
			return scripts[command] ? undefined : `there is no script ${command}`;
		case "run":
			if (!scripts[first]) return `there is no script ${first}`;
			if (first === "example") {
				return problemWithPaths(rest.map((name) => `examples/${name}/package.json`));
			}
			return problemWithScript(
				first,
				rest.filter((word) => word !== "--"),
			);
		case "create":
			if (`create-${first}` !== "create-better-auth-tenant") return `there is no create-${first}`;
			return problemOf(() => readArguments(rest.filter((word) => word !== "--")));
		case "pack":
			return args
				.map((word) => word.replace("--workspace=", ""))
				.filter((name) => !ours.includes(name))
				.map((name) => `there is no package ${name}`)[0];
		// Other packages, and files that `npm pack` made.
		case "install":
		case "ci":
			return undefined;
		default:
			return "unknown";
	}
}

/** Where a script declares its options, and how. */
const OPTIONS_OF: Record<string, { file: string; pattern: RegExp }> = {
	bench: { file: "bench/src/run.ts", pattern: /^\t\t(\w+): \{ type:/gm },
	"bench:seed": { file: "bench/src/seed.ts", pattern: /^\t\t(\w+): \{ type:/gm },
	load: { file: "apps/server/load/run.ts", pattern: /"--(\w+)[ "]/g },
};

function problemWithScript(script: string, args: string[]): string | undefined {
	const flags = args.filter((word) => word.startsWith("--")).map((word) => word.slice(2));
	const declared = OPTIONS_OF[script];
	const known = declared
		? [...readFileSync(join(root, declared.file), "utf8").matchAll(declared.pattern)].map(
				([, name]) => name,
			)
		: [];
	const [wrong] = flags.filter((flag) => !known.includes(flag));
	return wrong && `${script} has no option --${wrong}`;
}

const problemWithService = (args: string[]) =>
	problemWithProgram(createService({ json: true }), args);

/** Commander's own parser, without the actions: it rejects what it does not know and what is missing. */
function problemWithProgram(program: Command, args: string[]): string | undefined {
	const disarm = (command: Command): void => {
		command.configureOutput({ writeErr: () => {} });
		if (command.commands.length === 0) command.action(() => {});
		command.commands.forEach(disarm);
	};
	disarm(program);
	return problemOf(() => program.parse(args, { from: "user" }));
}

const problemWithPaths = (paths: string[]) =>
	paths.filter((path) => !existsSync(join(root, path))).map((path) => `there is no ${path}`)[0];

function problemOf(work: () => unknown): string | undefined {
	try {
		work();
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
	return undefined;
}
