import { type Actor, recordAppEvent } from "better-auth-tenant";
import { exportTenant, type ImportTenantReport, importTenant } from "better-auth-tenant/imports";
import * as z from "zod";
import type { Locate } from "../regions/directory";
import { requireSlugOfImport } from "../regions/slug-rules";
import { type Bytes, encryptLines } from "./encrypted-lines";

type AnyAuth = { $context: Promise<Parameters<typeof requireSlugOfImport>[0]> };

/** Who exports or imports. With headers, the audit event has the IP address. */
export type Author = { actor: Actor; headers?: Headers };

export type TenantFile = {
	file: Bytes;
	/** How many rows the file has so far. */
	countRows: () => number;
};

/** The tenant in a file that is encrypted with a password. It is made while it is read. */
export async function exportFile(
	auth: AnyAuth,
	author: Author,
	{ tenantId, password, logN }: { tenantId: string; password: string; logN?: number | undefined },
): Promise<TenantFile> {
	const lines = exportTenant(auth, tenantId);
	// What makes an export impossible is found with the first line.
	const first = await lines.next();
	// Before there is a file: an export that is interrupted leaves no file without an event.
	await record(auth, author, "app:export-tenant", tenantId);
	let count = 0;
	const counted = async function* () {
		yield String(first.value);
		for await (const line of lines) {
			count += 1;
			yield line;
		}
	};
	// The last line is the end.
	return { file: await encryptLines(counted(), password, logN), countRows: () => count - 1 };
}

type ImportOptions = {
	releaseSlug: boolean;
	/** Finds tenants of other regions, whose slugs are not free. `null` without regions. */
	locate: Locate | null;
};

/** Imports a tenant from the lines of such a file. */
export async function importFile(
	auth: AnyAuth,
	author: Author,
	lines: AsyncIterable<string>,
	{ releaseSlug, locate }: ImportOptions,
): Promise<ImportTenantReport> {
	const watched = async function* () {
		let number = 0;
		for await (const line of lines) {
			number += 1;
			const tenant = number === 1 ? tenantIn(line) : null;
			if (tenant && locate) {
				await requireSlugOfImport(await auth.$context, tenant, { releaseSlug, locate });
			}
			yield line;
			// Now there is a tenant. An import that is interrupted leaves no tenant without an event.
			if (tenant) await record(auth, author, "app:start-tenant-import", tenant.id);
		}
	};
	const report = await importTenant(auth, watched(), { releaseSlug });
	const { tenantId, written, existing } = report;
	await record(auth, author, "app:import-tenant", tenantId, { written, existing });
	return report;
}

const firstLine = z.object({ tenant: z.object({ id: z.string(), slug: z.string() }) });

/** The import refuses a line that is wrong. */
const tenantIn = (line: string) => firstLine.safeParse(parseJson(line)).data?.tenant ?? null;

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

async function record(
	auth: AnyAuth,
	{ actor, headers }: Author,
	action: `app:${string}`,
	tenantId: string,
	detail?: Record<string, number>,
): Promise<void> {
	const source = { context: await auth.$context, ...(headers ? { headers } : {}) };
	await recordAppEvent(source, { action, actor, tenantId, ...(detail && { detail }) });
}
