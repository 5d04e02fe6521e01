import type { AuthContext } from "better-auth";
import { runAcrossTenants } from "better-auth-tenant";
import { type OrganizationToTenantReport, organizationToTenant } from "better-auth-tenant/imports";
import { textOf } from "../formats/converted";
import { startProgress } from "../progress";
import { confirm, type ExitCode, messageOf, print, printError } from "../terminal";
import type { ImportFlags } from "./arguments";
import type { ImportAuth } from "./auth";
import { withInterruption } from "./interruption";
import { findPeopleInSeveral, listOrganizations, type Organization, type Person } from "./members";
import { openReport } from "./report";

/** A row of the report. */
interface OrganizationRow {
	organizationId: string;
	slug: string;
	status: "converted" | "failed";
	tenantId: string | null;
	/** Members by what happens to them. */
	members: Record<string, number>;
	pendingInvitations: number;
	code: string | null;
	message: string | null;
	conflicts: unknown[];
	dryRun: boolean;
}

const MAX_PEOPLE = 50;

const WHAT = {
	refuse: "Nothing is converted. Use --in-several copy or --in-several skip.",
	copy: "Each gets a user of their own in each of these tenants, with the same password.",
	skip: "They stay on the platform, and leave these organizations.",
};

/** Turns organizations into tenants, one transaction for each. */
export async function importOrganizations(auth: ImportAuth, flags: ImportFlags): Promise<ExitCode> {
	const { dryRun, inSeveral } = flags;
	const context = await auth.$context;
	// Code without a request is on the platform.
	const all = await listOrganizations(context);
	const { chosen, converted } = await choose(context, all, flags.organization);
	const people = await findPeopleInSeveral(context, all, chosen);
	const blocked = people.length > 0 && inSeveral === "refuse";
	if (!flags.json) describePlan(chosen, converted, people, inSeveral);
	const canStart = dryRun || (!blocked && chosen.length > 0);
	if (canStart && !dryRun && !flags.yes) {
		const question = `Convert ${chosen.length} organizations? Only a backup can undo this.`;
		if (!(await confirm(question))) return 1;
	}
	const report = openReport<OrganizationRow>(flags.report, flags.resume ?? false);
	const progress = startProgress(chosen.length, "organizations");
	const rows: OrganizationRow[] = [];
	const interrupted = await withInterruption(async (isStopped) => {
		for (const organization of canStart ? chosen : []) {
			if (isStopped()) return true;
			const row = await convert(auth, organization, flags);
			rows.push(row);
			report.add(row);
			progress.show(rows.length);
			if (row.status === "failed" && !flags.json) {
				progress.end();
				printError(`${row.slug}: ${row.code ?? "failed"}: ${row.message}`);
			}
		}
		return false;
	}).finally(() => {
		progress.end();
		report.close();
	});
	const failed = rows.filter(({ status }) => status === "failed").length;
	if (flags.json) {
		const alreadyConverted = converted;
		print(
			JSON.stringify(
				{ dryRun, people, alreadyConverted, organizations: rows, interrupted },
				null,
				2,
			),
		);
	} else if (canStart) {
		if (dryRun) print("This was a dry run: nothing was changed.");
		print(`${rows.length - failed} converted, ${failed} failed.`);
		if (flags.report) print(`Report: ${flags.report}`);
	}
	if (interrupted) return 130;
	return failed > 0 || (blocked && !dryRun) ? 1 : 0;
}

/** An organization that was converted is no longer on the platform, but in its tenant. */
async function choose(
	{ adapter }: AuthContext,
	all: readonly Organization[],
	wanted: readonly string[],
) {
	if (wanted.includes("all")) return { chosen: [...all], converted: [] };
	const chosen = all.filter(({ id }) => wanted.includes(id));
	const missing = wanted.filter((id) => !chosen.some((it) => it.id === id));
	const converted: string[] = [];
	for (const id of missing) {
		const where = [{ field: "id", value: id }];
		const found = await runAcrossTenants(() => adapter.findOne({ model: "organization", where }));
		if (!found) throw new Error(`There is no organization ${JSON.stringify(id)}`);
		converted.push(id);
	}
	return { chosen, converted };
}

async function convert(
	auth: ImportAuth,
	{ id, slug }: Organization,
	{ inSeveral, dryRun }: ImportFlags,
): Promise<OrganizationRow> {
	const base = {
		organizationId: id,
		slug,
		dryRun,
		tenantId: null,
		members: {},
		pendingInvitations: 0,
	};
	try {
		const done = await organizationToTenant(auth, { organizationId: id, inSeveral, dryRun });
		const failed = done.conflicts.length > 0;
		return {
			...base,
			status: failed ? "failed" : "converted",
			tenantId: done.tenant.id,
			members: countOutcomes(done),
			pendingInvitations: done.pendingInvitations.length,
			code: failed ? "MOVE_REFUSED" : null,
			message: failed ? (done.conflicts[0]?.message ?? null) : null,
			conflicts: done.conflicts,
		};
	} catch (error) {
		const { body }: { body?: { code?: unknown; conflicts?: unknown } } = Object(error);
		const code = textOf(body?.code) ?? null;
		// Anything else is not about this organization, for example a database that is gone.
		if (code === null) throw error;
		const conflicts = Array.isArray(body?.conflicts) ? body.conflicts : [];
		return { ...base, status: "failed", code, message: messageOf(error), conflicts };
	}
}

function countOutcomes({ members }: OrganizationToTenantReport): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { outcome } of members) counts[outcome] = (counts[outcome] ?? 0) + 1;
	return counts;
}

function describePlan(
	chosen: readonly Organization[],
	converted: readonly string[],
	people: readonly Person[],
	inSeveral: keyof typeof WHAT,
): void {
	for (const id of converted) print(`${id} is a tenant already.`);
	if (people.length > 0) {
		print(`${people.length} people are in several organizations:`);
		for (const { name, email, organizations } of people.slice(0, MAX_PEOPLE)) {
			print(`  ${name} <${email}>: ${organizations.join(", ")}`);
		}
		if (people.length > MAX_PEOPLE) print(`  … and ${people.length - MAX_PEOPLE} more`);
		print(WHAT[inSeveral]);
		if (inSeveral === "refuse") return;
	}
	print(`${chosen.length} organizations to convert.`);
}
