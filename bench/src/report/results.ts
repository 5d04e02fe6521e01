import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { openDatabase } from "../host/database";
import type { Scratch } from "../setup/scratch";

const bench = fileURLToPath(new URL("../..", import.meta.url));
const images = join(dirname(bench), "docs/images");

/** What was measured, when, of what and on what machine. */
export interface Result {
	date: string;
	commit: string;
	command: string;
	machine: Record<string, string | number>;
	seconds: number;
	data: unknown;
}

/** What a quick run or a run of a part found stays out of the repository. */
const fileOf = (isPublished: boolean) =>
	isPublished ? join(bench, "results.json") : join(bench, "data/results.json");

/** Puts what was measured in place of what was there under its name. */
export function saveResult(name: string, result: Result, isPublished: boolean): void {
	const file = fileOf(isPublished);
	const others = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify({ ...others, [name]: result }, null, 2)}\n`);
}

export function saveCharts(charts: Record<string, string>, isPublished: boolean): void {
	const directory = isPublished ? images : join(bench, "data/images");
	mkdirSync(directory, { recursive: true });
	for (const [name, svg] of Object.entries(charts)) writeFileSync(join(directory, name), svg);
}

export function currentCommit(): string {
	const git = (...args: string[]) =>
		execFileSync("git", args, { cwd: bench, encoding: "utf8" }).trim();
	const changed = git("status", "--porcelain", "--", "../packages/tenant-auth/src");
	return `${git("rev-parse", "--short", "HEAD")}${changed ? " with changes" : ""}`;
}

export async function describeMachine(scratch: Scratch) {
	const [first] = cpus();
	return {
		cpu: `${cpus().length} × ${first?.model ?? "unknown"}, ${process.arch}`,
		memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
		system: process.platform,
		node: process.version,
		...Object.fromEntries(
			await Promise.all(
				scratch.types.map(async (type) => [type, await versionOf(await scratch.create(type))]),
			),
		),
	};
}

async function versionOf(address: string): Promise<string> {
	const { db, type, close } = openDatabase(address);
	const queries = {
		sqlite: sql<{ version: string }>`select sqlite_version() as version`,
		postgres: sql<{ version: string }>`select current_setting('server_version') as version`,
		mysql: sql<{ version: string }>`select version() as version`,
	};
	const { rows } = await queries[type].execute(db);
	await close();
	return String(rows[0]?.version);
}
