import input from "@inquirer/input";
import select from "@inquirer/select";
import { type Arguments, DEFAULTS, UsageError } from "./arguments";
import { DATABASES, type Database } from "./databases";
import { findProblem } from "./directory";
import { FRAMEWORKS, type Framework } from "./frameworks";

export interface Choices {
	directory: string;
	framework: Framework;
	database: Database;
}

type Terminal = NonNullable<Parameters<typeof input>[1]>;

/** The user pressed Ctrl-C. */
export class Canceled extends Error {}

/**
 * Asks for what the arguments do not say.
 *
 * @param terminal where to ask; undefined if there is nobody to ask
 * @throws UsageError if an answer is missing or the directory cannot be used
 * @throws Canceled
 */
export async function resolveChoices(
	{ yes, ...given }: Arguments,
	terminal: Terminal | undefined,
): Promise<Choices> {
	const directory = given.directory ?? (yes ? DEFAULTS.directory : undefined);
	const framework = given.framework ?? (yes ? DEFAULTS.framework : undefined);
	const database = given.database ?? (yes ? DEFAULTS.database : undefined);
	// Before the questions: nobody wants to answer them twice.
	const problem = directory === undefined ? undefined : findProblem(directory);
	if (problem) throw new UsageError(problem);
	if (directory !== undefined && framework && database) return { directory, framework, database };
	if (!terminal) {
		throw new UsageError(
			"There is no terminal to ask. Give the directory, --framework and --database, or use --yes.",
		);
	}
	try {
		return {
			directory: directory ?? (await askForDirectory(terminal)),
			framework: framework ?? (await askForFramework(terminal)),
			database: database ?? (await askForDatabase(terminal)),
		};
	} catch (error) {
		throw error instanceof Error && error.name === "ExitPromptError" ? new Canceled() : error;
	}
}

const askForDirectory = (terminal: Terminal) =>
	input(
		{
			message: "Directory",
			default: DEFAULTS.directory,
			validate: (directory) => findProblem(directory) ?? true,
		},
		terminal,
	);

const askForFramework = (terminal: Terminal) =>
	select(
		{
			message: "Framework",
			choices: keysOf(FRAMEWORKS).map((value) => ({ value, name: FRAMEWORKS[value].label })),
		},
		terminal,
	);

const askForDatabase = (terminal: Terminal) =>
	select(
		{
			message: "Database",
			choices: keysOf(DATABASES).map((value) => ({ value, name: DATABASES[value].label })),
		},
		terminal,
	);

const keysOf = <Key extends string>(choices: Record<Key, unknown>) => Object.keys(choices) as Key[];
