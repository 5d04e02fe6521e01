/**
 * Who is in a seeded database. Everything follows from a number, so that a measurement knows the
 * ids, addresses and session tokens without reading them.
 */

export interface Population {
	tenants: number;
	users: number;
}

export const PASSWORD = "correct horse battery";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const PAIRS = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second));

/** As Better Auth's own ids: 32 letters and digits with no order among them. */
function idOf(kind: number, n: number): string {
	let state = Math.imul(kind + 1, 0x9e3779b9) ^ Math.imul(n + 1, 0x85ebca6b);
	let id = "";
	for (let four = 0; four < 8; four += 1) {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		mixed = (mixed ^ (mixed >>> 14)) >>> 0;
		id += `${PAIRS[mixed % PAIRS.length]}${PAIRS[Math.floor(mixed / PAIRS.length) % PAIRS.length]}`;
	}
	return id;
}

export const tenantId = (tenant: number) => idOf(1, tenant);
export const configId = (tenant: number) => idOf(2, tenant);
export const userId = (user: number) => idOf(3, user);
export const accountId = (user: number) => idOf(4, user);
export const sessionId = (user: number) => idOf(5, user);
export const sessionToken = (user: number) => idOf(6, user);
export const verificationId = (n: number) => idOf(7, n);
export const verificationToken = (n: number) => idOf(8, n);

export const slugOf = (tenant: number) => `tenant-${tenant}`;
export const clientIdOf = (tenant: number) => `client-of-tenant-${tenant}`;

export const tenantOf = (user: number, { tenants }: Population) => user % tenants;

/** The same addresses in each tenant: the hardest case for whatever looks one up. */
export const emailOf = (user: number, { tenants }: Population) =>
	`person-${Math.floor(user / tenants)}@example.com`;
