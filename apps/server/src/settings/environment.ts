import { StartError } from "../start-error";

export type Environment = Record<string, string | undefined>;

/** A variable's value, or `null` for one that is missing or empty, as container tools write it. */
export type Read = (name: string) => string | null;

export function reading(environment: Environment): Read {
	return (name) => environment[name]?.trim() || null;
}

/** The parts of a comma separated list, none of which may be empty. */
export function splitList(value: string | null): string[] {
	return value?.split(",").map((part) => part.trim()) ?? [];
}

export function readFlag(read: Read, name: string): boolean {
	switch (read(name)?.toLowerCase()) {
		case undefined:
		case "false":
		case "0":
		case "no":
			return false;
		case "true":
		case "1":
		case "yes":
			return true;
		default:
			throw new StartError(`${name} must be true or false.`);
	}
}

export function readNumber(
	read: Read,
	name: string,
	{ least, most, fallback }: { least: number; most: number; fallback: number },
): number {
	const value = read(name);
	if (value === null) return fallback;
	const number = Number(value);
	if (/^\d+$/.test(value) && number >= least && number <= most) return number;
	throw new StartError(`${name} must be a number from ${least} to ${most}, but it is "${value}".`);
}

/** Whether it is an address with one of these schemes and a host. */
export function parseUrl(value: string, ...schemes: string[]): URL | null {
	const url = URL.canParse(value) ? new URL(value) : null;
	return url && schemes.includes(url.protocol) && url.hostname !== "" ? url : null;
}
