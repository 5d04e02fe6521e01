/** Reads a Dockerfile, and runs its steps in directories. Docker itself is not needed. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, posix } from "node:path";

type Instruction = { name: string; flags: Record<string, string>; text: string };
export type Stage = { name: string; from: string; instructions: Instruction[] };

export function parseDockerfile(path: string): Stage[] {
	const lines = readFileSync(path, "utf8")
		.split("\n")
		.filter((line) => !/^\s*(#|$)/.test(line))
		.join("\n")
		.replaceAll(/\\\n\s*/g, "")
		.split("\n");
	const stages: Stage[] = [];
	for (const line of lines) {
		const instruction = parseInstruction(line);
		if (instruction.name === "FROM") {
			const [from = "", , name = ""] = instruction.text.split(/\s+/);
			stages.push({ name, from, instructions: [] });
		} else stages.at(-1)?.instructions.push(instruction);
	}
	return stages;
}

function parseInstruction(line: string): Instruction {
	const [, name = "", flags = "", text = ""] =
		/^([A-Z]+)((?:\s+--[a-z-]+=\S+)*)\s+(.*)$/.exec(line) ?? [];
	if (!name) throw new Error(`Not an instruction: ${line}`);
	const pairs = [...flags.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, key = "", value = ""]) => [
		key,
		value,
	]);
	return { name, flags: Object.fromEntries(pairs), text };
}

/** The words of an instruction such as ENTRYPOINT or CMD, which are a JSON array. */
export function wordsOf(stage: Stage, name: string): string[] {
	const text = textOf(stage, name);
	return JSON.parse(text.slice(text.indexOf("[")));
}

export function textOf({ instructions }: Stage, name: string): string {
	const found = instructions.findLast((instruction) => instruction.name === name);
	if (!found) throw new Error(`The stage has no ${name}`);
	return found.text;
}

/** The variables that the stage sets with ENV. */
export function environmentOf({ instructions }: Stage): Record<string, string> {
	const pairs = instructions
		.filter(({ name }) => name === "ENV")
		.flatMap(({ text }) => text.split(/\s+/).map((pair) => pair.split("=", 2) as [string, string]));
	return Object.fromEntries(pairs);
}

export type Build = {
	/** The directory with the files of each stage. */
	root: string;
	/** The directory whose files `COPY` takes. */
	context: string;
	/** Paths in `context` that the build may see. */
	visible: string[];
	/** Runs a shell command of a stage, unless it returns true because it did the work itself. */
	shortcut: (command: string, directory: string) => boolean;
};

/** Runs the COPY and RUN steps of all stages, and returns the directory of the last one. */
export function runStages(stages: Stage[], build: Build): string {
	for (const [index, stage] of stages.entries()) {
		const root = join(build.root, stage.name || String(index));
		mkdirSync(root, { recursive: true });
		const parent = join(build.root, stage.from);
		if (stages.some(({ name }) => name === stage.from)) copy(`${parent}/.`, root);
		let directory = "/";
		if (existsSync(join(root, "app"))) directory = "/app";
		for (const instruction of stage.instructions) {
			if (instruction.name === "WORKDIR") directory = instruction.text;
			mkdirSync(join(root, directory), { recursive: true });
			if (instruction.name === "COPY") runCopy(instruction, build, root, directory);
			if (instruction.name === "RUN") runCommand(instruction.text, build, root, directory);
		}
	}
	return join(build.root, stages.at(-1)?.name || String(stages.length - 1));
}

function runCopy(
	{ text, flags }: Instruction,
	build: Build,
	root: string,
	directory: string,
): void {
	const words = text.split(/\s+/);
	const target = words.pop() ?? "";
	const destination = join(root, posix.resolve(directory, target));
	for (const source of words) {
		const isIntoDirectory = target.endsWith("/");
		if (flags.from) {
			const path = join(build.root, flags.from, source);
			const isDirectory = statSync(path).isDirectory();
			mkdirSync(isDirectory || isIntoDirectory ? destination : join(destination, ".."), {
				recursive: true,
			});
			copy(isDirectory ? `${path}/.` : path, destination);
			continue;
		}
		const files = build.visible.filter(
			(file) => source === "." || file === source || file.startsWith(`${source}/`),
		);
		if (files.length === 0) throw new Error(`.dockerignore hides ${source}, which COPY needs`);
		for (const file of files) {
			const isFile = file === source;
			const inside = isFile
				? basename(file)
				: source === "."
					? file
					: file.slice(source.length + 1);
			const path = isFile && !isIntoDirectory ? destination : join(destination, inside);
			cpSync(join(build.context, file), path);
		}
	}
}

/** As `cp -a`, with links in place of copies if the file system can do it: a build replaces files. */
export function copy(source: string, destination: string): void {
	const { status } = spawnSync("cp", ["-al", source, destination]);
	if (status !== 0) execFileSync("cp", ["-a", source, destination]);
}

/** Absolute paths of the image are paths below `root`. */
function runCommand(text: string, build: Build, root: string, directory: string): void {
	for (const command of text.split(" && ")) {
		const here = join(root, directory);
		if (build.shortcut(command, here)) continue;
		const moved = command.replaceAll(/(?<=\s)\/(?=\w)/g, `${root}/`);
		mkdirSync(join(root, "usr/local/bin"), { recursive: true });
		const { status, stdout, stderr } = spawnSync("sh", ["-c", moved], {
			cwd: here,
			encoding: "utf8",
			env: { PATH: process.env.PATH, HOME: process.env.HOME, CI: "true", WIREIT_CACHE: "none" },
		});
		if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
	}
}
