// Which mutants TypeScript refuses: CI's type check notices these without any test.

import { dirname, join } from "node:path";
import ts from "typescript";
import { mutate } from "./mutants.mjs";

/**
 * All mutants are checked as one program, each as a file of its own beside the one it was made of.
 *
 * @param {string} project the directory of the tsconfig.json
 * @param {string} folder where the sources are
 * @param {Map<string, string>} sources
 * @param {import("./mutants.mjs").Mutant[]} mutants
 * @returns {Set<number>} the numbers of those that do not compile
 */
export function findRefused(project, folder, sources, mutants) {
	/** @type {Map<string, string>} */
	const virtual = new Map();
	/** @type {(file: string, id: number | string) => string} */
	const pathOf = (file, id) => join(folder, file.replace(/\.ts$/, `.mutant-${id}.ts`));
	for (const [file, code] of sources) virtual.set(pathOf(file, "none"), code);
	for (const mutant of mutants) {
		virtual.set(pathOf(mutant.file, mutant.id), mutate(mutant, sources.get(mutant.file) ?? ""));
	}
	const program = makeProgram(project, virtual);
	/** @param {string} path */
	const isRefused = (path) => {
		const file = program.getSourceFile(path);
		if (!file) throw new Error(`${path} is not part of the program`);
		return (
			[...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].length > 0
		);
	};
	for (const file of sources.keys()) {
		if (isRefused(pathOf(file, "none"))) throw new Error(`${file} does not compile as it is`);
	}
	return new Set(mutants.filter(({ file, id }) => isRefused(pathOf(file, id))).map(({ id }) => id));
}

/**
 * @param {string} project
 * @param {Map<string, string>} virtual
 */
function makeProgram(project, virtual) {
	const config = ts.readConfigFile(join(project, "tsconfig.json"), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, project);
	const host = ts.createCompilerHost(options);
	const { fileExists, readFile, getSourceFile } = host;
	host.fileExists = (path) => virtual.has(path) || fileExists(path);
	host.readFile = (path) => virtual.get(path) ?? readFile(path);
	host.getSourceFile = (path, languageVersion, ...rest) => {
		const code = virtual.get(path);
		return code === undefined
			? getSourceFile(path, languageVersion, ...rest)
			: ts.createSourceFile(path, code, languageVersion);
	};
	host.getCurrentDirectory = () => dirname(project);
	return ts.createProgram([...fileNames, ...virtual.keys()], options, host);
}
