import * as z from "zod";
import { MAX_JSON_BYTES } from "../rules";

/** JSON that can be parsed but not serialized again would fail every response that contains it. */
const MAX_LEVELS = 1000;

/** A JSON object from the caller, small enough to store and return. */
export const jsonObject = (name: string) =>
	shallowObject(name).refine(
		(value) => jsonBytes(value) <= MAX_JSON_BYTES,
		`${name} has at most ${MAX_JSON_BYTES} bytes as JSON`,
	);

/** The same without a limit of its size. */
export const shallowObject = (name: string) =>
	z.record(z.string(), z.unknown()).refine(isShallow, `${name} has at most ${MAX_LEVELS} levels`);

export function jsonBytes(value: unknown): number {
	try {
		return new TextEncoder().encode(JSON.stringify(value)).length;
	} catch {
		// Nested too deeply for the engine.
		return Number.POSITIVE_INFINITY;
	}
}

/** Level by level: recursion would overflow the stack. */
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
