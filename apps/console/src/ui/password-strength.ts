/** What is wrong with a new password, or how good it is. The server decides whether it accepts it. */
export type PasswordStrength = "short" | "personal" | "repeated" | "common" | "fair" | "good";

// cspell:disable
/** In the list of the server, which has 49,000 of them. This page knows what most of them begin with. */
export const COMMON_WORDS = [
	...[
		"password",
		"passwort",
		"passw0rd",
		"welcome",
		"iloveyou",
		"princess",
		"sunshine",
		"football",
	],
	...["baseball", "superman", "dragon", "monkey", "letmein", "trustno1", "starwars", "computer"],
	...["michael", "jennifer", "jessica", "charlie", "shadow", "master", "whatever", "internet"],
	...["samsung", "liverpool", "chelsea", "pokemon", "freedom", "butterfly", "qwerty", "azerty"],
	...["admin", "administrator", "secret", "changeme", "default", "hello", "summer", "winter"],
];

/** Keys that are beside each other, and the alphabet. */
const ROWS = ["abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
// cspell:enable
const REVERSED = ROWS.map((row) => [...row].reverse().join(""));
const RUNS = [...ROWS, ...REVERSED];

const MIN_RUN = 4;
/** What is left without a name or a word has to be as long as a password. */
const MIN_REST = 8;
const GOOD_LENGTH = 12;
const MIN_PERSONAL = 3;

/**
 * How hard a password is to guess, as far as a page can say it without a list.
 *
 * @param personal texts that others know of the user: name, email
 */
export function strengthOf(
	password: string,
	minLength: number,
	personal: readonly string[],
): PasswordStrength {
	if (password.length < minLength) return "short";
	const word = password.toLowerCase();
	if (isRepeated(word)) return "repeated";
	const parts = personal.flatMap((text) => text.toLowerCase().split(/[\s@.,_+-]+/));
	const known = parts.filter((part) => part.length >= MIN_PERSONAL);
	if (restWithout(word, known) < MIN_REST) return "personal";
	if (restWithout(word, COMMON_WORDS, RUNS.flatMap(runsIn(word))) < MIN_REST) return "common";
	return password.length < GOOD_LENGTH ? "fair" : "good";
}

/** One text again and again, or very few different characters. */
const isRepeated = (word: string): boolean =>
	/^(.{1,4})\1+.{0,3}$/su.test(word) || new Set(word).size < MIN_RUN;

/** How much of a password is left without these texts. All of it if it has none of them. */
function restWithout(word: string, ...lists: readonly string[][]): number {
	const texts = lists.flat().sort((a, b) => b.length - a.length);
	const rest = texts.reduce((left, text) => left.replaceAll(text, ""), word);
	return rest === word ? Number.POSITIVE_INFINITY : rest.length;
}

/** The longest part of a row at each place of a password. */
const runsIn = (word: string) => (row: string) => {
	const runs: string[] = [];
	for (let start = 0; start < word.length; start++) {
		let end = start + 1;
		while (end < word.length && row.includes(word.slice(start, end + 1))) end++;
		if (end - start >= MIN_RUN) {
			runs.push(word.slice(start, end));
			start = end - 1;
		}
	}
	return runs;
};
