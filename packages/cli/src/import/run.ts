import {
	checkImportedUsers,
	type ImportedUser,
	type ImportResult,
	importUsers,
} from "better-auth-tenant/imports";
import { textOf } from "../formats/converted";
import type { Progress } from "../progress";
import { codeOf, type ImportAuth, type NamedTenant } from "./auth";
import { Repeats } from "./repeats";
import { doneKey, type Report } from "./report";
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

interface Outcomes {
	created: number;
	updated: number;
	unchanged: number;
	/** Records that are no people. */
	skipped: number;
	failed: number;
	/** Users whom an earlier run has imported. */
	resumed: number;
}

export interface Summary extends Outcomes {
	notImported: Record<string, number>;
	interrupted: boolean;
	/** By the name in the file. Records that name no tenant are not in it. */
	tenants: Map<NamedTenant, Outcomes>;
}

interface Run {
	auth: ImportAuth;
	source: Source;
	/** By the name in the file. */
	tenants: ReadonlyMap<string, NamedTenant>;
	dryRun: boolean;
	done: ReadonlySet<string>;
	report: Report<UserRow>;
	progress: Progress;
	onRow: (row: UserRow) => void;
	isStopped: () => boolean;
}

type Place = Pick<UserRow, "file" | "line" | "email" | "notImported">;
type Result = Pick<UserRow, "externalId" | "status" | "code" | "message">;

/** A record that was read and not imported yet. */
interface Waiting {
	place: Place;
	user: ImportedUser;
}

/** How many users of one tenant, and of all tenants, wait to be imported together. */
const PART = 500;
const MAX_WAITING = 5000;

const noOutcomes = (): Outcomes => ({
	...{ created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, resumed: 0 },
});

/** Imports what the source has. A row is reported when its transaction is over. */
export async function runImport(run: Run): Promise<Summary> {
	const { auth, source, dryRun } = run;
	const summary: Summary = {
		...noOutcomes(),
		// A field may be called "constructor".
		...{ notImported: Object.create(null), interrupted: false, tenants: new Map() },
	};
	const waiting = new Map<NamedTenant, Waiting[]>();
	const repeats = new Map<NamedTenant, Repeats>();
	let [seen, waitingCount] = [0, 0];
	const count = (outcome: keyof Outcomes, tenant: NamedTenant | undefined) => {
		summary[outcome] += 1;
		if (tenant) {
			const own = summary.tenants.get(tenant) ?? noOutcomes();
			own[outcome] += 1;
			summary.tenants.set(tenant, own);
		}
		seen += 1;
		run.progress.show(seen);
	};
	const add = (tenant: NamedTenant | undefined, place: Place, result: Result) => {
		const { externalId, status, code, message } = result;
		const tenantId = tenant?.id ?? null;
		const row: UserRow = { tenantId, ...place, externalId, status, code, message, dryRun };
		for (const name of place.notImported) {
			summary.notImported[name] = (summary.notImported[name] ?? 0) + 1;
		}
		run.report.add(row);
		run.onRow(row);
		count(status, tenant);
	};
	const flush = async (tenant: NamedTenant) => {
		const part = waiting.get(tenant) ?? [];
		waiting.delete(tenant);
		waitingCount -= part.length;
		const lines = part.map(({ user }) => user);
		const results =
			tenant.id === null
				? checkImportedUsers(auth, lines)
				: importUsers(auth, { tenantId: tenant.id, lines, dryRun });
		const known = repeats.get(tenant) ?? new Repeats();
		repeats.set(tenant, known);
		try {
			for await (const result of results) {
				const next = part.shift();
				if (!next) throw new Error("A result has no line");
				add(tenant, next.place, dryRun ? known.correct(result, next.user) : result);
			}
		} catch (error) {
			// The other tenants of the file go on.
			const problem = tenantProblem(error);
			if (!problem || run.tenants.size === 1) throw error;
			tenant.problem = problem;
			for (const { place, user } of part) fail(tenant, place, user, problem);
		}
	};
	const fail = (
		tenant: NamedTenant,
		place: Place,
		{ externalId }: Pick<ImportedUser, "externalId">,
		problem: NonNullable<NamedTenant["problem"]>,
	) => add(tenant, place, { externalId: textOf(externalId) ?? null, status: "failed", ...problem });
	for await (const { file, line, record, tenant: name, converted } of source.read()) {
		if (run.isStopped()) {
			summary.interrupted = true;
			return summary;
		}
		const tenant = run.tenants.get(name);
		if (!("user" in converted) || !tenant) {
			const { code, message, externalId } = "user" in converted ? CHANGED : converted;
			const status = code === "NOT_A_PERSON" ? "skipped" : "failed";
			const place = { file, line, email: textOf(record.email) ?? null, notImported: [] };
			add(tenant, place, { code, message, externalId, status });
			continue;
		}
		const { user, notImported } = converted;
		const place = { file, line, email: textOf(user.email) ?? null, notImported };
		if (tenant.problem) {
			fail(tenant, place, user, tenant.problem);
			continue;
		}
		if (run.done.has(doneKey(tenant.id, user.externalId))) {
			count("resumed", tenant);
			continue;
		}
		const part = waiting.get(tenant) ?? [];
		waiting.set(tenant, part);
		waitingCount += 1;
		if (part.push({ place, user }) >= PART) await flush(tenant);
		if (waitingCount >= MAX_WAITING) for (const it of [...waiting.keys()]) await flush(it);
	}
	for (const tenant of [...waiting.keys()]) await flush(tenant);
	return summary;
}

const CHANGED = {
	...{ code: "TENANT_NOT_FOUND", message: "The file has changed since it was checked" },
	externalId: null,
};

/** What another call has done to the tenant. */
function tenantProblem(error: unknown): NamedTenant["problem"] | null {
	const code = codeOf(error);
	if (code !== "TENANT_NOT_FOUND" && code !== "TENANT_SUSPENDED") return null;
	const { message }: { message?: unknown } = Object(error);
	return { code, message: String(message) };
}
