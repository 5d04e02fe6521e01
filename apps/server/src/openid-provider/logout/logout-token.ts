import type { GenericEndpointContext } from "@better-auth/core";
import type { AuthContext } from "better-auth";
import { generateRandomString } from "better-auth/crypto";
import { type JwtOptions, signJWT } from "better-auth/plugins";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** It is sent at once. */
const LIFETIME_SECONDS = 120;

type Ended = { issuer: string; clientId: string; userId: string; sessionId: string | null };

/**
 * Signs a logout token with the key of the current tenant, for one attempt to send it.
 *
 * @see https://openid.net/specs/openid-connect-backchannel-1_0.html#LogoutToken
 */
export function signLogoutToken(
	context: AuthContext,
	{ issuer, clientId, userId, sessionId }: Ended,
): Promise<string> {
	const iat = Math.floor(Date.now() / 1000);
	const options: JwtOptions | undefined = context.getPlugin("jwt")?.options;
	// The functions of the jwt plugin read nothing else of a call.
	const ctx = { context } as GenericEndpointContext;
	return signJWT(ctx, {
		options,
		header: { typ: "logout+jwt" },
		payload: {
			iss: issuer,
			aud: clientId,
			sub: userId,
			...(sessionId === null ? {} : { sid: sessionId }),
			iat,
			exp: iat + LIFETIME_SECONDS,
			jti: generateRandomString(32, "a-z", "A-Z", "0-9"),
			events: { [EVENT]: {} },
		},
	});
}
