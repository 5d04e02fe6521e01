import { expect } from "vitest";
import type { Answer } from "../worlds/instance";

/** Expects an error with this status and code. */
export function expectRefusal(
	{ status, body }: Pick<Answer, "status" | "body">,
	expectedStatus: number,
	code: string,
): void {
	expect([status, body?.code], JSON.stringify(body)).toEqual([expectedStatus, code]);
}
