import type { AuthContext } from "@better-auth/core";
import { APIError, isAPIError } from "better-auth/api";
import { requireInstance } from "../../call/context/current-state";
import type { SavedOwnProvider } from "../../call/port/own-providers";
import { requireGrantable } from "../../management/access/acting-member";
import { findConfigRows } from "../../management/oauth-clients/find-configs";
import { isOwnProviderId } from "../../providers";
import { tenantError } from "../../tenant-error";
import { requireUsableProvider } from "./own-provider";

/** Each sign-in reads all configs of its tenant. */
const MAX_OWN_PROVIDERS = 20;

/** Checks the config of a tenant's own provider before it is saved. */
export async function checkConfig(ctx: AuthContext, config: SavedOwnProvider): Promise<void> {
	if (config.hasNewSettings) {
		await requireRoom(ctx, config);
		requireGrantableRoles(ctx, config);
	}
	await requireUsableProvider(config);
}

async function requireRoom(
	ctx: AuthContext,
	{ tenantId, providerId }: SavedOwnProvider,
): Promise<void> {
	const others = (await findConfigRows(ctx, tenantId)).filter(
		(row) => isOwnProviderId(row.providerId) && row.providerId !== providerId,
	);
	if (others.length >= MAX_OWN_PROVIDERS) throw tenantError("TOO_MANY_OWN_PROVIDERS");
}

/**
 * The provider gives the roles. So a caller can only map roles that they could give to a user themselves.
 */
function requireGrantableRoles(ctx: AuthContext, { settings: { roles } }: SavedOwnProvider): void {
	const { options } = requireInstance(ctx);
	for (const role of Object.values(roles ?? {})) {
		try {
			requireGrantable(options, String(role));
		} catch (error) {
			if (!isAPIError(error)) throw error;
			throw new APIError(error.status, {
				...error.body,
				message: `roles: ${role}: ${error.message}`,
			});
		}
	}
}
