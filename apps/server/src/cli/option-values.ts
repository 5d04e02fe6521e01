import { wrongUsage } from "./output";

/** Does not print a wrong value: it may contain a secret by mistake. */
export function parseJsonObject(value: string): Record<string, unknown> {
	const parsed = parseJson(value);
	if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) {
		return { ...parsed };
	}
	throw wrongUsage("The value of --metadata or --options must be a JSON object.");
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export function parseInteger(value: string): number {
	if (/^\d{1,9}$/.test(value)) return Number(value);
	throw wrongUsage(`${JSON.stringify(value)} is not a number.`);
}

export const daysUpTo =
	(max: number) =>
	(text: string): number => {
		const days = Number(text);
		if (/^\d{1,4}$/.test(text) && days > 0 && days <= max) return days;
		throw wrongUsage(`${JSON.stringify(text)} is not a number of days up to ${max}.`);
	};

/** Only with a time zone: the server, and the person at the terminal, may have different ones. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** A time that has passed. */
export function parseTime(value: string): Date {
	if (value === "now") return new Date();
	const time = TIME.test(value) ? new Date(value) : null;
	if (!time || Number.isNaN(time.getTime())) {
		throw wrongUsage(`${JSON.stringify(value)} is not a time such as 2026-11-17T12:00:00Z.`);
	}
	if (time > new Date()) throw wrongUsage(`${value} is in the future.`);
	return time;
}

/** For an option that may be repeated. */
export const collect = (value: string, others: string[] = []): string[] => [...others, value];

export const splitList = (value: string): string[] => value.split(",").map((item) => item.trim());
