/*
 * Dates and numbers in the language and region of the reader's browser. Times are in the browser's time
 * zone.
 */
const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const DAY = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });
const COUNT = new Intl.NumberFormat(undefined);

/** `Nov 15, 2026, 7:04 AM` in the United States. */
export const formatTime = (timestamp: string): string => TIME.format(new Date(timestamp));

export const formatDate = (timestamp: string): string => DATE.format(new Date(timestamp));

/** `2026-11-15` becomes `Nov 15`. It is a day in UTC. */
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

const CHANGE = new Intl.NumberFormat(undefined, {
	style: "percent",
	maximumFractionDigits: 0,
	signDisplay: "exceptZero",
});

/** `0.125` becomes `+13%` in the United States. */
export const formatChange = (change: number): string => CHANGE.format(change);

/** `100,000` in the United States. */
export const formatCount = (count: number): string => COUNT.format(count);

/** `1.2 MB` in the United States. */
export function formatBytes(bytes: number): string {
	const [unit, size] =
		bytes < 1_000_000 ? (["kilobyte", 1000] as const) : (["megabyte", 1_000_000] as const);
	return new Intl.NumberFormat(undefined, {
		style: "unit",
		unit,
		maximumFractionDigits: 1,
	}).format(bytes / size);
}

/** `40 ms`, and `1.2 sec` from a second on, in the United States. */
export function formatMilliseconds(milliseconds: number): string {
	const [unit, value] =
		milliseconds < 1000
			? (["millisecond", Math.round(milliseconds)] as const)
			: (["second", milliseconds / 1000] as const);
	return new Intl.NumberFormat(undefined, { style: "unit", unit, maximumFractionDigits: 1 }).format(
		value,
	);
}

const UNITS = [
	["day", 24 * 60 * 60],
	["hour", 60 * 60],
	["minute", 60],
] as const;

/** The largest unit of which there is one: `3 days`, `2 hours`, `5 seconds`. */
export function formatDuration(seconds: number): string {
	const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? (["second", 1] as const);
	return new Intl.NumberFormat(undefined, { style: "unit", unit, unitDisplay: "long" }).format(
		Math.floor(seconds / size),
	);
}
