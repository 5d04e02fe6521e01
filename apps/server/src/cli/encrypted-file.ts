import { randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { type Bytes, decryptLines, toStream } from "../tenant-file/encrypted-lines";
import { Failure } from "./output";

/** Writes a new file that only its owner can read. A file that is not complete has no name yet. */
export async function writeNewFile(path: string, content: Bytes): Promise<void> {
	requireNewFile(path);
	const partial = `${path}.${randomUUID()}.part`;
	const file = await open(partial, "wx", 0o600);
	try {
		for await (const chunk of content) await file.appendFile(chunk);
		await file.sync();
		await file.close();
		await rename(partial, path);
	} catch (error) {
		await file.close().catch(() => {});
		await rm(partial, { force: true });
		throw error;
	}
}

export function requireNewFile(path: string): void {
	if (!existsSync(path)) return;
	throw new Failure(`${path} exists already. Choose another name.`, { code: "FILE_EXISTS" });
}

/** The lines of a file that is encrypted with a password. */
export async function* readEncrypted(path: string, password: string): AsyncGenerator<string> {
	if (!existsSync(path)) {
		throw new Failure(`There is no file ${path}.`, { code: "FILE_NOT_FOUND" });
	}
	yield* decryptLines(toStream(createReadStream(path)), password);
}
