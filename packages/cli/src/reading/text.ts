import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";

/** A file that cannot be read to its end. Nothing of it is imported. */
export class FileError extends Error {}

const GZIP = [0x1f, 0x8b];

async function isGzip(file: string): Promise<boolean> {
	const handle = await open(file);
	try {
		const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
		return bytesRead === 2 && GZIP.every((byte, index) => buffer[index] === byte);
	} finally {
		await handle.close();
	}
}

function unzip(file: string) {
	const unzipped = createGunzip();
	// `pipe` does not pass on errors.
	createReadStream(file)
		.on("error", (error) => unzipped.destroy(error))
		.pipe(unzipped);
	return unzipped;
}

/**
 * Reads a text file in parts, also one that is compressed with gzip. Memory stays flat.
 *
 * @throws FileError if it is not there, or not UTF-8
 */
export async function* readText(file: string): AsyncGenerator<string> {
	// Otherwise it would replace what it cannot read, also in names and hashes.
	const decoder = new TextDecoder("utf-8", { fatal: true });
	try {
		const bytes = (await isGzip(file)) ? unzip(file) : createReadStream(file);
		for await (const part of bytes) yield decoder.decode(part, { stream: true });
		yield decoder.decode();
	} catch (error) {
		throw new FileError(`${file} ${reasonOf(error)}`);
	}
}

function reasonOf(error: unknown): string {
	const { code }: { code?: unknown } = Object(error);
	if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "is not UTF-8";
	if (code === "ENOENT") return "is not found";
	if (code === "EISDIR") return "is a folder";
	if (code === "Z_BUF_ERROR") return "ends in the middle of its compressed data";
	return `cannot be read: ${error instanceof Error ? error.message : error}`;
}
