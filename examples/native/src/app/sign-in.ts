import { parseSetCookieHeader } from "better-auth/cookies";
import * as oauth from "oauth4webapi";
import { openBrowser } from "./browser.js";
import { client, serverUrl } from "./client.js";
import { keychain } from "./keychain.js";

/** The app signs in at the provider itself, and sends the ID token to the server. */
export async function signInWithIdToken(provider: string, issuer: string) {
	const idToken = await askForIdToken(new URL(issuer));
	const { error } = await client.tenant.signIn.social({ provider, idToken });
	if (error) throw new Error(error.message);
}

/** The server signs the user in, in the browser of the phone. A deep link brings the session back. */
export async function signInWithDeepLink(provider: string) {
	const start = new URL("/sign-in", serverUrl);
	start.search = new URLSearchParams({ tenant: keychain.get("tenant") ?? "", provider }).toString();
	const link = await openBrowser(start, "myapp:");
	const cookies = parseSetCookieHeader(link.searchParams.get("cookie") ?? "");
	const session = [...cookies].find(([name]) => name.endsWith("session_token"));
	if (!session) throw new Error(`No session in ${link}`);
	keychain.set("token", session[1].value);
}

/** What AppAuth or the SDK of a provider does: the authorization code flow with PKCE and a nonce. */
async function askForIdToken(issuer: URL): Promise<{ token: string; nonce: string }> {
	const app = { client_id: "app" };
	const redirect = "com.example.app:/callback";
	// Without this, the library refuses http. You need it in development only.
	const options = { [oauth.allowInsecureRequests]: issuer.hostname === "localhost" };
	const provider = await oauth.processDiscoveryResponse(
		issuer,
		await oauth.discoveryRequest(issuer, options),
	);
	const [verifier, state, nonce] = [
		oauth.generateRandomCodeVerifier(),
		oauth.generateRandomState(),
		oauth.generateRandomNonce(),
	];
	const url = new URL(provider.authorization_endpoint ?? "");
	url.search = new URLSearchParams({
		client_id: app.client_id,
		redirect_uri: redirect,
		response_type: "code",
		scope: "openid profile email",
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256",
		state,
		nonce,
	}).toString();
	const link = await openBrowser(url, "com.example.app:");
	const answer = oauth.validateAuthResponse(provider, app, link, state);
	const tokens = await oauth.processAuthorizationCodeResponse(
		provider,
		app,
		await oauth.authorizationCodeGrantRequest(
			provider,
			app,
			oauth.None(),
			answer,
			redirect,
			verifier,
			options,
		),
		{ expectedNonce: nonce, requireIdToken: true },
	);
	return { token: tokens.id_token ?? "", nonce };
}
