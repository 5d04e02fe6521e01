import * as z from "zod";

const MAX_BYTES = 16 * 1024;
/** What can be parsed but not written again would fail every answer that it is part of. */
const MAX_LEVELS = 1000;

/** Any JSON object of a caller's own, small enough to be kept and answered. */
export const jsonObject = (name: string) =>
	z
		.record(z.string(), z.unknown())
		.refine(
			(value) => jsonBytes(value) <= MAX_BYTES && isShallow(value),
			`${name} has at most ${MAX_BYTES} bytes as JSON and ${MAX_LEVELS} levels`,
		);

function jsonBytes(value: unknown): number {
	try {
		return new TextEncoder().encode(JSON.stringify(value)).length;
	} catch {
		// Nested deeper than the engine can follow.
		return Number.POSITIVE_INFINITY;
	}
}

/** Level by level: recursion would end where the stack does. */
function isShallow(value: object): boolean {
	let level: object[] = [value];
	for (let depth = 1; level.length > 0; depth += 1) {
		if (depth > MAX_LEVELS) return false;
		level = level.flatMap((parent) => Object.values(parent).filter(isObject));
	}
	return true;
}

function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null;
}
