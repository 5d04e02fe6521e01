import type { AdoptTenantsOptions, AdoptTenantsReport } from "better-auth-tenant/imports";
import type { UpgradeTarget } from "better-auth-tenant/upgrade";
import type { Command } from "commander";
import { textOf } from "./formats/converted";
import { requireAuth } from "./import/auth";
import { CONFIG, loadConfig, muteBetterAuth } from "./load-config";
import { confirm, type ExitCode, print, printError, requireValues } from "./terminal";

interface Options {
	table?: string;
	id: string;
	name: string;
	slug?: string;
	config?: string;
	dryRun?: boolean;
	yes?: boolean;
	json?: boolean;
}

export function addAdopt(program: Command, end: (code: ExitCode) => void): void {
	const command = program
		.command("adopt")
		.summary("make tenants of a column that your app has, such as user.tenantId")
		.description(
			"Makes tenants of a column of your users: creates a tenant for each value, and moves the users into them, with passwords, accounts and sessions. Users without a value stay on the platform. One transaction: everything succeeds, or nothing changes. Run the upgrade first. Repeat it as you like.",
		)
		.argument(
			"<column>",
			"the column, or its field in user.additionalFields, as in user.customerId",
		)
		.option("--table <name>", "your table of tenants; by default each value becomes a tenant")
		.option("--id <column>", "its column with the values that users have", "id")
		.option("--name <column>", "its column with names", "name")
		.option("--slug <column>", "its column with slugs; by default they are made from the names")
		.option("--config <file>", CONFIG)
		.option("--dry-run", "report everything, and change nothing")
		.option("--yes", "run without asking")
		.option("--json", "print the result as JSON")
		.action(async (column: string, options: Options) => end(await adopt(column, options)));
	requireValues(command);
}

async function adopt(column: string, options: Options): Promise<ExitCode> {
	muteBetterAuth();
	const target = await loadConfig(options.config);
	const auth = requireAuth(target);
	// Loaded late: Better Auth takes time to load, and the help does not need it.
	const { adoptTenants } = await import("better-auth-tenant/imports");
	const wanted: AdoptTenantsOptions = {
		field: column.replace(/^user\./, ""),
		...(options.table === undefined ? {} : { tenants: await readTenants(target, options) }),
	};
	const plan = await adoptTenants(auth, { ...wanted, dryRun: true });
	const isBlocked = plan.conflicts.length > 0;
	if (!options.json) describe(plan);
	if (isBlocked || options.dryRun) {
		if (options.json) print(JSON.stringify(plan, null, 2));
		return isBlocked ? 1 : 0;
	}
	const question = `Move ${plan.rows.user ?? 0} users into ${plan.tenants.length} tenants? Only a backup can undo this.`;
	if (!options.yes && !(await confirm(question))) return 1;
	const report = await adoptTenants(auth, wanted);
	print(
		options.json
			? JSON.stringify(report, null, 2)
			: `Done: ${report.rows.user ?? 0} users moved into ${report.tenants.length} tenants.`,
	);
	return 0;
}

async function readTenants(
	target: UpgradeTarget,
	{ table = "", id, name, slug }: Options,
): Promise<NonNullable<AdoptTenantsOptions["tenants"]>> {
	const { readOwnTable } = await import("better-auth-tenant/upgrade");
	const columns = [...new Set([id, name, ...(slug === undefined ? [] : [slug])])];
	const rows = await readOwnTable(target, table, columns);
	return rows.map((row) => ({
		id: textOf(row[id]) ?? "",
		name: textOf(row[name]) ?? null,
		slug: slug === undefined ? null : (textOf(row[slug]) ?? null),
	}));
}

const MAX_LINES = 50;

function describe({ tenants, staying, rows, conflicts }: AdoptTenantsReport): void {
	const lines = tenants.map(({ value, id, slug, users, isNew }) => {
		const named = id === value ? value : `${value} (${id ?? "with a new id"})`;
		return `${named}: ${users} users, ${isNew ? "new tenant" : "tenant"} ${slug}`;
	});
	printSome(lines, print);
	print(`${staying} users have no value, and stay on the platform.`);
	const counted = Object.entries(rows).map(([table, count]) => `${table} ${count}`);
	if (counted.length > 0) print(`Rows that move: ${counted.join(", ")}.`);
	const problems = conflicts.map(({ code, value, userId, message }) =>
		[`Blocked: ${code} ${value}`, userId && ` (user ${userId})`, `: ${message.replace(/\.$/, "")}.`]
			.filter(Boolean)
			.join(""),
	);
	printSome(problems, printError);
}

function printSome(lines: readonly string[], write: (line: string) => void): void {
	for (const line of lines.slice(0, MAX_LINES)) write(line);
	if (lines.length > MAX_LINES) write(`… and ${lines.length - MAX_LINES} more`);
}
