import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { Log } from "../monitoring/log";
import type { FinishedRequest } from "../monitoring/request-log";
import { lastDays } from "./daily-counts";
import type { AuthDatabase } from "./open-database";

/** What is known about a tenant on a day. */
type Figures = {
	signIns: number;
	failures: number;
	/** Responses with a status of 500 or more. */
	errors: number;
	requests: number;
	/** Of all requests together. */
	milliseconds: number;
};

export type TenantFigures = Figures & { tenantId: string };

type Row = {
	day: string;
	tenant: string;
	sign_ins: number;
	failures: number;
	errors: number;
	requests: number;
	milliseconds: number;
};
type Tables = { service_tenant_day: Row; tenant: { id: string } };

const tables = (db: Kysely<unknown>) => db as Kysely<Tables>;

/** Creates the table. The rows of a tenant are deleted with it. */
export function tenantDaysTable(db: Kysely<unknown>) {
	const number = ["sign_ins", "failures", "errors", "requests", "milliseconds"];
	const table = db.schema
		.createTable("service_tenant_day")
		.ifNotExists()
		.addColumn("day", "varchar(10)", (column) => column.notNull())
		.addColumn("tenant", "varchar(255)", (column) => column.notNull())
		.addPrimaryKeyConstraint("service_tenant_day_key", ["day", "tenant"])
		.addForeignKeyConstraint("service_tenant_day_tenant", ["tenant"], "tenant", ["id"], (key) =>
			key.onDelete("cascade"),
		);
	return number.reduce(
		(all, name) => all.addColumn(name, "bigint", (column) => column.notNull()),
		table,
	);
}

/** For so many days the figures are kept. */
export const KEPT_DAYS = 30;

/** A server writes its figures of so many tenants of each ranking. */
const WRITTEN_TENANTS = 50;
/** So many tenants a server has in memory. */
const REMEMBERED_TENANTS = 5000;
/** The average of fewer requests says little. */
const MIN_REQUESTS = 20;
const FLUSH_INTERVAL_MS = 60_000;

type FinishedInTenant = Pick<FinishedRequest, "tenantId" | "signIn" | "status" | "milliseconds">;

type Ranking = "failing" | "slowest" | "busiest";

export type TenantDays = {
	record: (request: FinishedInTenant) => void;
	/**
	 * The tenants with the most failures, the slowest ones, or those with the most sign-ins, from the first to
	 * the last day. The other servers' newest figures may be missing.
	 */
	list: (ranking: Ranking, first: string, last: string, limit: number) => Promise<TenantFigures[]>;
	/** Writes the remaining figures and stops. */
	close: () => Promise<void>;
};

const noFigures = (): Figures => ({
	...{ signIns: 0, failures: 0, errors: 0, requests: 0, milliseconds: 0 },
});

/** Of one tenant, since the day began or the server started. */
type Remembered = { tenantId: string; total: Figures; written: Figures };

const failuresOf = ({ total }: Remembered) => total.failures + total.errors;
const averageOf = ({ total }: Remembered) => total.milliseconds / total.requests;

const byFailures = (one: Remembered, other: Remembered) => failuresOf(other) - failuresOf(one);
const byAverage = (one: Remembered, other: Remembered) => averageOf(other) - averageOf(one);
const bySignIns = (one: Remembered, other: Remembered) => other.total.signIns - one.total.signIns;
const byUse = (one: Remembered, other: Remembered) =>
	byFailures(one, other) || other.total.requests - one.total.requests;

/**
 * Which tenants have the most failures, the slowest requests and the most sign-ins, by day.
 *
 * However many tenants there are, a server has 5,000 of them in memory, and writes the figures of the first 50
 * of each ranking once a minute, in one statement. The figures of the other tenants are not stored: they are
 * in no list of the first few.
 */
export function createTenantDays(database: AuthDatabase, log: Log): TenantDays {
	let day = lastDays(1)[0] ?? "";
	let remembered = new Map<string, Remembered>();
	let cleanedOn = "";
	let flushing: Promise<void> = Promise.resolve();

	const write = async (of: string, all: Remembered[]) => {
		const chosen = chooseWritten(all);
		if (chosen.length === 0) return;
		const changes = chosen.map((one) => ({ one, upTo: { ...one.total } }));
		await increase(database, of, changes);
		for (const { one, upTo } of changes) one.written = upTo;
	};

	const flushOnce = async () => {
		const today = lastDays(1)[0] ?? "";
		const all = [...remembered.values()];
		const of = day;
		// Requests of the new day are counted from here on.
		if (of !== today) [day, remembered] = [today, new Map()];
		try {
			await write(of, all);
			if (cleanedOn === today) return;
			await deleteBefore(database, lastDays(KEPT_DAYS)[0] ?? "");
			cleanedOn = today;
		} catch (error) {
			log.warn({ err: error }, "figures of tenants could not be written, retrying later");
		}
	};

	const flush = () => {
		flushing = flushing.then(flushOnce);
		return flushing;
	};

	const timer = setInterval(() => {
		if (remembered.size > 0) void flush();
	}, FLUSH_INTERVAL_MS).unref();

	return {
		record: ({ tenantId, signIn, status, milliseconds }) => {
			if (tenantId === null) return;
			if (!remembered.has(tenantId)) {
				if (remembered.size >= REMEMBERED_TENANTS) remembered = keepMostUsed(remembered);
				remembered.set(tenantId, { tenantId, total: noFigures(), written: noFigures() });
			}
			const { total } = remembered.get(tenantId) as Remembered;
			total.requests += 1;
			total.milliseconds += Math.round(milliseconds);
			if (status >= 500) total.errors += 1;
			if (signIn === "ok") total.signIns += 1;
			if (signIn === "failed") total.failures += 1;
		},
		list: async (ranking, first, last, limit) => {
			await flush();
			return selectFigures(database, ranking, { first, last, limit });
		},
		close: async () => {
			clearInterval(timer);
			await flush();
		},
	};
}

