import { Browser } from "../http/browser";
import type { Client, IdentityProvider, Person } from "./identity-provider";
import { directoryId } from "./identity-provider/microsoft";

const googleEndpoints = {
	authorization: "https://accounts.google.com/o/oauth2/v2/auth",
	token: "https://oauth2.googleapis.com/token",
};

export const obtainGoogleIdToken = (google: IdentityProvider, client: Client, person: Person) =>
	obtainIdToken(google, client, person, googleEndpoints);

export const obtainEntraIdToken = (entra: IdentityProvider, client: Client, person: Person) =>
	obtainIdToken(entra, client, person, {
		authorization: `${entra.url}/${directoryId}/oauth2/v2.0/authorize`,
		token: `${entra.url}/${directoryId}/oauth2/v2.0/token`,
	});

/** What a native app gets from the provider by itself, before it talks to the service under test. */
async function obtainIdToken(
	provider: IdentityProvider,
	client: Client,
	person: Person,
	endpoints: { authorization: string; token: string },
): Promise<string> {
	const redirectURI = "https://native.example/callback";
	const redirectURIs = [...client.redirectURIs, redirectURI];
	await provider.addClient({ ...client, redirectURIs });
	const query = new URLSearchParams({
		response_type: "code",
		client_id: client.clientId,
		redirect_uri: redirectURI,
		scope: "openid email profile",
	});
	const nobody = { baseURL: "https://native.example/none", handler: () => Promise.reject() };
	const address = `${endpoints.authorization}?${query}`;
	const { url } = await new Browser(nobody).follow(address, { as: person });
	const response = await fetch(endpoints.token, {
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
