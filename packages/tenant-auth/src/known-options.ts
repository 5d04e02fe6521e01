import { BetterAuthError } from "@better-auth/core/error";

/**
 * In JavaScript, or in an object that is spread, nothing else finds a misspelled name.
 *
 * @param creator the function that got the options
 * @param known a new option does not compile before it is named here
 */
export function requireKnownOptions<Options extends object>(
	creator: string,
	options: Options,
	known: Record<keyof Options, true>,
): void {
	const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
	if (unknown === undefined) return;
	throw new BetterAuthError(
		`${creator}: there is no option ${unknown}. The options are ${Object.keys(known).join(", ")}`,
	);
}
