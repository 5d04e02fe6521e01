import { describe, it } from "vitest";

/** Set TEST_FULL=1 to run every test in every variation. */
const FULL = process.env.TEST_FULL === "1";

/** In how many variations a test runs besides the first one. */
const OTHERS = 2;

interface Tests {
	(title: string, test: () => unknown): void;
	each<Case extends readonly unknown[]>(
		cases: readonly Case[],
	): (title: string, test: (...values: Case) => unknown) => void;
	each<Case>(cases: readonly Case[]): (title: string, test: (value: Case) => unknown) => void;
}

/**
 * Describes the same behaviors in several variations, such as places where sessions are stored. Each
 * test runs in the first variation and in two of the others. Which two changes from test to test, so
 * every variation has about the same number of tests.
 *
 * @example
 * describeVariations("sessions %s", sessionStores, (store, it) => {
 * 	it("…", async () => { … });
 * });
 */
export function describeVariations<Variation>(
	title: string,
	variations: readonly (readonly [name: string, variation: Variation])[],
	define: (variation: Variation, it: Tests) => void,
): void {
	variations.forEach(([name, variation], column) => {
		let tests = 0;
		const runsHere = () => isSelected(tests++, column, variations.length - 1);
		const each = (cases: readonly never[]) => it.each(cases.filter(runsHere));
		const add = (title: string, test: () => unknown) => {
			if (runsHere()) it(title, test);
		};
		describe(title.replace("%s", name), () => {
			define(variation, Object.assign(add, { each }) as Tests);
		});
	});
}

function isSelected(test: number, column: number, others: number): boolean {
	if (FULL || column === 0 || others <= OTHERS) return true;
	const first = (test * OTHERS) % others;
	return Array.from({ length: OTHERS }, (_, n) => (first + n) % others).includes(column - 1);
}
