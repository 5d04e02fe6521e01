import type { Setting } from "../../host/host";
import type { Population } from "../../seeding/identities";
import { type CallMaker, callOf } from "../../setup/contestants";
import {
	get,
	plainOperations,
	type SharedOperation,
	sessionCookie,
	tenantOperations,
} from "../../setup/operations";
import { type OpenVariant, VARIANT_NAMES, VARIANTS, type VariantName } from "./variants";

export interface SpeedOperation {
	name: string;
	/** Whose users call it. */
	users: "tenant" | "platform";
	/** How many times as fast as plain Better Auth it should be. */
	goal?: number;
	/** What it is measured in. */
	variants: VariantName[];
	/** What else the app has. */
	setting?: Setting;
	calls(variant: VariantName, open: OpenVariant, population: Population): CallMaker;
}

/** The floor does only some operations. */
const WITHOUT_FLOOR = VARIANT_NAMES.filter((name) => name !== "floor");

const inTenant = (
	name: SharedOperation,
	goal: number,
	variants: VariantName[] = WITHOUT_FLOOR,
): SpeedOperation => ({
	name,
	users: "tenant",
	goal,
	variants,
	calls: (variant, open, population) => {
		const isPlain = VARIANTS[variant].subject === "plain";
		const operations = isPlain ? plainOperations : tenantOperations;
		return callOf(open, operations(open, population)[name]);
	},
});

/** As most apps run: with rate limits and plugins. */
const inSetting = (setting: Setting, operation: SharedOperation, goal: number): SpeedOperation => ({
	...inTenant(operation, goal),
	name: `${setting}: ${operation}`,
	setting,
});

const onPlatform = (name: SharedOperation): SpeedOperation => ({
	name: `platform: ${name}`,
	users: "platform",
	goal: 1.1,
	variants: WITHOUT_FLOOR,
	calls: (_, open, population) => callOf(open, plainOperations(open, population)[name]),
});

export const SPEED_OPERATIONS: SpeedOperation[] = [
	{
		name: "nothing (/ok)",
		users: "tenant",
		variants: VARIANT_NAMES,
		calls: (_, open) => callOf(open, () => get("/ok")),
	},
	inTenant("get-session", 4, VARIANT_NAMES),
	inTenant("get-session, tenant named", 4, VARIANT_NAMES),
	inTenant("sign-in", 1.25, VARIANT_NAMES),
	inTenant("sign-up", 1),
	inTenant("social start", 1.2),
	inTenant("callback", 1),
	{
		name: "auth.api.getSession",
		users: "tenant",
		goal: 1.5,
		// It goes through no handler.
		variants: ["plain", "ours"],
		calls: (_, { getSession }, { users }) => reading(getSession, users),
	},
	{
		name: "getSession(auth, headers)",
		users: "tenant",
		goal: 4,
		variants: ["plain", "plain, our handler", "ours", "floor"],
		calls: (_, { readSession }, { users }) => reading(readSession, users),
	},
	inSetting("limits", "get-session", 3),
	inSetting("limits", "sign-in", 1),
	inSetting("limits", "social start", 1),
	inSetting("limits, 8 plugins", "get-session", 3),
	inSetting("limits, 8 plugins", "get-session, tenant named", 3),
	inSetting("limits, 8 plugins", "sign-in", 1),
	inSetting("limits, 8 plugins", "social start", 1),
	inSetting("limits, 8 plugins, JWT", "get-session", 1),
	onPlatform("get-session"),
	onPlatform("sign-in"),
	onPlatform("sign-up"),
	onPlatform("social start"),
];

/** Calls a function of server code that finds the session of some headers. */
function reading(find: (headers: Headers) => Promise<unknown>, users: number): CallMaker {
	return async (n) => {
		const headers = new Headers(await sessionCookie(n % users));
		return async () => {
			if (!(await find(headers))) throw new Error("There is no session");
		};
	};
}

export const OVER_HTTP = { name: "get-session over HTTP", goal: 2.8 };
