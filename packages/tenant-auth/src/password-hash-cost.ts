/** The most that one verification of an imported hash may cost. All of these take about a second. */
export const MAX_COST = {
	/** Auth0 uses 10, other services up to 12. Each step doubles the work. */
	bcryptCost: 15,
	/** Keycloak's default for Argon2 is 7 MiB, libsodium's moderate one 256 MiB. */
	memoryBytes: 256 * 1024 * 1024,
	/** Memory times iterations (Argon2) or parallelism (scrypt). */
	memoryPasses: 1024 * 1024 * 1024,
	parallelism: 16,
	/** Keycloak's highest default for PBKDF2 is 1,300,000, for SHA-1. */
	iterations: 2_000_000,
	/** PBKDF2 does its iterations again for each part of a longer key. */
	keyCharacters: 128,
};

/** A form of hashes that contains its own cost, and whether that is too high. */
type Form = readonly [form: RegExp, isTooHigh: (parts: Record<string, string>) => boolean];

/** A parameter that is missing or not a number is treated as too high: its effect is unknown. */
const numberOf = (text: string | undefined) =>
	text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;

/** What cannot be compared is too high as well. */
const isMemoryTooHigh = (bytes: number, passes: number, parallelism: number) =>
	!(
		bytes <= MAX_COST.memoryBytes &&
		bytes * passes <= MAX_COST.memoryPasses &&
		parallelism <= MAX_COST.parallelism
	);

const isScryptTooHigh = (n: number, r: number, p: number) => isMemoryTooHigh(128 * n * r, p, p);

const isPbkdf2TooHigh = (iterations: number, key = "") =>
	iterations > MAX_COST.iterations || key.length > MAX_COST.keyCharacters;

/** The parameters of a PHC string, such as `m=65536,t=3,p=4`. */
function parametersOf(text = ""): (name: string) => number {
	const pairs = text.split(",").map((pair) => pair.split("="));
	return (name) => {
		const values = pairs.filter(([key]) => key === name).map(([, value]) => numberOf(value));
		// The library may read the first one of two, or the last one.
		return values.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...values);
	};
}

/** PHP's phpass writes the binary logarithm of its rounds as one of these. */
const PHPASS_DIGITS = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** They are looked for anywhere in the hash: Django, for example, writes the name of the hasher before it. */
const FORMS: readonly Form[] = [
	[/\$2[a-z]?\$(?<cost>[^$]*)/, ({ cost }) => numberOf(cost) > MAX_COST.bcryptCost],
	[
		/\$argon2[a-z]*\$(?:v=[^$]*\$)?(?<parameters>[^$]*)/,
		({ parameters }) => {
			const of = parametersOf(parameters);
			return isMemoryTooHigh(1024 * of("m"), of("t"), of("p"));
		},
	],
	[
		/\$scrypt\$(?<parameters>[^$]*)/,
		({ parameters }) => {
			const of = parametersOf(parameters);
			return isScryptTooHigh(2 ** of("ln"), of("r"), of("p"));
		},
	],
	[
		// Werkzeug
		/^scrypt:(?<n>[^:$]*):(?<r>[^:$]*):(?<p>[^:$]*)/,
		({ n, r, p }) => isScryptTooHigh(numberOf(n), numberOf(r), numberOf(p)),
	],
	[
		// Django
		/^scrypt\$(?<n>[^$]*)\$[^$]*\$(?<r>[^$]*)\$(?<p>[^$]*)/,
		({ n, r, p }) => isScryptTooHigh(numberOf(n), numberOf(r), numberOf(p)),
	],
	[
		// Firebase's scrypt with its parameters, as Clerk stores it: hash, salt, key, separator, rounds, memory
		/^(?:[^$]*\$){4}(?<r>\d+)\$(?<memCost>\d+)$/,
		({ r, memCost }) => isScryptTooHigh(2 ** numberOf(memCost), numberOf(r), 1),
	],
	[
		// PBKDF2 of Django, Clerk, Werkzeug and passlib
		/^\$?pbkdf2[^$:]*(?:[:$]sha\d+)?[:$](?<cost>[^$]*)\$(?:.*\$)?(?<key>[^$]*)$/is,
		({ cost = "", key }) =>
			isPbkdf2TooHigh(cost.includes("=") ? parametersOf(cost)("i") : numberOf(cost), key),
	],
	[
		// PBKDF2 of Keycloak
		/^sha\d+\$(?<iterations>\d+)\$[^$]*\$(?<key>.*)$/is,
		({ iterations, key }) => isPbkdf2TooHigh(numberOf(iterations), key),
	],
	[
		// SHA-crypt
		/\$[56]\$rounds=(?<rounds>[^$]*)/,
		({ rounds }) => numberOf(rounds) > MAX_COST.iterations,
	],
	[
		// phpass, Drupal
		/\$[PHS]\$(?<rounds>.)/,
		({ rounds = "" }) => 2 ** PHPASS_DIGITS.indexOf(rounds) > MAX_COST.iterations,
	],
];

/**
 * Whether a hash says that its verification costs too much time or memory. The importer chooses that
 * number, and each sign-in pays for it.
 *
 * A form that is not listed here passes: only the function that verifies it can read it.
 */
export const costsTooMuch = (hash: string): boolean =>
	FORMS.some(([form, isTooHigh]) => {
		const { groups } = form.exec(hash) ?? {};
		return groups !== undefined && isTooHigh(groups);
	});
