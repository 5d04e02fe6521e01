import { Browser } from "./browser";
import type { Client, IdentityProvider, Person } from "./identity-provider";

/** What a native app gets from Google by itself, before it talks to the service under test. */
export async function obtainGoogleIdToken(
	google: IdentityProvider,
	client: Client,
	person: Person,
): Promise<string> {
	const redirectURI = "https://native.example/callback";
	const redirectURIs = [...client.redirectURIs, redirectURI];
	await google.addClient({ ...client, redirectURIs });
	const query = new URLSearchParams({
		response_type: "code",
		client_id: client.clientId,
		redirect_uri: redirectURI,
		scope: "openid email profile",
	});
	const nobody = { baseURL: "https://native.example/none", handler: () => Promise.reject() };
	const address = `https://accounts.google.com/o/oauth2/v2/auth?${query}`;
	const { url } = await new Browser(nobody).follow(address, { as: person });
	const response = await fetch("https://oauth2.googleapis.com/token", {
		method: "POST",
		body: new URLSearchParams({
			grant_type: "authorization_code",
			code: url.searchParams.get("code") ?? "",
			redirect_uri: redirectURI,
			client_id: client.clientId,
			client_secret: client.clientSecret,
		}),
	});
	const { id_token }: { id_token: string } = await response.json();
	return id_token;
}
