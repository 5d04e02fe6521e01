import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import {
	DEVICE_CODE_GRANT_TYPE,
	type OAuthProviderExtension,
	oauthDeviceAuthorization,
} from "@better-auth/oauth-provider";
import type { AuthContext } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { fromApprovingSession, rememberSession } from "./approving-session";
import { newUserCode, readUserCode } from "./user-code";

/** Where a device asks for a code. */
export const DEVICE_CODE_PATH = "/device/code";

const MAX_SCOPE_LENGTH = 2000;

/** What the page calls on which users allow a device. */
const REVIEW = /^\/device(\/(approve|deny))?$/;

/** Sign-in on devices without a browser (RFC 8628): the plugin, and what makes it fit the service. */
export function deviceFlow() {
	const device = oauthDeviceAuthorization({
		expiresIn: "10m",
		interval: "5s",
		generateUserCode: newUserCode,
	});
	return [device, rules] satisfies BetterAuthPlugin[];
}

/** After the plugin has registered its grant. */
function bindToSessions(ctx: AuthContext): void {
	const provider = ctx.options.plugins?.find(({ id }) => id === "oauth-provider");
	const { extensions = [] }: { extensions?: OAuthProviderExtension[] } = provider?.options ?? {};
	for (const { grants } of extensions) {
		const exchange = grants?.[DEVICE_CODE_GRANT_TYPE];
		if (!exchange) continue;
		grants[DEVICE_CODE_GRANT_TYPE] = fromApprovingSession(exchange);
		return;
	}
	// Its tokens would outlive the session of the user.
	throw new BetterAuthError("The grant of the device flow is not registered");
}

const rules = {
	id: "tenant-auth-device-flow",
	init: bindToSessions,
	schema: {
		deviceCode: { fields: { sessionId: { type: "string", required: false, input: false } } },
	},
	hooks: {
		before: [
			{
				matcher: ({ path }) => path === DEVICE_CODE_PATH,
				handler: createAuthMiddleware(async ({ body }) => requireUsableRequest(body ?? {})),
			},
			{
				matcher: ({ path }) => REVIEW.test(path ?? ""),
				handler: createAuthMiddleware(review),
			},
		],
	},
} satisfies BetterAuthPlugin;

function requireUsableRequest({ scope, user_id: userId }: Record<string, unknown>): void {
	// RFC 6749, section 3.3: without a default, a request without a scope fails.
	if (typeof scope !== "string" || !scope.trim() || scope.length > MAX_SCOPE_LENGTH) {
		throw refused("invalid_scope", "scope is required");
	}
	// The plugin would let the device choose who may allow it.
	if (userId) throw refused("invalid_request", "user_id is not a parameter");
}

/**
 * Only a signed-in user can look at a code, so that guesses are counted for an account. The plugin says to
 * everybody whether a code exists.
 */
async function review(ctx: GenericEndpointContext): Promise<void> {
	const session = await getSessionFromCtx(ctx);
	if (!session) {
		throw new APIError("UNAUTHORIZED", { code: "UNAUTHORIZED", message: "Unauthorized" });
	}
	const isLook = ctx.path === "/device";
	const userCode = readUserCode(isLook ? ctx.query?.user_code : ctx.body?.userCode);
	if (!userCode) throw refused("invalid_request", "Invalid user code");
	if (isLook) ctx.query.user_code = userCode;
	else ctx.body.userCode = userCode;
	if (ctx.path === "/device/approve") {
		await rememberSession(ctx, { userCode, session: session.session });
	}
}

const refused = (error: string, description: string) =>
	new APIError("BAD_REQUEST", { error, error_description: description });
