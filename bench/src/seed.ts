/**
 * Fills a database with tenants, users and what is theirs:
 *
 *   npm run bench:seed -- --tenants 100000 --users 1000000 --database file:/tmp/auth.db
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Hash } from "./host/host";
import { progressBar } from "./seeding/progress-bar";
import { seedDatabase } from "./seeding/seed-database";

const { values } = parseArgs({
	options: {
		tenants: { type: "string", default: "1000" },
		users: { type: "string", default: "10000" },
		database: { type: "string" },
		hash: { type: "string", default: "cheap" },
	},
});

if (!values.database) {
	console.error(
		"usage: npm run bench:seed -- --database file:<path>|postgres://…|mysql://… [--tenants N] [--users N] [--hash cheap|scrypt]",
	);
	process.exit(2);
}

await seedDatabase({
	address: absolute(values.database),
	tenants: countOf(values.tenants),
	users: countOf(values.users),
	hash: values.hash as Hash,
	progress: progressBar,
});

/** npm runs this in the workspace; a path is meant from where the command was typed. */
function absolute(address: string): string {
	if (!address.startsWith("file:")) return address;
	return `file:${resolve(process.env.INIT_CWD ?? ".", address.slice("file:".length))}`;
}

function countOf(text: string): number {
	const count = Number(text.replaceAll(/[_,]/g, ""));
	if (!Number.isInteger(count) || count < 1) throw new Error(`${text} is no number of rows`);
	return count;
}
