import { Decrypter, Encrypter, type Identity } from "age-encryption";
import { APIError, isAPIError } from "better-auth/api";
import { LOG_N, passphraseIdentity, passphraseRecipient } from "./passphrase";

// Files of this form can also be read with the program age, and with every other one that knows its format.

export type Bytes = ReadableStream<Uint8Array>;

export const MIN_FILE_PASSWORD = 12;

/** Longer than a row with an image. A file without line ends must not fill the memory. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/** The header has the encrypted key of the file, and ends with this line. A real one has 160 bytes. */
const HEADER_END = "\n--- ";
const MAX_HEADER_BYTES = 4096;

/** The one of Node (`Readable.toWeb`) may throw outside of any call when it is canceled. */
export function toStream(chunks: AsyncIterable<Uint8Array>): Bytes {
	const iterator = chunks[Symbol.asyncIterator]();
	return new ReadableStream<Uint8Array>({
		pull: async (controller) => {
			const { done, value } = await iterator.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		cancel: async () => {
			await iterator.return?.();
		},
	});
}

/** @param logN how much work the password costs: 2 to the power of it. Tests take less. */
export async function encryptLines(
	lines: AsyncIterable<string>,
	password: string,
	logN = LOG_N,
): Promise<Bytes> {
	const encrypter = new Encrypter();
	encrypter.addRecipient(passphraseRecipient(password, logN));
	return encrypter.encrypt(toStream(bytesOf(lines)));
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
	const encoder = new TextEncoder();
	for await (const line of lines) yield encoder.encode(`${line}\n`);
}

/**
 * @throws APIError `FILE_NOT_DECRYPTED`, `FILE_DAMAGED`, and what `encrypted` throws
 */
export async function* decryptLines(encrypted: Bytes, password: string): AsyncGenerator<string> {
	const decrypter = new Decrypter();
	decrypter.addIdentity(requireKey(passphraseIdentity(password)));
	const chunks = withShortHeader(encrypted);
	const plain = await decrypter.decrypt(toStream(chunks)).catch(async (error: unknown) => {
		await chunks.return();
		return refuseDamaged(error);
	});
	const decoder = new TextDecoder();
	const reader = plain.getReader();
	let rest = "";
	try {
		for (;;) {
			const { done, value } = await reader.read().catch(refuseDamaged);
			if (done) break;
			const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
			rest = lines.pop() ?? "";
			if (rest.length > MAX_LINE_CHARACTERS) throw damaged();
			yield* lines;
		}
		if (rest) yield rest;
	} finally {
		// Who needs no more lines must not leave the source open.
		await reader.cancel().catch(() => {});
	}
}

/** The library would read a header without an end into the memory. */
async function* withShortHeader(encrypted: Bytes): AsyncGenerator<Uint8Array, void> {
	const reader = encrypted.getReader();
	let header: Buffer | null = Buffer.alloc(0);
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			if (header) {
				header = Buffer.concat([header, value.subarray(0, MAX_HEADER_BYTES)]);
				if (header.includes(HEADER_END)) header = null;
				else if (header.length >= MAX_HEADER_BYTES) throw damaged();
			}
			yield value;
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

const requireKey = ({ unwrapFileKey }: Identity): Identity => ({
	unwrapFileKey: async (stanzas) => {
		const fileKey = await unwrapFileKey(stanzas);
		if (fileKey) return fileKey;
		throw new APIError("BAD_REQUEST", {
			code: "FILE_NOT_DECRYPTED",
			message: "The file cannot be decrypted. Is it the password of this file?",
		});
	},
});

function refuseDamaged(error: unknown): never {
	throw isAPIError(error) ? error : damaged();
}

const damaged = () =>
	new APIError("BAD_REQUEST", {
		code: "FILE_DAMAGED",
		message: "The file is damaged, not complete, or not an encrypted file of a tenant.",
	});
