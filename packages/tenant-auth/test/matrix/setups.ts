import { TEST_ALL } from "../../../../testing/services";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import type { InstanceOptions } from "../support/worlds/instance";

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

/** `undefined` is the database alone. The others run in `npm run test:all`. */
export const setups = [undefined, ...(TEST_ALL ? (Object.keys(otherSetups) as SetupName[]) : [])];

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
