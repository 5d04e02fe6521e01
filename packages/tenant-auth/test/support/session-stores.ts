import type { InstanceOptions } from "./instance";
import { makeMemoryStorage } from "./memory-storage";

type SessionStore = () => Pick<InstanceOptions, "session" | "secondaryStorage">;

const cached =
	(strategy: "compact" | "jwt" | "jwe"): SessionStore =>
	() => ({ session: { cookieCache: { enabled: true, strategy, maxAge: 300 } } });

/** Where Better Auth can store sessions. */
export const sessionStores: [string, SessionStore][] = [
	["in the database", () => ({})],
	["in the database and a compact cookie", cached("compact")],
	["in the database and a JWT cookie", cached("jwt")],
	["in the database and an encrypted cookie", cached("jwe")],
	["in secondary storage only", () => ({ secondaryStorage: makeMemoryStorage() })],
	[
		"in secondary storage and the database",
		() => ({
			secondaryStorage: makeMemoryStorage(),
			session: { storeSessionInDatabase: true },
		}),
	],
	[
		"in secondary storage and a compact cookie",
		() => ({
			secondaryStorage: makeMemoryStorage(),
			session: { cookieCache: { enabled: true, maxAge: 300 } },
		}),
	],
	["in the database, refreshed on request", () => ({ session: { deferSessionRefresh: true } })],
];
