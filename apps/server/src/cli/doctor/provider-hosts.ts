import type { OAuthProvider } from "@better-auth/core/oauth2";
import { socialProviders } from "@better-auth/core/social-providers";

type Factory = (options: object) => OAuthProvider;

/**
 * The origin that a sign-in with the provider leads to, under these settings; `null` where that cannot
 * be told.
 */
export async function providerOrigin(
	providerId: string,
	settings: object | null,
): Promise<string | null> {
	if (!Object.hasOwn(socialProviders, providerId)) return null;
	const create = Reflect.get(socialProviders, providerId) as Factory;
	try {
		const client = { clientId: "doctor", clientSecret: "doctor", clientKey: "doctor" };
		const url = await create({ ...client, ...settings }).createAuthorizationURL({
			state: "doctor",
			codeVerifier: "doctor".repeat(8),
			redirectURI: "https://doctor.invalid/",
			scopes: [],
		});
		return url.origin;
	} catch {
		return null;
	}
}
