import { askRegions } from "../../regions/directory";
import { exportFile, importFile } from "../../tenant-file/transfer";
import { readEncrypted, requireNewFile, writeNewFile } from "../encrypted-file";
import { type PasswordSource, readNewPassword, readPassword } from "../input";
import { count, type OutputOptions, printNote, printResult } from "../output";
import { requireTenant, withAuth } from "../with-auth";

const AUTHOR = { actor: { kind: "server", id: null } } as const;

type FileOptions = OutputOptions & PasswordSource;

export async function exportToFile(
	slugOrId: string,
	file: string,
	options: FileOptions,
): Promise<void> {
	requireNewFile(file);
	await withAuth(async (auth) => {
		const { id, slug, suspendedAt } = await requireTenant(auth, slugOrId);
		if (!suspendedAt) {
			printNote(
				options,
				`${slug} is not suspended: changes during the export may be missing. To move it, suspend it first.`,
			);
		}
		const password = await readNewPassword(options);
		const exported = await exportFile(auth, AUTHOR, { tenantId: id, password });
		await writeNewFile(file, exported.file);
		const rows = exported.countRows();
		printResult(
			options,
			{ tenant: { id, slug }, file, rows },
			() => `Exported ${slug} (${id}) with ${count(rows, "row")} to ${file}.`,
		);
	});
}

type ImportOptions = FileOptions & { releaseSlug?: boolean };

export async function importFromFile(file: string, options: ImportOptions): Promise<void> {
	await withAuth(async (auth, { settings, log }) => {
		const lines = readEncrypted(file, await readPassword(options));
		const { releaseSlug = false } = options;
		const locate = settings.regions && askRegions(settings.regions, log);
		const report = await importFile(auth, AUTHOR, lines, { releaseSlug, locate });
		const { tenantId: id, slug, ...counts } = report;
		const { written, existing } = counts;
		printResult(options, { tenant: { id, slug }, ...counts }, () =>
			[
				`Imported ${slug} (${id}): ${count(written, "row")} written, ${existing} were there already. All are as in the file.`,
				`It is suspended. To open it: tenant-auth tenant resume ${slug}`,
			].join("\n"),
		);
	});
}
