/** A median with the half of all values that is around it. */
export interface Spread {
	median: number;
	q1: number;
	q3: number;
}

export function spreadOf(values: number[]): Spread {
	return { median: quantile(values, 0.5), q1: quantile(values, 0.25), q3: quantile(values, 0.75) };
}

/** `part` 0.2 is the 20th percentile. */
export function quantile(values: number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	const at = (sorted.length - 1) * part;
	const [below = Number.NaN, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
	return below + (above - below) * (at - Math.floor(at));
}

/** How `b` compares with `a`, round by round. */
export function ratioSpread(a: number[], b: number[]): Spread {
	return spreadOf(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}
