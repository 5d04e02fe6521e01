import { parseArgs } from "node:util";
import { DATABASES, type Database } from "./databases";
import { FRAMEWORKS, type Framework } from "./frameworks";

const listOf = (choices: object) => Object.keys(choices).join(", ");

export const DEFAULTS = { directory: "my-app", framework: "express", database: "sqlite" } as const;

export const USAGE = `npm create better-auth-tenant [directory] -- [options]

Creates an app with Better Auth and tenants. Asks for what is not given.

  --framework <name>  ${listOf(FRAMEWORKS)}
  --database <name>   ${listOf(DATABASES)}
  --yes               do not ask: use ${Object.values(DEFAULTS).join(", ")} for what is not given
  --no-install        do not run npm install
  --help              print this text
`;

export interface Arguments {
	directory?: string;
	framework?: Framework;
	database?: Database;
	yes: boolean;
	install: boolean;
	help: boolean;
}

/** The caller made a mistake. Its message says which one. */
export class UsageError extends Error {}

/** @throws UsageError */
export function readArguments(args: string[]): Arguments {
	const { positionals, values } = parse(args);
	if (positionals.length > 1) {
		throw new UsageError(`Give one directory, not ${positionals.length}.`);
	}
	return {
		directory: positionals[0],
		framework: requireChoice("framework", values.framework, FRAMEWORKS),
		database: requireChoice("database", values.database, DATABASES),
		yes: values.yes,
		install: !values["no-install"],
		help: values.help,
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			allowPositionals: true,
			options: {
				framework: { type: "string" },
				database: { type: "string" },
				yes: { type: "boolean", default: false },
				"no-install": { type: "boolean", default: false },
				help: { type: "boolean", default: false },
			},
		});
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

function requireChoice<Choice extends string>(
	option: string,
	value: string | undefined,
	choices: Record<Choice, unknown>,
): Choice | undefined {
	if (value === undefined) return undefined;
	const found = (Object.keys(choices) as Choice[]).find((choice) => choice === value);
	if (found) return found;
	throw new UsageError(
		`${JSON.stringify(value)} is not a ${option}. Use one of: ${listOf(choices)}.`,
	);
}
