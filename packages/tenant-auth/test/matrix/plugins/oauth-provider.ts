import { oauthProvider } from "@better-auth/oauth-provider";
import { expect } from "vitest";
import {
	basic,
	inServerCode,
	REDIRECT_URI,
	type RelyingParty,
	relyingParties,
} from "../../support/providers/oauth-relying-party";
import type { Call } from "../attack";
import { aboutA, answers, failed, type Outcome, type PluginMatrix, refused } from "./matrix";
import type { PluginWorld } from "./world";

const API = "https://api.example.com/v1";
/** No client is linked to it. */
const UNUSED_API = "https://api.example.com/v2";
const NEW_API = "https://api.example.com/v3";
const redirect_uris = ["https://client.example.com/new"];

interface Own {
	party: RelyingParty;
	consentId: string;
	/** The signed query of the consent page, for a client without a consent. */
	consentQuery: string;
	undecided: RelyingParty;
	/** The signed query of the sign-in page. */
	loginQuery: string;
	code: string;
	access: string;
	refresh: string;
	idToken: string;
	/** The browser is asked whether the user wants to sign out. */
	signOutCookie: string;
}

type World = PluginWorld<Own>;

const form = (path: string, fields: Record<string, string>, party?: RelyingParty): Call => ({
	path,
	body: new URLSearchParams(fields).toString(),
	headers: {
		"content-type": "application/x-www-form-urlencoded",
		...(party ? { authorization: basic(party) } : {}),
	},
});

const knows = ({ a }: World) => [
	...[a.party, a.undecided].flatMap(({ client_id, client_secret }) => [client_id, client_secret]),
	...[a.access, a.refresh, a.code, a.consentId],
];
const unknownClient = refused(401, "invalid_client");
const redirectsTo =
	(part: string): Outcome =>
	({ status, headers }) => {
		expect([status, headers.get("location")]).toEqual([302, expect.stringContaining(part)]);
	};
const urlWith =
	(part: string): Outcome =>
	({ status, body }) => {
		expect([status, body.url]).toEqual([200, expect.stringContaining(part)]);
	};
const done: Outcome = ({ status, body }) => expect(status, JSON.stringify(body)).toBeLessThan(300);
const newClient: Outcome = (answer, world) => {
	done(answer, world);
	expect(answer.body).toMatchObject({ client_id: expect.any(String) });
};

/** A call about A's client, by a user. */
const aboutClient = (
	tries: string,
	call: (client_id: string) => Call,
	{ gets = refused(404), own = done }: { gets?: Outcome; own?: Outcome } = {},
) => ({
	tries,
	call: ({ a }: World) => call(a.party.client_id),
	by: "user" as const,
	gets,
	own,
	knows,
});

/** Resources belong to the app, and only its server code reaches them. */
const ofHost = (tries: string, call: Call, gets: Outcome, own = gets) => ({
	tries,
	call: () => ({ ...call, onServer: true }),
	by: "user" as const,
	gets,
	own,
	ofHost: true,
});

