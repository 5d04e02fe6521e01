import { expect, test } from "vitest";
import { visitsOf } from "../load/load";
import { findGrowth } from "../load/memory";
import type { Member } from "../load/operation";
import { operations } from "../load/operations";

test("memory that grows during the last two thirds is found, and a warm-up is not", () => {
	const run = (heapAt: (second: number) => number, rssMB = 200) =>
		Array.from({ length: 30 }, (_, n) => ({ second: n * 20, heapMB: heapAt(n * 20), rssMB }));
	const warmUp = (second: number) => (second < 200 ? 40 + second / 10 : 60);
	expect(findGrowth(run(warmUp), 600)).toEqual([]);
	const leak = (second: number) => 40 + second / 10;
	expect(findGrowth(run(leak), 600)).toEqual([expect.stringMatching(/^the heap grew from 7/)]);
	expect(findGrowth(run(leak), 10)).toBeNull();
});

test("before memory is watched, each tenant gets each kind of request", () => {
	const members = ["acme", "globex", "other"].map((slug) => ({ slug }) as Member);
	const end = new AbortController();
	const visits = [...visitsOf(members, end.signal)].map(({ name, member, other }) => {
		expect(other).not.toBe(member);
		return `${name} in ${member.slug}`;
	});
	// Users are created with a sign-up.
	const names = Object.keys(operations).filter((name) => name !== "sign-in");
	const expected = names.flatMap((name) => members.map(({ slug }) => `${name} in ${slug}`));
	expect(visits.toSorted()).toEqual(expected.toSorted());
	end.abort();
	expect([...visitsOf(members, end.signal)]).toEqual([]);
});
