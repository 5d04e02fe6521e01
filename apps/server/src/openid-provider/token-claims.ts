import type { OAuthProviderExtension, oauthProvider } from "@better-auth/oauth-provider";
import { getCurrentTenant, tenantClaims } from "better-auth-tenant";
import { type ClientRow, claimsOf, hasClaimsInIdToken } from "./applications/application";
import { ownClaims } from "./own-claims";

type Options = Parameters<typeof oauthProvider>[0];
type IdTokenInfo = Parameters<NonNullable<Options["customIdTokenClaims"]>>[0];

type Token = {
	user?: object | null;
	scopes: readonly string[];
	client?: Pick<ClientRow, "metadata">;
};

/** What a tenant says, and last: no claim of an application replaces it. */
async function claimsOfTenant({ user, scopes, client }: Token): Promise<Record<string, unknown>> {
	const tenant = await getCurrentTenant();
	const own = tenant && client ? ownClaims(claimsOf(client), { tenant, user }) : {};
	return { ...own, ...(await tenantClaims({ user, scopes })) };
}

/** Adds claims to all tokens. The plugin lets it replace none of its own. */
export const tokenClaims: OAuthProviderExtension = {
	claims: { idToken: claimsOfTenant, accessToken: claimsOfTenant, userInfo: claimsOfTenant },
};

/**
 * The claims of the scopes `profile` and `email`, as the user info has them. The plugin has them there only.
 * Some programs read nothing but the ID token.
 */
export function userClaimsInIdToken({
	user,
	scopes,
	metadata,
}: IdTokenInfo): Record<string, unknown> {
	if (!hasClaimsInIdToken({ metadata })) return {};
	const granted: readonly string[] = scopes;
	return {
		...(granted.includes("profile") ? profileOf(user) : {}),
		...(granted.includes("email") ? { email: user.email, email_verified: user.emailVerified } : {}),
	};
}

/** As the plugin splits a name for the user info. */
function profileOf({ name, image }: IdTokenInfo["user"]): Record<string, unknown> {
	const parts = name.split(" ").filter(Boolean);
	const family = parts.length > 1 ? parts.pop() : undefined;
	return {
		name,
		picture: image ?? undefined,
		...(family === undefined ? {} : { given_name: parts.join(" "), family_name: family }),
	};
}
