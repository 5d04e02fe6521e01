import { APIError } from "better-auth/api";
import { type Bytes, toStream } from "../../tenant-file/encrypted-lines";
import { ClientPace } from "./client-pace";

export const TENANT_FILE_PATH = "/service/tenant-file";

/** Its body is read while it arrives, and may be larger than that of any other path. */
export const TENANT_FILE_IMPORT = `${TENANT_FILE_PATH}/import`;

/** About a million users. The memory that an import needs grows with the ids in the file. */
const MAX_FILE_BYTES = 1024 ** 3;

const MAX_HEAD_BYTES = 8 * 1024;
const MAX_BODY_BYTES = MAX_FILE_BYTES + MAX_HEAD_BYTES;

/** How long the body of a refused request is still read. */
const SKIP_MS = 30_000;

/** A body that begins with a line of JSON, which a file follows. It is read as it arrives. */
export class Upload {
	readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
	readonly #pace = new ClientPace();
	#rest = new Uint8Array();
	#bytes = 0;

	/** @throws APIError `FILE_TOO_LARGE` if the request says so */
	constructor({ body, headers }: Request) {
		if (Number(headers.get("content-length") ?? 0) > MAX_BODY_BYTES) throw tooLarge();
		this.#reader = (body ?? new Blob().stream()).getReader();
	}

	/** @returns `null` if it begins with no such line */
	async readHead(): Promise<unknown> {
		while (!this.#rest.includes(LINE_END)) {
			const chunk = await this.#read();
			if (!chunk || this.#rest.length > MAX_HEAD_BYTES) return null;
			this.#rest = Buffer.concat([this.#rest, chunk]);
		}
		const end = this.#rest.indexOf(LINE_END);
		const line = Buffer.from(this.#rest.subarray(0, end)).toString();
		this.#rest = this.#rest.subarray(end + 1);
		try {
			return JSON.parse(line);
		} catch {
			return null;
		}
	}

	file(): Bytes {
		const chunks = async function* (this: Upload) {
			if (this.#rest.length > 0) yield this.#rest;
			for (let chunk = await this.#read(); chunk; chunk = await this.#read()) yield chunk;
		};
		return toStream(chunks.call(this));
	}

	/** Before a refusal: a browser that still sends would not read the response. */
	async skip(): Promise<void> {
		const until = performance.now() + SKIP_MS;
		while (performance.now() < until && (await this.#read().catch(() => null)));
	}

	async #read(): Promise<Uint8Array | null> {
		const start = performance.now();
		const { done, value } = await withTimeout(this.#reader.read(), this.#pace.leftMs);
		if (done) return null;
		this.#pace.record(performance.now() - start, value.length);
		this.#bytes += value.length;
		if (this.#bytes > MAX_BODY_BYTES) throw tooLarge();
		return value;
	}
}

const LINE_END = 10;

async function withTimeout<T>(reading: Promise<T>, limitMs: number): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const stalled = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(tooSlow()), limitMs);
	});
	return Promise.race([reading, stalled]).finally(() => clearTimeout(timer));
}

const tooLarge = () =>
	new APIError("PAYLOAD_TOO_LARGE", {
		code: "FILE_TOO_LARGE",
		message:
			"The file is larger than 1 GiB. Import it with the command line: tenant-auth tenant import.",
	});

const tooSlow = () =>
	new APIError("REQUEST_TIMEOUT", {
		code: "REQUEST_TIMEOUT",
		message: "The rest of the file did not arrive",
	});
