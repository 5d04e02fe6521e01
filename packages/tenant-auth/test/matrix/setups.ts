import type { InstanceOptions } from "../support/instance";
import { makeMemoryStorage } from "../support/memory-storage";
import { TEST_FULL } from "../support/variations";

type Setup = () => Pick<InstanceOptions, "secondaryStorage" | "session" | "verification">;

/**
 * Where sessions and verification values may be besides the database. A storage in memory stands for
 * Redis; `storage.redis.test.ts` runs the behaviors with the real one.
 */
export const otherSetups = {
	"with Redis alone": () => ({ secondaryStorage: makeMemoryStorage() }),
	"with Redis and the database": () => ({
		secondaryStorage: makeMemoryStorage(),
		session: { storeSessionInDatabase: true },
		verification: { storeInDatabase: true },
	}),
	"with the cookie cache": () => ({ session: { cookieCache: { enabled: true, maxAge: 300 } } }),
} satisfies Record<string, Setup>;

export type SetupName = keyof typeof otherSetups;

export const setupNames = Object.keys(otherSetups) as SetupName[];

/** The options of an app in another set-up. */
export function inSetup(options: InstanceOptions, setup: Setup = () => ({})): InstanceOptions {
	const { session, verification, ...rest } = setup();
	return {
		...options,
		...rest,
		...(session ? { session: { ...options.session, ...session } } : {}),
		...(verification ? { verification: { ...options.verification, ...verification } } : {}),
	};
}

export type { Setup as StoreSetup };

const TELLING = ["with its own session", "with A's session and its own name"];

/**
 * The database is attacked in all ways. In the other set-ups each attempt is made in one way, which
 * changes from attempt to attempt, and in all ways with TEST_FULL=1.
 */
export function waysInOtherSetups<Way extends string>(ways: readonly Way[], index: number): Way[] {
	if (TEST_FULL) return [...ways];
	const telling = ways.filter((way) => TELLING.includes(way));
	const from = telling.length > 0 ? telling : ways;
	const way = from[index % from.length];
	return way === undefined ? [] : [way];
}
