import { type MemoryWatch, watchMemory } from "../../instruments/memory-watch";
import type { Host } from "../../setup/operations";

/** A long response that is streamed. */
export interface StreamFigure extends MemoryWatch {
	/** In milliseconds: until it begins, and until it ends. */
	first: number;
	whole: number;
	megabytes: number;
}

export async function streamAll({ handler }: Host, request: Request): Promise<StreamFigure> {
	const memory = watchMemory(250);
	const began = performance.now();
	const passed = () => Math.round(performance.now() - began);
	const response = await handler(request);
	if (!response.ok || !response.body) throw new Error(`the whole list: ${response.status}`);
	let first: number | undefined;
	let bytes = 0;
	// As a client that keeps nothing.
	for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
		first ??= passed();
		bytes += piece.length;
	}
	const whole = passed();
	const megabytes = Math.round(bytes / 1024 / 102.4) / 10;
	return { first: first ?? whole, whole, megabytes, ...memory.stop() };
}
