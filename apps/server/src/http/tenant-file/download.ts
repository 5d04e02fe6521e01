import type { Bytes } from "../../tenant-file/encrypted-lines";
import { ClientPace } from "./client-pace";

/**
 * Passes a stream on as fast as the client takes it. A client that takes too little ends it.
 *
 * @param onEnd called once, with an error if it is not complete
 */
export function download(source: Bytes, onEnd: (error?: unknown) => void): Bytes {
	const reader = source.getReader();
	const pace = new ClientPace();
	let timer: NodeJS.Timeout | undefined;
	let waitsSince = 0;
	let bytes = 0;
	let hasEnded = false;
	const end = (error?: unknown) => {
		clearTimeout(timer);
		if (!hasEnded) onEnd(error);
		hasEnded = true;
	};
	// A source that has failed already says so again, and `onEnd` has said that the file is not complete.
	const stop = (reason: unknown) => reader.cancel(reason).catch(() => {});
	const waitForClient = (controller: ReadableStreamDefaultController<Uint8Array>) => {
		if (hasEnded) return;
		waitsSince = performance.now();
		timer = setTimeout(() => {
			const stalled = new Error("the client takes too little of the file");
			controller.error(stalled);
			end(stalled);
			void stop(stalled);
		}, pace.leftMs);
	};
	return new ReadableStream<Uint8Array>(
		{
			// A client may have gone away before anything of the response was read.
			start: waitForClient,
			pull: async (controller) => {
				clearTimeout(timer);
				pace.record(performance.now() - waitsSince, bytes);
				try {
					const { done, value } = await reader.read();
					if (done) {
						end();
						return controller.close();
					}
					bytes = value.length;
					controller.enqueue(value);
				} catch (error) {
					end(error);
					throw error;
				}
				waitForClient(controller);
			},
			cancel: async (reason) => {
				end(reason ?? new Error("the client has gone away"));
				await stop(reason);
			},
		},
		{ highWaterMark: 0 },
	);
}
