import { describe, it } from "vitest";
import { TEST_ALL } from "../../../../../testing/services";
import type { InstanceOptions } from "./instance";

interface Tests {
	(title: string, test: () => unknown): void;
	each<Case extends readonly unknown[]>(
		cases: readonly Case[],
	): (title: string, test: (...values: Case) => unknown) => void;
	each<Case>(cases: readonly Case[]): (title: string, test: (value: Case) => unknown) => void;
}

/**
 * Describes the same behaviors in several variations, such as places where sessions are stored. Each
 * test runs in the first variation and in one more, which changes from test to test. In
 * `npm run test:all`, each runs in every variation.
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
		const left: (() => void)[] = [];
		let seen = 0;
		const select = (run: () => void) => {
			const other = 1 + (seen++ % (variations.length - 1));
			if (TEST_ALL || column === 0 || column === other) run();
			else left.push(run);
		};
		const add = (title: string, test: () => unknown) => select(() => it(title, test));
		const each = (cases: readonly never[]) => (title: string, test: () => unknown) => {
			for (const value of cases) select(() => it.each([value])(title, test as () => void));
		};
		describe(title.replace("%s", name), () => {
			define(variation, Object.assign(add, { each }) as Tests);
			// With fewer tests than variations, one runs here all the same.
			if (left.length === seen) left[column % seen]?.();
		});
	});
}

/**
 * Some of the values, and all of them in `npm run test:all`. With the next turn come the next values, so
 * that each is used if there are enough turns.
 *
 * @example
 * endpoints.forEach((endpoint, turn) => someOf(HOSTILE_TEXTS, 3, turn).forEach(…));
 */
export function someOf<Value>(values: readonly Value[], count: number, turn: number): Value[] {
	if (TEST_ALL || values.length <= count) return [...values];
	return Array.from({ length: count }, (_, n) => at(values, turn * count + n));
}

type Choices = readonly (readonly [name: string, options: () => InstanceOptions])[];

/**
 * Combines choices of options, such as kinds of ids and orders of plugins. Each choice occurs at least
 * once. With `npm run test:all`, each combination occurs.
 */
export function combine(first: Choices, second: Choices): [string, () => InstanceOptions][] {
	const longer = Math.max(first.length, second.length);
	const pairs = TEST_ALL
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
