import { recordAppEvent } from "better-auth-tenant";
import { exportTenant, importTenant } from "better-auth-tenant/imports";
import type { Command } from "commander";
import type { Auth } from "../../auth";
import { readEncrypted, requireNewFile, writeEncrypted } from "../encrypted-file";
import { type PasswordSource, readNewPassword, readPassword } from "../input";
import { count, type OutputOptions, printNote, printResult } from "../output";
import { requireTenant, withAuth } from "../with-auth";

const PASSWORD_OPTION = [
	"--password-env <name>",
	"environment variable with the password of the file (default: ask, or read standard input)",
] as const;

export function addTenantFile(tenant: Command): void {
	tenant
		.command("export <tenant> <file>")
		.description(
			"write everything of a tenant to a new file that is encrypted with a password (format: age), as a backup or to move the tenant; without sessions and tokens",
		)
		.option(...PASSWORD_OPTION)
		.option("--json", "print { tenant, file, rows } as JSON")
		.action(exportToFile);
	tenant
		.command("import <file>")
		.description(
			"import a tenant from such a file; it is suspended until you resume it; it can be interrupted and run again",
		)
		.option(...PASSWORD_OPTION)
		.option("--release-slug", "take the slug also if a tenant that was deleted had it")
		.option("--json", "print { tenant, written, existing, tables } as JSON")
		.action(importFromFile);
}

type FileOptions = OutputOptions & PasswordSource;

async function exportToFile(slugOrId: string, file: string, options: FileOptions): Promise<void> {
	requireNewFile(file);
	await withAuth(async (auth) => {
		const { id, slug, suspendedAt } = await requireTenant(auth, slugOrId);
		if (!suspendedAt) {
			printNote(
				options,
				`${slug} is not suspended: changes during the export may be missing. To move it, suspend it first.`,
			);
		}
		let lines = 0;
		const counted = async function* () {
			for await (const line of exportTenant(auth, id)) {
				lines += 1;
				yield line;
			}
		};
		const password = await readNewPassword(options);
		// Before there is a file: a command that is killed leaves no file without an event.
		await record(auth, "app:export-tenant", id);
		await writeEncrypted(file, password, counted());
		// The first line is the tenant, and the last one the end.
		const rows = lines - 2;
		printResult(
			options,
			{ tenant: { id, slug }, file, rows },
			() => `Exported ${slug} (${id}) with ${count(rows, "row")} to ${file}.`,
		);
	});
}

type ImportOptions = FileOptions & { releaseSlug?: boolean };

async function importFromFile(file: string, options: ImportOptions): Promise<void> {
	await withAuth(async (auth) => {
		const lines = readEncrypted(file, await readPassword(options));
		const { releaseSlug = false } = options;
		const { tenantId: id, slug, ...report } = await importTenant(auth, lines, { releaseSlug });
		const { written, existing } = report;
		await record(auth, "app:import-tenant", id, { written, existing });
		printResult(options, { tenant: { id, slug }, ...report }, () =>
			[
				`Imported ${slug} (${id}): ${count(written, "row")} written, ${existing} were there already. All are as in the file.`,
				`It is suspended. To open it: tenant-auth tenant resume ${slug}`,
			].join("\n"),
		);
	});
}

async function record(
	auth: Auth,
	action: `app:${string}`,
	tenantId: string,
	detail?: Record<string, number>,
): Promise<void> {
	const actor = { kind: "server", id: null } as const;
	await recordAppEvent(
		{ context: await auth.$context },
		{ action, actor, tenantId, ...(detail && { detail }) },
	);
}
