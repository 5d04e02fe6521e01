import { randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { Decrypter, Encrypter } from "age-encryption";
import { Failure } from "./output";

// Files of this form can also be read with the program age, and with every other one that knows its format.

type Bytes = ReadableStream<Uint8Array>;

/** Writes lines to a new file that only its owner can read. A file that is not complete has no name yet. */
export async function writeEncrypted(
	path: string,
	password: string,
	lines: AsyncIterable<string>,
): Promise<void> {
	requireNewFile(path);
	const encrypter = new Encrypter();
	encrypter.setPassphrase(password);
	const partial = `${path}.${randomUUID()}.part`;
	const file = await open(partial, "wx", 0o600);
	try {
		for await (const chunk of await encrypter.encrypt(bytesOf(lines))) await file.appendFile(chunk);
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

function bytesOf(lines: AsyncIterable<string>): Bytes {
	const encoder = new TextEncoder();
	const chunks = async function* () {
		for await (const line of lines) yield encoder.encode(`${line}\n`);
	};
	return Readable.toWeb(Readable.from(chunks())) as Bytes;
}

/** The lines of such a file. */
export async function* readEncrypted(path: string, password: string): AsyncGenerator<string> {
	if (!existsSync(path)) {
		throw new Failure(`There is no file ${path}.`, { code: "FILE_NOT_FOUND" });
	}
	const source = createReadStream(path);
	try {
		const decrypter = new Decrypter();
		decrypter.addPassphrase(password);
		const encrypted = Readable.toWeb(source) as Bytes;
		const plain = await decrypter.decrypt(encrypted).catch(() => {
			throw new Failure(`${path} cannot be decrypted. Is it the password of this file?`, {
				code: "FILE_NOT_DECRYPTED",
			});
		});
		yield* splitLines(plain, path);
	} finally {
		source.destroy();
	}
}

async function* splitLines(plain: Bytes, path: string): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = "";
	const reader = plain.getReader();
	for (;;) {
		const { done, value } = await reader.read().catch(() => {
			throw new Failure(`${path} is damaged, or not complete.`, { code: "FILE_DAMAGED" });
		});
		if (done) break;
		const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
	}
	if (rest) yield rest;
}
