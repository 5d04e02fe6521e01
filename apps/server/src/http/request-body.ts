import type { IncomingMessage } from "node:http";
import { TENANT_FILE_IMPORT } from "./tenant-file/upload";

/** More than any request needs, including tenant metadata. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** A client that needs longer does not want a response. */
const BODY_TIMEOUT_MS = 15_000;

/** What bodies of all requests may use until their requests have a response. */
const MAX_TOTAL_BYTES = 64 * MAX_BODY_BYTES;

export type BodyRefusal = "too slow" | "no room";

export type BodyReading = {
	refusal: BodyRefusal | null;
	/** Call it once the request has a response. */
	release: () => void;
};

/** A body that is still coming. */
type Coming = { address: string; refuse: () => void };

/**
 * Reads the body of a request before the request gets a place, for a limited time. Otherwise clients could
 * hold all places of a tenant by sending nothing.
 *
 * If there is no room for another part of a body, the address with the most bytes loses a body that is
 * still coming.
 */
export function bodyReader({ maxTotalBytes = MAX_TOTAL_BYTES } = {}) {
	const held = new Map<string, number>();
	const coming = new Set<Coming>();
	let total = 0;

	function hold(address: string, bytes: number): void {
		total += bytes;
		const now = (held.get(address) ?? 0) + bytes;
		if (now > 0) held.set(address, now);
		else held.delete(address);
	}

	function makeRoom(): void {
		let loser: Coming | null = null;
		for (const one of coming) {
			const has = held.get(one.address) ?? 0;
			if (!loser || has >= (held.get(loser.address) ?? 0)) loser = one;
		}
		loser?.refuse();
	}

	return (incoming: IncomingMessage, from: string | null): Promise<BodyReading> => {
		if (!hasReadableBody(incoming)) return Promise.resolve({ refusal: null, release: () => {} });
		const address = from ?? "";
		return new Promise((resolve) => {
			const chunks: Buffer[] = [];
			let bytes = 0;
			const release = () => {
				hold(address, -bytes);
				bytes = 0;
			};
			const settle = (refusal: BodyRefusal | null) => {
				clearTimeout(timer);
				coming.delete(one);
				incoming.off("data", take).off("end", finish).off("close", finish).off("error", finish);
				if (refusal) release();
				resolve({ refusal, release });
			};
			const finish = () => {
				// From here, the HTTP adapter takes the body (https://github.com/honojs/node-server).
				Object.assign(incoming, { rawBody: Buffer.concat(chunks) });
				settle(null);
			};
			const one: Coming = { address, refuse: () => settle("no room") };
			const take = (chunk: Buffer) => {
				chunks.push(chunk);
				bytes += chunk.length;
				hold(address, chunk.length);
				if (bytes > MAX_BODY_BYTES) {
					// It is refused as too large. The rest is not read.
					incoming.pause();
					finish();
				}
				while (total > maxTotalBytes && coming.size > 0) makeRoom();
			};
			const timer = setTimeout(() => settle("too slow"), BODY_TIMEOUT_MS);
			coming.add(one);
			incoming.on("data", take).on("end", finish).on("close", finish).on("error", finish);
		});
	};
}

/** A body that says that it is too large is refused without reading it. */
function hasReadableBody({ method, headers, url }: IncomingMessage): boolean {
	if (url?.split("?")[0] === TENANT_FILE_IMPORT) return false;
	if (method === "GET" || method === "HEAD") return false;
	const length = Number(headers["content-length"] ?? 0);
	return headers["transfer-encoding"] !== undefined || (length > 0 && length <= MAX_BODY_BYTES);
}
