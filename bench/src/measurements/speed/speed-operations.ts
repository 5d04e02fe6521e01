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
	inTenant("get-session", 2, VARIANT_NAMES),
	inTenant("get-session, tenant named", 1.8, VARIANT_NAMES),
	inTenant("sign-in", 1.25, VARIANT_NAMES),
	inTenant("sign-up", 1),
	inTenant("social start", 1.2),
	inTenant("callback", 1),
	{
		name: "auth.api.getSession",
		users: "tenant",
		goal: 1.5,
		// It goes through no handler.
		variants: ["plain", "ours", "floor"],
		calls:
			(_, { getSession }, { users }) =>
			async (n) => {
				const headers = new Headers(await sessionCookie(n % users));
				return async () => {
					if (!(await getSession(headers))) throw new Error("auth.api.getSession found no session");
				};
			},
	},
	onPlatform("get-session"),
	onPlatform("sign-in"),
	onPlatform("sign-up"),
	onPlatform("social start"),
];

export const OVER_HTTP = { name: "get-session over HTTP", goal: 1.8 };
