import type { CreateTableBuilder, Kysely } from "kysely";
import { dailyCountsTable } from "./daily-counts";
import { lastRunsTable } from "./job-runs";
import { scheduleTable } from "./job-schedule";
import { tenantDaysTable } from "./tenant-days";

type OwnTable = {
	name: string;
	/** What it is for, in the plan of an upgrade. */
	reason: string;
	create: (db: Kysely<unknown>) => CreateTableBuilder<string, string>;
};

/** The server's own tables, next to those of Better Auth. */
export const ownTables: readonly OwnTable[] = [
	{ name: "service_daily_count", reason: "the server's daily counts", create: dailyCountsTable },
	{ name: "service_job", reason: "when jobs are due", create: scheduleTable },
	{ name: "service_job_run", reason: "how jobs ended", create: lastRunsTable },
	{
		name: "service_tenant_day",
		reason: "the tenants with the most failures and the slowest ones",
		create: tenantDaysTable,
	},
];
