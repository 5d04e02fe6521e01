import { isAPIError } from "better-auth/api";
import { StartError } from "../start-error";

/** Done; refused, failed, declined or something found; called in a wrong way. */
export type ExitCode = 0 | 1 | 2;

/** A command that cannot go on. The message is one sentence for the person who typed it. */
export class Failure extends Error {
	override name = "Failure";
	readonly code: string;
	readonly exitCode: ExitCode;

	constructor(message: string, { code = "FAILED", exitCode = 1 as ExitCode } = {}) {
		super(message);
		this.code = code;
		this.exitCode = exitCode;
	}
}

/** A command that was typed in a wrong way. */
export const wrongUsage = (message: string) => new Failure(message, { code: "USAGE", exitCode: 2 });

/** What an error is to somebody at a terminal. */
export function describeError(error: unknown): { code: string; message: string } {
	if (error instanceof Failure) return { code: error.code, message: error.message };
	if (error instanceof StartError) return { code: "SETTINGS", message: error.message };
	if (isAPIError(error)) {
		return { code: error.body?.code ?? String(error.status), message: error.message };
	}
	return { code: "FAILED", message: error instanceof Error ? error.message : String(error) };
}
