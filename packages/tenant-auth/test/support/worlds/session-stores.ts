import { TEST_ALL } from "../../../../../testing/services";
import { makeMemoryStorage } from "../databases/memory-storage";
import type { InstanceOptions } from "./instance";

type SessionStore = () => Pick<InstanceOptions, "session" | "secondaryStorage" | "tenants">;

const cached =
	(strategy: "compact" | "jwt" | "jwe"): SessionStore =>
	() => ({ session: { cookieCache: { enabled: true, strategy, maxAge: 300 } } });

const usual: [string, SessionStore][] = [
	["in the database", () => ({})],
	["in the database and a compact cookie", cached("compact")],
	["in secondary storage only", () => ({ secondaryStorage: makeMemoryStorage() })],
];

const others: typeof usual = [
	["in the database and a JWT cookie", cached("jwt")],
	["in the database and an encrypted cookie", cached("jwe")],
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
	["in the database, by token and tenant", () => ({ tenants: { tenantInSessionTokens: true } })],
	[
		"in secondary storage, by token and tenant",
		() => ({
			secondaryStorage: makeMemoryStorage(),
			tenants: { tenantInSessionTokens: true },
		}),
	],
	["in the database, refreshed on request", () => ({ session: { deferSessionRefresh: true } })],
];

/** Where Better Auth can store sessions: the usual places, and in `npm run test:all` all of them. */
export const sessionStores = TEST_ALL ? [...usual, ...others] : usual;
