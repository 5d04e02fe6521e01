import { fetchNow, toApiError, unreachable } from "../../api/client";

/** As the service has them. */
export const MIN_FILE_PASSWORD = 12;
export const MAX_FILE_BYTES = 1024 ** 3;

const EXPORT = "/service/tenant-file/export";
const IMPORT = "/service/tenant-file/import";

/** As `client.ts` sends it. */
const HEADERS = { "x-console": "yes" };

type Running = { onProgress: (bytes: number) => void; signal: AbortSignal };

type ExportInput = { tenantId: string; password: string; currentPassword: string };

/** Everything of a tenant, encrypted. */
export async function exportTenant(
	input: ExportInput,
	{ onProgress, signal }: Running,
): Promise<Blob> {
	const response = await fetchNow(EXPORT, {
		method: "POST",
		headers: { ...HEADERS, "content-type": "application/json" },
		body: JSON.stringify(input),
		signal,
	}).catch(() => {
		throw unreachable();
	});
	const { status, ok, body } = response;
	if (!ok) throw toApiError({ status, ...(await response.json().catch(() => null)) });
	// A file that is cut off is an error here, and is not saved.
	return readAll(body ?? new Blob().stream(), onProgress).catch(() => {
		throw unreachable();
	});
}

async function readAll(
	body: ReadableStream<Uint8Array<ArrayBuffer>>,
	onProgress: (bytes: number) => void,
): Promise<Blob> {
	const parts: Uint8Array<ArrayBuffer>[] = [];
	let bytes = 0;
	const reader = body.getReader();
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		parts.push(part.value);
		bytes += part.value.length;
		onProgress(bytes);
	}
	return new Blob(parts, { type: "application/octet-stream" });
}

type ImportSettings = { password: string; currentPassword: string; releaseSlug: boolean };

export type ImportReport = {
	tenantId: string;
	slug: string;
	/** Rows that this import has written. */
	written: number;
	/** Rows that an import that was interrupted had written. */
	existing: number;
	/** How many rows each table has. */
	tables: Record<string, number>;
};

/**
 * Creates a tenant from such a file. The service reads the file as it imports, so what is sent is the
 * progress. `fetch` would not tell how much that is.
 */
export function importTenant(
	file: File,
	settings: ImportSettings,
	{ onProgress, signal }: Running,
): Promise<ImportReport> {
	if (signal.aborted) return Promise.reject(stopped());
	const head = `${JSON.stringify(settings)}\n`;
	const request = new XMLHttpRequest();
	signal.addEventListener("abort", () => request.abort());
	return new Promise((resolve, reject) => {
		request.open("POST", IMPORT);
		for (const [name, value] of Object.entries(HEADERS)) request.setRequestHeader(name, value);
		request.upload.onprogress = ({ loaded }) => onProgress(Math.max(0, loaded - head.length));
		request.onload = () => {
			const { status, responseText } = request;
			const body = parseObject(responseText);
			if (status === 200) resolve(body as ImportReport);
			else reject(toApiError({ status, ...body }));
		};
		request.onerror = () => reject(unreachable());
		request.onabort = () => reject(stopped());
		request.send(new Blob([head, file]));
	});
}

const stopped = () => new Error("You have stopped it.");

function parseObject(text: string): object {
	try {
		return Object(JSON.parse(text));
	} catch {
		return {};
	}
}
