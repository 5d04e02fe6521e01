import { PROVIDER_PROBLEMS, type ProviderProblemCode } from "../../rules";
import { defineCallState } from "./current-state";

/** A response of an identity provider that cannot be used. */
export class InvalidResponse extends Error {
	override name = "InvalidResponse";
	readonly code: ProviderProblemCode;

	constructor(code: ProviderProblemCode, cause?: unknown) {
		super(PROVIDER_PROBLEMS[code], { cause });
		this.code = code;
	}
}

const noted = defineCallState<{ code: ProviderProblemCode | null }>(() => ({ code: null }));

/** Keeps the problem for the sign-in log and for management. Better Auth does not pass it on. */
export function noteProviderProblem(error: unknown): InvalidResponse {
	const isKnown = error instanceof InvalidResponse;
	const problem = isKnown ? error : new InvalidResponse("user_info_unavailable", error);
	const current = noted.find();
	if (current) current.code = problem.code;
	return problem;
}

/** Codes that Better Auth returns, whatever was wrong. */
const HIDING = new Set(["unable_to_get_user_info", "INVALID_TOKEN"]);

/** The reason behind a code of Better Auth. Other codes say it themselves. */
export function findProviderProblem(code: string): ProviderProblemCode | null {
	return HIDING.has(code) ? (noted.find()?.code ?? null) : null;
}
