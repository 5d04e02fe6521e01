import { defineTenantPlugin } from "../../call/port/tenant-plugin";
import { deleteOldest } from "../../database/delete-oldest";
import { requireKnownOptions } from "../../known-options";
import { requireCount } from "../../options";
import { listTenantSignIns } from "./endpoints";
import { signInRecorder } from "./recorder";
import { signInLogSchema, type TenantSignInsSchemaNames } from "./schema";
import { forgetUser, SIGN_IN_MODEL } from "./sign-in-log";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-sign-ins": { creator: typeof tenantSignIns };
	}
}

export interface TenantSignInsOptions {
	/**
	 * How long a sign-in is kept. `cleanUp()` deletes older ones.
	 *
	 * @default 90
	 */
	retentionDays?: number;
	/** Other names for the table and its columns. */
	schema?: TenantSignInsSchemaNames;
}

const SIGN_IN_ACTIONS = { "sign-in:list": "owner" } as const;

/** What callers may do with the sign-in log. */
export type SignInAction = keyof typeof SIGN_IN_ACTIONS;

/**
 * The sign-in log: who signed in to a tenant, who could not, and why. `GET /tenant/sign-in/list` lists it.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: [tenantAuth(), tenantSignIns()] });
 * ```
 */
export const tenantSignIns = (options: TenantSignInsOptions = {}) => {
	requireKnownOptions("tenantSignIns", options, { retentionDays: true, schema: true });
	const { retentionDays = 90, schema } = options;
	requireCount("retentionDays", retentionDays, "tenantSignIns");
	return defineTenantPlugin({
		id: "tenant-auth-sign-ins",
		schema: signInLogSchema(schema),
		endpoints: { listTenantSignIns },
		tenant: {
			requires: ["tenant-auth"],
			creator: "tenantSignIns",
			actions: SIGN_IN_ACTIONS,
			tables: { tenantSignIn: "explicit" },
			signIns: signInRecorder(retentionDays),
			forgetUser,
			cleanUp: {
				signIns: (ctx, signal) =>
					deleteOldest(ctx, SIGN_IN_MODEL, "expiresAt", new Date(), { signal }),
			},
		},
	});
};
