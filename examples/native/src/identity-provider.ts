import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

export const clientSecret = "the secret of the website";

/**
 * The identity provider of Acme, in place of Okta, Keycloak or Google. It has a client for the website and
 * one for the app, and signs everybody in as Ada, without a page.
 */
export async function startIdentityProvider(port: number, callbackURL: string): Promise<string> {
	const issuer = `http://localhost:${port}`;
	const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const provider: Provider = new Provider(issuer, {
		clients: [
			{ client_id: "website", client_secret: clientSecret, redirect_uris: [callbackURL] },
			{
				client_id: "app",
				application_type: "native",
				token_endpoint_auth_method: "none",
				redirect_uris: ["com.example.app:/callback"],
			},
		],
		jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig" }] },
		cookies: { keys: [randomUUID()] },
		claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
		// The ID token has all claims.
		conformIdTokenClaims: false,
		features: { devInteractions: { enabled: false } },
		interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
		findAccount: (_ctx, sub) => ({
			accountId: sub,
			claims: async () => ({
				sub,
				name: "Ada Lovelace",
				email: "ada@acme.example",
				email_verified: true,
			}),
		}),
		// Without a page that asks for consent.
		async loadExistingGrant({ oidc }) {
			const clientId = oidc.client?.clientId;
			const accountId = oidc.session?.accountId;
			const grant = new provider.Grant({ clientId, accountId });
			grant.addOIDCScope("openid profile email");
			await grant.save();
			return grant;
		},
	});
	const handle = provider.callback();
	const server = createServer((request, response) => {
		if (!request.url?.startsWith("/interaction/")) return handle(request, response);
		const result = { login: { accountId: "ada" }, consent: {} };
		return provider.interactionFinished(request, response, result);
	});
	await once(server.listen(port, "localhost"), "listening");
	return issuer;
}
