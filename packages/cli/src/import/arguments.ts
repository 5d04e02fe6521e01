import { resolve } from "node:path";
import { FORMATS, type Format } from "../reading/records";
import { UsageError } from "../terminal";

export const SOURCES = [...FORMATS, "organizations"] as const;
export const IN_SEVERAL = ["refuse", "copy", "skip"] as const;

/** What Commander has read. */
export interface ImportOptions {
	tenant?: string;
	tenantFrom?: string;
	createTenant?: boolean;
	name?: string;
	from?: Format | "organizations";
	columns?: string;
	passwords?: string;
	providers?: string;
	skipPasswords?: boolean;
	set?: string[];
	metadata?: string;
	organization?: string[];
	inSeveral?: (typeof IN_SEVERAL)[number];
	dryRun?: boolean;
	report?: string;
	resume?: boolean;
	config?: string;
	yes?: boolean;
	json?: boolean;
}

export type ImportFlags = ReturnType<typeof readFlags>;

/** @throws UsageError if something is missing, or does not go together */
export function readFlags(files: string[], options: ImportOptions) {
	const { from, organization = [], report, passwords } = options;
	if (from === "organizations") {
		if (organization.length === 0) {
			throw new UsageError(
				"--organization <id> is missing. Use --organization all for all of them",
			);
		}
		if (files.length > 0) {
			throw new UsageError("Organizations come from the database, not from a file");
		}
	} else {
		if (files.length === 0) throw new UsageError("No file is given");
		if (options.tenant && options.tenantFrom) {
			throw new UsageError("--tenant and --tenant-from exclude each other");
		}
		if (!options.tenant && !options.tenantFrom) {
			throw new UsageError("--tenant is missing, or --tenant-from for a file of many tenants");
		}
		if (options.tenantFrom && options.name) {
			throw new UsageError(
				"--name is for one tenant. Tenants of --tenant-from are named by their slugs",
			);
		}
	}
	if (options.resume && !report) throw new UsageError("--resume needs the --report to read");
	// The report is written while the files are read.
	const isRead = (file = "") => report !== undefined && resolve(file) === resolve(report);
	if ([...files, passwords].some(isRead)) {
		throw new UsageError("--report must not be a file that is imported");
	}
	return {
		...options,
		files,
		organization,
		inSeveral: options.inSeveral ?? "refuse",
		dryRun: options.dryRun ?? false,
		// By the name in the file.
		columns: new Map(
			readPairs("--columns", options.columns).map(([ours, theirs]) => [theirs, ours]),
		),
		providers: Object.fromEntries(readPairs("--providers", options.providers)),
		set: Object.fromEntries((options.set ?? []).map((pair) => readPair("--set", pair))),
	};
}

function readPairs(flag: string, text = ""): [string, string][] {
	const pairs = text.split(",").filter((pair) => pair.trim() !== "");
	return pairs.map((pair) => readPair(flag, pair));
}

function readPair(flag: string, pair: string): [string, string] {
	const [, left, right] = /^\s*([^=]+?)\s*=\s*(.+?)\s*$/.exec(pair) ?? [];
	if (left === undefined || right === undefined) {
		throw new UsageError(`${flag}: ${JSON.stringify(pair)} is not of the form name=other`);
	}
	return [left, right];
}
