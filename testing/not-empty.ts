import { expect } from "vitest";

/** The items of a list. Those of a response, which tests read as `any`, are `any` too. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type ItemOf<List> = 0 extends 1 & List ? any : List extends Iterable<infer Item> ? Item : never;

/**
 * For loops that assert something about each item: an empty list would prove nothing.
 * `scripts/loops-of-tests.test.ts` requires it.
 *
 * @example
 * for (const session of notEmpty(sessions)) expect(session.tenantId).toBe(tenantId);
 */
export function notEmpty<List extends Iterable<unknown>>(items: List): ItemOf<List>[] {
	const list = [...items] as ItemOf<List>[];
	expect(list.length, "the number of items that a test asserts something about").not.toBe(0);
	return list;
}

/** Where an empty list is fine, because the test asserts something else too. */
export const possiblyEmpty = <List extends Iterable<unknown>>(items: List): List => items;
