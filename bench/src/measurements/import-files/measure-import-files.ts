import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type DatabaseType, openDatabase } from "../../host/database";
import { makeHost, migrate } from "../../host/host";
import type { Measurement, Run } from "../../setup/measurement";
import { exportFormats, writeExport } from "./write-export";

interface FileFigures {
	type: DatabaseType;
	format: string;
	users: number;
	/** Size of the file in MB. */
	size: number;
	/** The most memory that the command used, in MB. */
	resident: number;
	/** The same for a run with `--resume` after everything was imported. */
	residentResumed: number;
}

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const COMMAND = path("../../../../packages/cli/dist/main.mjs");
const MEGABYTE = 1024 * 1024;

/** Imports a small and a large file of each format with the command: its memory must be the same. */
export const importFiles: Measurement<FileFigures[]> = {
	name: "import-files",
	async measure(run) {
		const figures: FileFigures[] = [];
		const folder = mkdtempSync(join(tmpdir(), "better-auth-tenant-import-"));
		try {
			for (const type of run.scratch.types.filter((it) => it !== "mysql")) {
				for (const format of Object.keys(exportFormats)) {
					for (const users of run.quick ? [100, 1_000] : [10_000, 100_000]) {
						figures.push(await measureFile({ folder, type, format, users }, run));
						console.log(figures.at(-1));
					}
				}
			}
		} finally {
			rmSync(folder, { recursive: true });
		}
		return figures;
	},
	tables: (figures) => [
		{
			title: "The most memory (RSS) of `better-auth-tenant import`, in MB",
			columns: ["database", "format", "users", "file", "import", "with --resume"],
			rows: figures.map((it) => [
				...[it.type, it.format, it.users, it.size, it.resident, it.residentResumed],
			]),
		},
	],
};

async function measureFile(
	{
		folder,
		type,
		format,
		users,
	}: { folder: string } & Pick<FileFigures, "type" | "format" | "users">,
	{ scratch }: Run,
): Promise<FileFigures> {
	const of = exportFormats[format];
	if (!of) throw new Error(`There is no format ${format}`);
	const file = join(folder, of.file);
	await writeExport(file, of, users);
	const address = await scratch.create(type);
	const database = openDatabase(address);
	await migrate(database, { subject: "tenant" });
	await makeHost(database, { subject: "tenant" }).api.createTenant({
		body: { name: "Acme", slug: "acme" },
	});
	await database.close();
	const report = join(folder, `${format}-${users}.ndjson`);
	const args = [file, "--from", format, "--tenant", "acme", "--report", report, "--yes", "--json"];
	const first = await runCommand(address, args);
	const again = await runCommand(address, [...args, "--resume"]);
	if (first.created !== users || again.resumed !== users) {
		throw new Error(`${format}: ${JSON.stringify([first, again])}`);
	}
	const size = Math.round(statSync(file).size / MEGABYTE);
	return { type, format, users, size, resident: first.resident, residentResumed: again.resident };
}

/** Runs the command as a user does, in plain Node. */
async function runCommand(address: string, args: string[]) {
	const child = spawn(
		process.execPath,
		[COMMAND, "import", ...args, "--config", path("./auth.mjs")],
		{
			env: { ...process.env, BENCH_DATABASE: address, NODE_OPTIONS: "" },
			stdio: ["ignore", "pipe", "pipe"],
		},
	);
	const output = { stdout: "", stderr: "" };
	child.stdout.on("data", (part) => {
		output.stdout += part;
	});
	child.stderr.on("data", (part) => {
		output.stderr += part;
	});
	let resident = 0;
	const timer = setInterval(() => {
		resident = Math.max(resident, peakOf(child.pid));
	}, 200);
	const [code] = await once(child, "close");
	clearInterval(timer);
	if (code !== 0) throw new Error(`The command ended with ${code}: ${output.stderr.slice(-2000)}`);
	const summary: { created: number; resumed: number } = JSON.parse(output.stdout);
	return { ...summary, resident };
}

/** The most memory that a process had so far, by Linux. */
function peakOf(pid: number | undefined): number {
	try {
		const [, kilobytes = "0"] =
			/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
		return Math.round(Number(kilobytes) / 1024);
	} catch {
		// It has just ended.
		return 0;
	}
}