function chooseWritten(all: Remembered[]): Remembered[] {
	const failing = all
		.filter((one) => failuresOf(one) > 0)
		.sort(byFailures)
		.slice(0, WRITTEN_TENANTS);
	const slow = all
		.filter(({ total }) => total.requests >= MIN_REQUESTS)
		.sort(byAverage)
		.slice(0, WRITTEN_TENANTS);
	const busy = all
		.filter(({ total }) => total.signIns > 0)
		.sort(bySignIns)
		.slice(0, WRITTEN_TENANTS);
	return [...new Set([...failing, ...slow, ...busy])].filter(
		({ total, written }) => total.requests > written.requests,
	);
}

function keepMostUsed(remembered: Map<string, Remembered>): Map<string, Remembered> {
	const kept = [...remembered.values()].sort(byUse).slice(0, REMEMBERED_TENANTS / 2);
	return new Map(kept.map((one) => [one.tenantId, one]));
}

type Change = { one: Remembered; upTo: Figures };

/** One statement, so that several servers can add at the same time. */
async function increase({ db, type }: AuthDatabase, day: string, changes: Change[]): Promise<void> {
	const ids = changes.map(({ one }) => one.tenantId);
	const existing = await tables(db)
		.selectFrom("tenant")
		.select("id")
		.where("id", "in", ids)
		.execute();
	// A tenant may have been deleted since.
	const found = new Set(existing.map(({ id }) => id));
	const rows = changes
		.filter(({ one }) => found.has(one.tenantId))
		.map(({ one, upTo }) => toRow(day, one, upTo))
		// All servers lock them in the same order.
		.sort((a, b) => (a.tenant < b.tenant ? -1 : 1));
	if (rows.length === 0) return;
	const insert = tables(db).insertInto("service_tenant_day").values(rows);
	const sum = (name: keyof Row) =>
		type === "mysql"
			? sql<number>`${sql.ref(name)} + values(${sql.ref(name)})`
			: sql<number>`service_tenant_day.${sql.ref(name)} + excluded.${sql.ref(name)}`;
	const sums = {
		sign_ins: sum("sign_ins"),
		failures: sum("failures"),
		errors: sum("errors"),
		requests: sum("requests"),
		milliseconds: sum("milliseconds"),
	};
	if (type === "mysql") await insert.onDuplicateKeyUpdate(sums).execute();
	else {
		await insert
			.onConflict((conflict) => conflict.columns(["day", "tenant"]).doUpdateSet(sums))
			.execute();
	}
}

const toRow = (day: string, { tenantId, written }: Remembered, upTo: Figures): Row => ({
	day,
	tenant: tenantId,
	sign_ins: upTo.signIns - written.signIns,
	failures: upTo.failures - written.failures,
	errors: upTo.errors - written.errors,
	requests: upTo.requests - written.requests,
	milliseconds: upTo.milliseconds - written.milliseconds,
});

async function deleteBefore({ db }: AuthDatabase, day: string): Promise<void> {
	await tables(db).deleteFrom("service_tenant_day").where("day", "<", day).execute();
}

type Sums = ExpressionBuilder<Tables, "service_tenant_day">;

async function selectFigures(
	{ db }: AuthDatabase,
	ranking: Ranking,
	{ first, last, limit }: { first: string; last: string; limit: number },
): Promise<TenantFigures[]> {
	const failures = sql<number>`sum(failures) + sum(errors)`;
	const requests = sql<number>`sum(requests)`;
	const signIns = sql<number>`sum(sign_ins)`;
	const average = sql<number>`sum(milliseconds) / sum(requests)`;
	const sum = ({ fn }: Sums, name: keyof Row) => fn.sum<number>(name);
	const ofDays = tables(db)
		.selectFrom("service_tenant_day")
		.select((of) => [
			"tenant",
			sum(of, "sign_ins").as("signIns"),
			sum(of, "failures").as("failures"),
			sum(of, "errors").as("errors"),
			sum(of, "requests").as("requests"),
			sum(of, "milliseconds").as("milliseconds"),
		])
		.where("day", ">=", first)
		.where("day", "<=", last)
		.groupBy("tenant");
	const ranked = {
		failing: () => ofDays.having(failures, ">", 0).orderBy(failures, "desc"),
		slowest: () => ofDays.having(requests, ">=", MIN_REQUESTS).orderBy(average, "desc"),
		busiest: () => ofDays.having(signIns, ">", 0).orderBy(signIns, "desc"),
	};
	const rows = await ranked[ranking]().orderBy("tenant").limit(limit).execute();
	// Databases return sums as text.
	return rows.map(({ tenant, ...sums }) => ({
		tenantId: tenant,
		signIns: Number(sums.signIns),
		failures: Number(sums.failures),
		errors: Number(sums.errors),
		requests: Number(sums.requests),
		milliseconds: Number(sums.milliseconds),
	}));
}
