import { describe, it } from "vitest";
import type { InstanceOptions } from "./instance";

/** Set TEST_FULL=1 to run every test in every variation. */
export const TEST_FULL = process.env.TEST_FULL === "1";

interface Tests {
	(title: string, test: () => unknown): void;
	each<Case extends readonly unknown[]>(
		cases: readonly Case[],
	): (title: string, test: (...values: Case) => unknown) => void;
	each<Case>(cases: readonly Case[]): (title: string, test: (value: Case) => unknown) => void;
}

/**
 * Describes the same behaviors in several variations, such as places where sessions are stored. Each
 * test runs in the first variation and in `others` more. These change from test to test, so that each
 * variation has about the same number of tests.
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
	{ others = 2 }: { others?: number } = {},
): void {
	variations.forEach(([name, variation], column) => {
		let tests = 0;
		const runsHere = () => isSelected(tests++, column, { others, of: variations.length - 1 });
		const each = (cases: readonly never[]) => it.each(cases.filter(runsHere));
		const add = (title: string, test: () => unknown) => {
			if (runsHere()) it(title, test);
		};
		describe(title.replace("%s", name), () => {
			define(variation, Object.assign(add, { each }) as Tests);
		});
	});
}

function isSelected(
	test: number,
	column: number,
	{ others, of }: { others: number; of: number },
): boolean {
	if (TEST_FULL || column === 0 || of <= others) return true;
	const first = (test * others) % of;
	return (column - 1 - first + of) % of < others;
}

type Choices = readonly (readonly [name: string, options: () => InstanceOptions])[];

/**
 * Combines choices of options, such as kinds of ids and orders of plugins. Each choice occurs at least
 * once. With TEST_FULL=1, each combination occurs.
 */
export function combine(first: Choices, second: Choices): [string, () => InstanceOptions][] {
	const longer = Math.max(first.length, second.length);
	const pairs = TEST_FULL
		? first.flatMap((one) => second.map((other) => [one, other] as const))
		: Array.from({ length: longer }, (_, n) => [at(first, n), at(second, n)] as const);
	return pairs.map(([[oneName, one], [otherName, other]]) => [
		`${oneName}, ${otherName}`,
		() => ({ ...one(), ...other() }),
	]);
}

function at<Item>(items: readonly Item[], index: number): Item {
	const item = items[index % items.length];
	if (item === undefined) throw new Error("There is nothing to combine");
	return item;
}
