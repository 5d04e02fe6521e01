import { wrongUsage } from "./failure";

/** A JSON object that was typed. */
export function parseObject(value: string): Record<string, unknown> {
	try {
		const parsed: unknown = JSON.parse(value);
		if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
			return parsed as Record<string, unknown>;
		}
	} catch {
		// The sentence below is for both.
	}
	throw wrongUsage("What is given as JSON must be an object.");
}
