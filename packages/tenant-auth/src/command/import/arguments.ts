// biome-ignore-all lint/correctness/noNodejsModules: the command runs in Node only
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { FORMATS, isFormat } from "../reading/records";
import { UsageError } from "../shared/terminal";

export type ImportFlags = ReturnType<typeof readArguments>;

const SEVERAL = ["refuse", "copy", "skip"] as const;

/** @throws UsageError */
export function readArguments(args: string[]) {
	const { positionals, values } = parseArgs({
		args,
		allowPositionals: true,
		options: {
			tenant: { type: "string" },
			"create-tenant": { type: "boolean", default: false },
			name: { type: "string" },
			from: { type: "string" },
			columns: { type: "string" },
			passwords: { type: "string" },
			providers: { type: "string" },
			"skip-passwords": { type: "boolean", default: false },
			organization: { type: "string", multiple: true, default: [] },
			"in-several": { type: "string", default: "refuse" },
			"dry-run": { type: "boolean", default: false },
			report: { type: "string" },
			resume: { type: "boolean", default: false },
			config: { type: "string" },
			yes: { type: "boolean", default: false },
			json: { type: "boolean", default: false },
		},
	});
	const { from } = values;
	if (from !== undefined && from !== "organizations" && !isFormat(from)) {
		throw new UsageError(`--from must be one of ${[...FORMATS, "organizations"].join(", ")}`);
	}
	const inSeveral = SEVERAL.find((it) => it === values["in-several"]);
	if (!inSeveral) throw new UsageError(`--in-several must be one of ${SEVERAL.join(", ")}`);
	if (from === "organizations" && values.organization.length === 0) {
		throw new UsageError("--organization <id> is missing. Use --organization all for all of them");
	}
	if (from !== "organizations" && positionals.length === 0)
		throw new UsageError("No file is given");
	if (from !== "organizations" && !values.tenant) throw new UsageError("--tenant is missing");
	if (values.resume && !values.report) throw new UsageError("--resume needs the --report to read");
	const { report } = values;
	// The report is written while the files are read.
	const isRead = (file = "") => report !== undefined && resolve(file) === resolve(report);
	if ([...positionals, values.passwords].some(isRead)) {
		throw new UsageError("--report must not be a file that is imported");
	}
	return {
		...values,
		from,
		files: positionals,
		inSeveral,
		dryRun: values["dry-run"],
		// By the name in the file.
		columns: new Map(
			readPairs("--columns", values.columns).map(([ours, theirs]) => [theirs, ours]),
		),
		providers: Object.fromEntries(readPairs("--providers", values.providers)),
	};
}

function readPairs(flag: string, text = ""): [string, string][] {
	const pairs = text.split(",").filter((pair) => pair.trim() !== "");
	return pairs.map((pair) => {
		const [, left, right] = /^\s*([^=]+?)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
		if (left === undefined || right === undefined) {
			throw new UsageError(`${flag}: ${JSON.stringify(pair)} is not of the form name=other`);
		}
		return [left, right];
	});
}
