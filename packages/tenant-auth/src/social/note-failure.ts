import type { GenericEndpointContext } from "@better-auth/core";
import { isAPIError } from "better-auth/api";
import { noteFailure } from "../oauth-configs/config-store";
import { currentScope } from "../scope/current-scope";
import { ACROSS, PLATFORM_ID } from "../scope/scope";

/** A code, and no text of the provider's: whoever calls the callback can write that. */
const CODE = /^[\w-]{1,64}$/;

/** The user's own decision says nothing of the config. */
const NO_FAILURE = new Set(["access_denied"]);

/** Keeps for those who manage why a sign-in with the tenant's client came to nothing. */
export async function noteFailedFlow(
	ctx: GenericEndpointContext,
	providerId: string,
	error: unknown,
): Promise<void> {
	const code = isAPIError(error) ? errorIn(error.headers) : "internal_server_error";
	if (!code || NO_FAILURE.has(code)) return;
	const scope = await currentScope();
	if (scope === ACROSS || scope.tenantId === PLATFORM_ID) return;
	await noteFailure(ctx.context, scope.tenantId, providerId, code).catch((cause: unknown) =>
		ctx.context.logger.error("The failure of a sign-in could not be written down", cause),
	);
}

/** Core fails, as it succeeds, by a redirect. */
function errorIn(headers: ConstructorParameters<typeof Headers>[0]): string | null {
	const location = new Headers(headers).get("location");
	if (!location) return null;
	const code = new URL(location, "http://relative").searchParams.get("error");
	return code && CODE.test(code) ? code : null;
}
