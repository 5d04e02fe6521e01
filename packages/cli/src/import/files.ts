import { startProgress } from "../progress";
import { confirm, type ExitCode, print, printError } from "../terminal";
import type { ImportFlags } from "./arguments";
import { type ImportAuth, type NamedTenant, resolveTenant } from "./auth";
import { withInterruption } from "./interruption";
import { explainMissing } from "./missing";
import { openReport, readDone } from "./report";
import { runImport, type Summary, type UserRow } from "./run";
import { openSource, type Source } from "./sources";
import { surveySource } from "./survey";

/** More do not help. The report has all of them. */
const MAX_FAILURES = 20;
const MAX_TENANTS = 50;

/** Imports the users of files into one tenant, or each into the tenant that it names. */
export async function importFiles(auth: ImportAuth, flags: ImportFlags): Promise<ExitCode> {
	const source = await openSource(auth.options, flags);
	const { total, tenants: names, ...missing } = await surveySource(auth, source);
	const refusal = explainMissing(missing);
	if (refusal) {
		printError(refusal);
		return 1;
	}
	if (!flags.json) print(`${total} records of ${source.format} in ${flags.files.join(", ")}.`);
	const isMany = flags.tenantFrom !== undefined;
	if (!flags.dryRun && !flags.yes) {
		const target = isMany ? `${names.size} tenants` : `the tenant ${flags.tenant}`;
		if (!(await confirm(`Import them into ${target}?`))) return 1;
	}
	const tenants = await resolveTenants(auth, flags, names);
	const done =
		flags.resume && flags.report !== undefined ? await readDone(flags.report) : new Set<string>();
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
		runImport({ auth, source, tenants, dryRun, done, report, progress, onRow, isStopped }),
	).finally(() => {
		progress.end();
		report.close();
	});
	const { tenants: outcomes, ...counts } = summary;
	if (flags.json) {
		const list = [...outcomes].map(([{ name, id }, counted]) => ({
			...{ tenant: name, tenantId: id },
			...counted,
		}));
		const [only] = tenants.values();
		const of = isMany ? { tenants: list } : { tenantId: only?.id ?? null };
		print(JSON.stringify({ ...of, dryRun, total, ...counts }, null, 2));
	} else {
		printSummary(summary, source, flags, failures);
	}
	if (summary.interrupted) return 130;
	return summary.failed > 0 ? 1 : 0;
}

/**
 * Finds all tenants before the first user is written.
 *
 * @throws Error if the one of `--tenant` does not exist
 */
async function resolveTenants(
	auth: ImportAuth,
	flags: ImportFlags,
	names: ReadonlySet<string>,
): Promise<Map<string, NamedTenant>> {
	const wanted = flags.tenant === undefined ? names : [flags.tenant];
	const byName = new Map<string, NamedTenant>();
	const byId = new Map<string, NamedTenant>();
	for (const name of wanted) {
		const found = await resolveTenant(auth, name, flags);
		if (found.problem && flags.tenant !== undefined) throw new Error(found.problem.message);
		// Some records may have its id, and others its slug.
		const tenant = (found.id !== null && byId.get(found.id)) || found;
		if (found.id !== null) byId.set(found.id, tenant);
		byName.set(name, tenant);
	}
	return byName;
}

function printSummary(
	summary: Summary,
	source: Source,
	{ dryRun, report, tenantFrom }: ImportFlags,
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
	if (tenantFrom !== undefined) printTenants(summary);
	if (resumed > 0) print(`${resumed} were done already, by the report.`);
	const lost = Object.entries(notImported).map(([name, count]) => `${name} (${count})`);
	if (lost.length > 0) print(`Not imported: ${lost.join(", ")}.`);
	const unused = source.unusedHashes();
	if (unused > 0) print(`${unused} password hashes belong to none of these users.`);
	if (report) print(`Report: ${report}`);
}

function printTenants({ tenants }: Summary): void {
	const all = [...tenants];
	for (const [{ name, id, problem }, counted] of all.slice(0, MAX_TENANTS)) {
		const counts = Object.entries(counted).filter(([, count]) => count > 0);
		const did = counts.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
		const state = problem ? ` (${problem.code})` : id === null ? " (would be created)" : "";
		print(`  ${name}${state}: ${did}`);
	}
	if (all.length > MAX_TENANTS) {
		print(`  … and ${all.length - MAX_TENANTS} more tenants. Use --json for all of them.`);
	}
}
