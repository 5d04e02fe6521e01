/** In milliseconds, from the request to the end of the response. */
const TIME_LIMIT = 10_000;
/** In bytes, uncompressed. */
const SIZE_LIMIT = 1024 * 1024;

/**
 * A `fetch` with limits. A tenant's admin may run the server that responds. A response that never ends,
 * or never starts, would hold our connections and memory.
 */
export async function fetchWithinLimits(
	original: typeof fetch,
	input: Parameters<typeof fetch>[0],
	init: RequestInit,
): Promise<Response> {
	const limit = new AbortController();
	// Not `AbortSignal.timeout`: Node 20 may garbage-collect it inside of `AbortSignal.any`.
	const timer = setTimeout(
		() => limit.abort(new Error(`No complete answer within ${TIME_LIMIT} ms`)),
		TIME_LIMIT,
	);
	const done = () => clearTimeout(timer);
	const callers = init.signal ?? (input instanceof Request ? input.signal : null);
	const signal = callers ? AbortSignal.any([limit.signal, callers]) : limit.signal;
	try {
		const response = await original(input, { ...init, signal });
		if (Number(response.headers.get("content-length")) > SIZE_LIMIT) throw tooLarge();
		const body = response.body?.pipeThrough(countBytes(done), { signal }) ?? null;
		if (!body) done();
		return new Response(body, response);
	} catch (error) {
		done();
		limit.abort(error);
		throw error;
	}
}

/** Fails above the size limit. Calls `done` then, or at the end of the body. */
function countBytes(done: () => void): TransformStream<Uint8Array, Uint8Array> {
	let size = 0;
	return new TransformStream({
		transform(chunk, controller) {
			size += chunk.byteLength;
			if (size <= SIZE_LIMIT) return controller.enqueue(chunk);
			done();
			controller.error(tooLarge());
		},
		flush: done,
	});
}

const tooLarge = () => new Error(`An answer of more than ${SIZE_LIMIT} bytes`);
