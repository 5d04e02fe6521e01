import { randomInt } from "node:crypto";

/** Without vowels, so that a code is no word, and without digits (RFC 8628, section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

export const newUserCode = (): string =>
	Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");

/** As people read and type it: `WDJB-MJHT`. */
export const shownUserCode = (code: string): string => code.replace(/^(.{4})(.{4})$/, "$1-$2");

const PATTERN = new RegExp(`^[${LETTERS}]{${LENGTH}}$`);

/** The code that somebody has typed, as it is stored; `null` if it cannot be one. */
export function readUserCode(typed: unknown): string | null {
	if (typeof typed !== "string") return null;
	const code = typed.replace(/[\s-]/g, "").toUpperCase();
	return PATTERN.test(code) ? code : null;
}
