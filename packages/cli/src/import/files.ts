import { startProgress } from "../progress";
import { confirm, type ExitCode, print, printError } from "../terminal";
import type { ImportFlags } from "./arguments";
import { type ImportAuth, resolveTenant } from "./auth";
import { explainMissingKinds } from "./hash-kinds";
import { withInterruption } from "./interruption";
import { openReport, readDone } from "./report";
import { runImport, type Summary, type UserRow } from "./run";
import { openSource, type Source } from "./sources";
import { surveySource } from "./survey";

/** More do not help. The report has all of them. */
const MAX_FAILURES = 20;

/** Imports the users of files into a tenant. */
export async function importFiles(auth: ImportAuth, flags: ImportFlags): Promise<ExitCode> {
	const source = await openSource(flags);
	const { total, missingKinds, missingFields } = await surveySource(auth, source);
	if (missingFields.size > 0) {
		printError(explainMissingFields(missingFields));
		return 1;
	}
	if (missingKinds.size > 0) {
		printError(explainMissingKinds(missingKinds));
		return 1;
	}
	if (!flags.json) print(`${total} records of ${source.format} in ${flags.files.join(", ")}.`);
	if (!flags.dryRun && !flags.yes) {
		const isConfirmed = await confirm(`Import them into the tenant ${flags.tenant}?`);
		if (!isConfirmed) return 1;
	}
	const tenant = await resolveTenant(auth, flags);
	const tenantId = tenant?.id ?? null;
	const done =
		flags.resume && flags.report !== undefined && tenantId !== null
			? await readDone(flags.report, tenantId)
			: new Set<string>();
	const report = openReport<UserRow>(flags.report, flags.resume ?? false);
	const progress = startProgress(total, "users");
	let failures = 0;
	const onRow = (row: UserRow) => {
		if (row.status !== "failed" || flags.json) return;
		failures += 1;
		if (failures > MAX_FAILURES) return;
		progress.end();
		printError(`${row.file} line ${row.line}: ${row.code}: ${row.message}`);
	};
	const { dryRun } = flags;
	const summary = await withInterruption((isStopped) =>
		runImport({ auth, source, tenantId, dryRun, done, report, progress, onRow, isStopped }),
	).finally(() => {
		progress.end();
		report.close();
	});
	if (flags.json) print(JSON.stringify({ tenantId, dryRun, total, ...summary }, null, 2));
	else printSummary(summary, source, flags, failures);
	if (summary.interrupted) return 130;
	return summary.failed > 0 ? 1 : 0;
}

/** The database would refuse the users, one after the other. */
function explainMissingFields(missing: ReadonlyMap<string, number>): string {
	return [
		"Your users have required fields (user.additionalFields) that these records do not have:",
		...[...missing].map(([name, count]) => `  ${name}: missing in ${count}`),
		"",
		`Add them to the records, as "fields": { "${[...missing.keys()][0]}": … } in NDJSON or as the column fields.${[...missing.keys()][0]} in CSV, or use --set:`,
		`  ${[...missing.keys()].map((name) => `--set ${name}=…`).join(" ")}`,
	].join("\n");
}

function printSummary(
	summary: Summary,
	source: Source,
	{ dryRun, report }: ImportFlags,
	failures: number,
): void {
	const { created, updated, unchanged, skipped, failed, resumed, notImported } = summary;
	if (failures > MAX_FAILURES) printError(`… and ${failures - MAX_FAILURES} more failures`);
	if (summary.interrupted)
		print("Interrupted. Run the same command again to go on, with --resume.");
	if (dryRun) print("This was a dry run: nothing was changed.");
	print(
		`${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped, ${failed} failed.`,
	);
	if (resumed > 0) print(`${resumed} were done already, by the report.`);
	const lost = Object.entries(notImported).map(([name, count]) => `${name} (${count})`);
	if (lost.length > 0) print(`Not imported: ${lost.join(", ")}.`);
	const unused = source.unusedHashes();
	if (unused > 0) print(`${unused} password hashes belong to none of these users.`);
	if (report) print(`Report: ${report}`);
}