export const oauthProviderMatrix: PluginMatrix<Own> = {
	plugin: "@better-auth/oauth-provider, @better-auth/mcp",
	// It requires sessions in the database.
	notIn: ["with Redis alone"],
	options: () => ({
		plugins: [
			oauthProvider({
				loginPage: "/login",
				consentPage: "/consent",
				disableJwtPlugin: true,
				allowDynamicClientRegistration: true,
				allowPublicClientPrelogin: true,
				resources: [API, UNUSED_API],
			}),
		],
	}),
	async make(maker, { cookie }) {
		const { register, authorize, pageQuery, obtainCode, redeem } = relyingParties(maker);
		const { createClient, link } = inServerCode(maker, { cookie });
		const party = await createClient({ redirect_uris: [REDIRECT_URI], enable_end_session: true });
		await link(party.client_id, API);
		const undecided = await register(cookie);
		const redeemed = (await redeem(party, await obtainCode(party, cookie))).body;
		const [consent] = (await maker.as("/oauth2/get-consents")).body;
		const headers = { accept: "text/html", "sec-fetch-mode": "navigate" };
		const signOut = await maker.as("/oauth2/end-session", { headers });
		return {
			party,
			undecided,
			consentId: consent.id,
			consentQuery: pageQuery(await authorize(undecided, { cookie })),
			loginQuery: pageQuery(await authorize(party)),
			code: await obtainCode(party, cookie),
			access: redeemed.access_token,
			refresh: redeemed.refresh_token,
			idToken: redeemed.id_token,
			signOutCookie: signOut.cookie,
		};
	},
	rows: {
		getOAuthServerConfig: [
			{
				tries: "reads the metadata",
				call: () => ({ path: "getOAuthServerConfig", onServer: true }),
				by: "anyone",
				gets: done,
				own: done,
				ofHost: true,
			},
		],
		getOpenIdConfig: [
			{
				tries: "reads the metadata",
				call: () => ({ path: "getOpenIdConfig", onServer: true }),
				by: "anyone",
				gets: done,
				own: done,
				ofHost: true,
			},
		],
		oauth2Authorize: [
			{
				tries: "authorizes A's client",
				call: ({ a }) => ({
					path: "/oauth2/authorize",
					query: Object.fromEntries(new URLSearchParams(a.consentQuery)),
				}),
				by: "holder",
				gets: failed("invalid_client"),
				own: redirectsTo("/consent?"),
				knows,
			},
		],
		oauth2Consent: [
			{
				tries: "consents to A's client",
				call: ({ a }) => ({
					path: "/oauth2/consent",
					body: { accept: true, oauth_query: a.consentQuery },
				}),
				by: "user",
				gets: urlWith("error=invalid_client"),
				own: urlWith("code="),
				knows,
			},
		],
		oauth2Continue: [
			{
				tries: "continues the flow of A's client",
				call: ({ a }) => ({
					path: "/oauth2/continue",
					body: { selected: true, oauth_query: a.consentQuery },
				}),
				by: "user",
				gets: urlWith("error=invalid_client"),
				own: urlWith("/consent?"),
				knows,
			},
		],
		oauth2Token: [
			{
				tries: "redeems A's refresh token with A's client",
				call: ({ a }) =>
					form("/oauth2/token", { grant_type: "refresh_token", refresh_token: a.refresh }, a.party),
				by: "holder",
				gets: refused(400, "invalid_grant"),
				own: answers(() => expect.objectContaining({ access_token: expect.any(String) })),
				knows,
			},
		],
		oauth2Introspect: [
			{
				tries: "introspects A's token with A's client",
				call: ({ a }) => form("/oauth2/introspect", { token: a.access }, a.party),
				by: "holder",
				gets: unknownClient,
				own: answers(() => expect.objectContaining({ active: true })),
				knows,
			},
		],
		oauth2Revoke: [
			{
				tries: "revokes A's token with A's client",
				call: ({ a }) => form("/oauth2/revoke", { token: a.access }, a.party),
				by: "holder",
				gets: unknownClient,
				own: done,
				knows,
			},
		],
		oauth2UserInfo: [
			{
				tries: "comes with A's access token",
				call: ({ a }) => ({
					path: "/oauth2/userinfo",
					headers: { authorization: `Bearer ${a.access}` },
				}),
				by: "holder",
				gets: refused(401, "invalid_token"),
				own: aboutA,
				knows,
			},
		],
		oauth2EndSession: [
			{
				tries: "signs A's user out with A's id token",
				call: ({ a }) => ({ path: "/oauth2/end-session", query: { id_token_hint: a.idToken } }),
				by: "holder",
				gets: refused(400, "invalid_client"),
				own: done,
				knows,
			},
		],
		oauth2EndSessionConfirmation: [
			{
				tries: "confirms the sign-out that A's user was asked about",
				call: ({ a }) => ({
					...form("/oauth2/end-session/confirm", { action: "confirm" }),
					cookie: a.signOutCookie,
				}),
				by: "user",
				gets: refused(400, "invalid_request"),
				otherwise: refused(400, "invalid_request"),
				own: done,
			},
		],
		registerOAuthClient: [
			{
				tries: "registers a client, with A's id beside it",
				call: ({ a }) => ({
					path: "/oauth2/register",
					body: { redirect_uris, client_id: a.party.client_id },
				}),
				by: "user",
				gets: newClient,
				own: newClient,
				knows,
			},
		],
		adminCreateOAuthClient: [
			{
				tries: "creates a client, with A's id beside it",
				call: ({ a }) => ({
					path: "adminCreateOAuthClient",
					onServer: true,
					body: { redirect_uris, client_id: a.party.client_id, user_id: a.userId },
				}),
				by: "user",
				gets: newClient,
				own: newClient,
				knows,
			},
		],
		createOAuthClient: [
			{
				tries: "creates a client, with A's id beside it",
				call: ({ a }) => ({
					path: "/oauth2/create-client",
					body: { redirect_uris, client_id: a.party.client_id, user_id: a.userId },
				}),
				by: "user",
				gets: newClient,
				own: newClient,
				knows,
			},
		],
		getOAuthClient: [
			aboutClient("reads A's client", (client_id) => ({
				path: "/oauth2/get-client",
				query: { client_id },
			})),
		],
		getOAuthClientPublic: [
			aboutClient("reads A's client", (client_id) => ({
				path: "/oauth2/public-client",
				query: { client_id },
			})),
		],
		getOAuthClientPublicPrelogin: [
			{
				tries: "reads A's client on the sign-in page",
				call: ({ a }) => ({
					path: "/oauth2/public-client-prelogin",
					body: { client_id: a.party.client_id, oauth_query: a.loginQuery },
				}),
				by: "holder",
				gets: refused(404),
				own: newClient,
				knows,
			},
		],
		getOAuthClients: [
			{
				tries: "lists the clients",
				call: () => ({ path: "/oauth2/get-clients" }),
				by: "user",
				gets: ({ body }, { b }) => expect(JSON.stringify(body)).toContain(b.party.client_id),
				own: ({ body }, { a }) => expect(JSON.stringify(body)).toContain(a.party.client_id),
			},
		],
		adminUpdateOAuthClient: [
			aboutClient("changes A's client", (client_id) => ({
				path: "adminUpdateOAuthClient",
				onServer: true,
				body: { client_id, update: { client_name: "taken" } },
			})),
		],
		updateOAuthClient: [
			aboutClient("changes A's client", (client_id) => ({
				path: "/oauth2/update-client",
				body: { client_id, update: { client_name: "taken" } },
			})),
		],
		rotateClientSecret: [
			aboutClient("changes the secret of A's client", (client_id) => ({
				path: "/oauth2/client/rotate-secret",
				body: { client_id },
			})),
		],
		deleteOAuthClient: [
			aboutClient("deletes A's client", (client_id) => ({
				path: "/oauth2/delete-client",
				body: { client_id },
			})),
		],
		getOAuthConsent: [
			{
				tries: "reads A's consent",
				call: ({ a }) => ({ path: "/oauth2/get-consent", query: { id: a.consentId } }),
				by: "user",
				gets: refused(404),
				own: done,
				knows,
			},
		],
		getOAuthConsents: [
			{
				tries: "lists the consents",
				call: () => ({ path: "/oauth2/get-consents" }),
				by: "user",
				gets: ({ body }, { b }) => expect(JSON.stringify(body)).toContain(b.consentId),
				own: ({ body }, { a }) => expect(JSON.stringify(body)).toContain(a.consentId),
			},
		],
		updateOAuthConsent: [
			{
				tries: "changes A's consent",
				call: ({ a }) => ({
					path: "/oauth2/update-consent",
					body: { id: a.consentId, update: { scopes: ["openid"] } },
				}),
				by: "user",
				gets: refused(404),
				own: done,
				knows,
			},
		],
		deleteOAuthConsent: [
			{
				tries: "deletes A's consent",
				call: ({ a }) => ({ path: "/oauth2/delete-consent", body: { id: a.consentId } }),
				by: "user",
				gets: refused(404),
				own: done,
				knows,
			},
		],
		adminCreateOAuthResource: [
			ofHost(
				"adds an API of the app",
				{ path: "adminCreateOAuthResource", body: { identifier: NEW_API } },
				done,
				() => {},
			),
		],
		adminListOAuthResources: [
			ofHost("lists the APIs of the app", { path: "adminListOAuthResources" }, done),
		],
		adminGetOAuthResource: [
			ofHost(
				"reads an API of the app",
				{ path: "adminGetOAuthResource", params: { identifier: API } },
				done,
			),
		],
		adminUpdateOAuthResource: [
			ofHost(
				"changes an API of the app",
				{ path: "adminUpdateOAuthResource", params: { identifier: API }, body: { name: "API" } },
				done,
			),
		],
		adminDeleteOAuthResource: [
			ofHost(
				"deletes an API of the app",
				{ path: "adminDeleteOAuthResource", params: { identifier: UNUSED_API } },
				done,
				() => {},
			),
		],
		adminLinkClientResource: [
			{
				tries: "links A's client to an API",
				call: ({ a }) => ({
					path: "adminLinkClientResource",
					onServer: true,
					params: { identifier: API, client_id: a.undecided.client_id },
					body: {},
				}),
				by: "user",
				gets: refused(404),
				own: done,
				knows,
			},
		],
		adminUnlinkClientResource: [
			aboutClient(
				"unlinks A's client from an API",
				(client_id) => ({
					path: "adminUnlinkClientResource",
					onServer: true,
					params: { identifier: API, client_id },
				}),
				{ gets: done },
			),
		],
	},
};
