import type { AuthContext } from "@better-auth/core";
import { initGetDefaultModelName } from "@better-auth/core/db/adapter";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { holdTenant } from "../tenants/tenant-store";
import { isUniqueViolation } from "../unique-violation";
import { PLATFORM_ID } from "./scope";
import { scopeAdapter } from "./scoped-adapter";
import { scopeSessions } from "./scoped-sessions";

type InternalAdapter = AuthContext["internalAdapter"];

/**
 * Puts the scope under core: its adapter and its sessions keep to it from now on. `refine` may
 * change the internal adapter further.
 */
export function installScope(
	ctx: AuthContext,
	refine: (adapter: InternalAdapter) => InternalAdapter,
): void {
	scopeAdapter(ctx.adapter, {
		modelKey: initGetDefaultModelName({
			usePlural: ctx.adapter.options?.adapterConfig.usePlural,
			schema: ctx.tables,
		}),
		holdTenant: async (database, { tenantId }) => {
			if (tenantId !== PLATFORM_ID) await holdTenant(database, tenantId);
		},
		explainFailure: (model, error) =>
			model === "user" && isUniqueViolation(error) ? addressTaken(ctx) : error,
	});
	replaceInternalAdapter(ctx, (made) => refine(scopeSessions(made)));
}

/**
 * Two sign-ups of one address may race: the loser hears what a late caller would. Where core hides
 * that an address is taken, it does so for a refused creation with this status.
 */
function addressTaken({ options }: AuthContext): APIError {
	const { requireEmailVerification, autoSignIn } = options.emailAndPassword ?? {};
	const isHidden = requireEmailVerification || autoSignIn === false;
	return APIError.from(
		isHidden ? "FORBIDDEN" : "UNPROCESSABLE_ENTITY",
		BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL,
	);
}

/** Core makes the internal adapter anew after every plugin's `init`: whichever is set is changed. */
function replaceInternalAdapter(
	ctx: AuthContext,
	change: (made: InternalAdapter) => InternalAdapter,
): void {
	let current = change(ctx.internalAdapter);
	Object.defineProperty(ctx, "internalAdapter", {
		configurable: true,
		enumerable: true,
		get: () => current,
		set: (made: InternalAdapter) => {
			current = change(made);
		},
	});
}
