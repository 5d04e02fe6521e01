import {
	checkImportedUsers,
	type ImportedUser,
	type ImportResult,
	importUsers,
} from "better-auth-tenant/imports";
import { textOf } from "../formats/converted";
import type { Progress } from "../progress";
import type { ImportAuth } from "./auth";
import { Repeats } from "./repeats";
import type { Report } from "./report";
import type { Source } from "./sources";

/** A row of the report. */
export interface UserRow {
	tenantId: string | null;
	file: string;
	line: number;
	externalId: string | null;
	email: string | null;
	status: ImportResult["status"] | "skipped";
	code: string | null;
	message: string | null;
	notImported: string[];
	dryRun: boolean;
}

export interface Summary {
	created: number;
	updated: number;
	unchanged: number;
	/** Records that are no people. */
	skipped: number;
	failed: number;
	/** Users whom an earlier run has imported. */
	resumed: number;
	notImported: Record<string, number>;
	interrupted: boolean;
}

interface Run {
	auth: ImportAuth;
	source: Source;
	/** `null`: the tenant does not exist yet, so lines are only checked. */
	tenantId: string | null;
	dryRun: boolean;
	done: ReadonlySet<string>;
	report: Report<UserRow>;
	progress: Progress;
	onRow: (row: UserRow) => void;
	isStopped: () => boolean;
}

type Place = Pick<UserRow, "file" | "line" | "email" | "notImported">;

/** Imports what the source has. A row is reported when its transaction is over. */
export async function runImport(run: Run): Promise<Summary> {
	const { source, tenantId, dryRun } = run;
	const summary: Summary = {
		...{ created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, resumed: 0 },
		// A field may be called "constructor".
		...{ notImported: Object.create(null), interrupted: false },
	};
	/** The lines that were passed on and have no result yet, at most one part of the import. */
	const waiting: { place: Place; user: ImportedUser }[] = [];
	let seen = 0;
	const step = () => {
		seen += 1;
		run.progress.show(seen);
	};
	const add = (
		place: Place,
		result: Pick<UserRow, "externalId" | "status" | "code" | "message">,
	) => {
		const { externalId, status, code, message } = result;
		const row: UserRow = { tenantId, ...place, externalId, status, code, message, dryRun };
		summary[status] += 1;
		for (const name of place.notImported) {
			summary.notImported[name] = (summary.notImported[name] ?? 0) + 1;
		}
		run.report.add(row);
		run.onRow(row);
		step();
	};
	async function* lines(): AsyncGenerator<ImportedUser> {
		for await (const { file, line, record, converted } of source.read()) {
			if (run.isStopped()) {
				summary.interrupted = true;
				return;
			}
			if (!("user" in converted)) {
				const status = converted.code === "NOT_A_PERSON" ? "skipped" : "failed";
				const email = textOf(record.email) ?? null;
				add({ file, line, email, notImported: [] }, { ...converted, status });
				continue;
			}
			const { user, notImported } = converted;
			if (run.done.has(user.externalId)) {
				summary.resumed += 1;
				step();
				continue;
			}
			waiting.push({ place: { file, line, email: textOf(user.email) ?? null, notImported }, user });
			yield user;
		}
	}
	const results =
		tenantId === null
			? checkImportedUsers(run.auth, lines())
			: importUsers(run.auth, { tenantId, lines: lines(), dryRun });
	const repeats = new Repeats();
	for await (const result of results) {
		const next = waiting.shift();
		if (!next) throw new Error("A result has no line");
		add(next.place, dryRun ? repeats.correct(result, next.user) : result);
	}
	return summary;
}
