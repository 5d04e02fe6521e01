import * as openid from "openid-client";
import { allowInsecureRequests, type Configuration, discovery } from "openid-client";
import { afterAll } from "vitest";
import { startServer } from "../src/server";
import { readSettings } from "../src/settings/settings";
import { cheapPasswords } from "./cheap-passwords";
import { useFixedKeys } from "./fixed-keys";
import { asManager, managementKey } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

export const REDIRECT_URI = "https://app.example.com/callback";
export const POST_LOGOUT_URI = "https://app.example.com/goodbye";
export const API = "https://api.example.com";
const PASSWORD = "correct horse battery";

export type CreatedApplication = { clientId: string; clientSecret: string | null };

type AtTheEnd = (clean: () => Promise<void> | void) => void;

/** For a server that all tests of a file use. */
export function atTheEndOfFile(): AtTheEnd {
	const cleanings: Parameters<AtTheEnd>[0][] = [];
	afterAll(async () => {
		for (const clean of cleanings.reverse()) await clean();
	});
	return (clean) => void cleanings.push(clean);
}

/** A server on a port of its own, with real HTTP. */
export async function runningIssuers(atTheEnd: AtTheEnd, environment: Record<string, string> = {}) {
	const settings = readSettings(
		{
			PORT: "0",
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			DATA_DIR: temporaryDirectory(atTheEnd),
			LOG_LEVEL: "silent",
			API_AUDIENCES: API,
			API_SCOPES: "read,write",
			...environment,
		},
		"/",
	);
	atTheEnd(useFixedKeys());
	const server = await startServer(settings, { passwords: cheapPasswords });
	atTheEnd(server.close);
	const { baseUrl } = server;
	const auth = `${baseUrl}/api/auth`;

	const post = async (path: string, body: object, headers: Record<string, string> = {}) =>
		fetch(`${auth}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});

	const manage = async <T = Record<string, unknown>>(path: string, body: object): Promise<T> => {
		const response = await post(path, body, asManager);
		const answer = (await response.json()) as T;
		if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
		return answer;
	};

	const web = {
		name: "Notes",
		type: "web",
		redirectUris: [REDIRECT_URI],
		postLogoutRedirectUris: [POST_LOGOUT_URI],
		firstParty: true,
	};

	const createApplication = (tenantId: string, more: object = {}) =>
		manage<CreatedApplication>("/tenant/application/create", { tenantId, ...web, ...more });

	/** An application of all tenants. */
	const createServiceApplication = (more: object = {}) =>
		manage<CreatedApplication>("/operator/application/create", { ...web, ...more });

	/** A tenant with one user. */
	const newTenant = async (slug: string, more: object = {}) => {
		const body = { name: slug, slug, ...more };
		const { id: tenantId } = await manage<{ id: string }>("/tenant/create", body);
		const email = `ada@${slug}.example.com`;
		const signedUp = await post(
			"/tenant/sign-up/email",
			{ name: "Ada Lovelace", email, password: PASSWORD },
			{ "x-tenant-id": tenantId },
		);
		const { user } = (await signedUp.json()) as { user: { id: string } };
		return { tenantId, slug, email, userId: user.id, issuer: `${baseUrl}/t/${slug}` };
	};

	return { baseUrl, post, manage, createApplication, createServiceApplication, newTenant };
}

export type RunningIssuers = Awaited<ReturnType<typeof runningIssuers>>;
export type IssuingTenant = Awaited<ReturnType<RunningIssuers["newTenant"]>>;

/** The client library of an app. */
export const connect = (
	{ issuer }: Pick<IssuingTenant, "issuer">,
	{ clientId, clientSecret }: CreatedApplication,
	authentication?: openid.ClientAuth,
): Promise<Configuration> =>
	discovery(
		new URL(issuer),
		clientId,
		clientSecret ?? undefined,
		authentication ?? (clientSecret ? undefined : openid.None()),
		{ execute: [allowInsecureRequests] },
	);

/** A browser without JavaScript: it has cookies and follows redirects on the server. */
export function newBrowser({ baseUrl, post }: RunningIssuers) {
	const cookies = new Map<string, string>();
	const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	const keep = (response: Response) => {
		for (const cookie of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (/max-age=0/i.test(cookie)) cookies.delete(name);
			else cookies.set(name, value);
		}
		return response;
	};
	const headers = { accept: "text/html" };

	/** Opens a URL, and returns where the browser ends: a page of the server, or a URL of an app. */
	const open = async (url: URL | string): Promise<{ url: URL; response: Response | null }> => {
		let next = new URL(url);
		for (let n = 0; n < 10; n += 1) {
			if (next.origin !== baseUrl) return { url: next, response: null };
			const response = keep(
				await fetch(next, { headers: { ...headers, cookie: cookieHeader() }, redirect: "manual" }),
			);
			const location = response.headers.get("location");
			if (!location) return { url: next, response };
			next = new URL(location, next);
		}
		throw new Error("too many redirects");
	};

	/** What the sign-in page does: it continues the request in its own URL. */
	const signIn = async ({ tenantId, email }: IssuingTenant, page?: URL, password = PASSWORD) => {
		const oauth_query = page?.search.slice(1);
		const response = keep(
			await post(
				"/tenant/sign-in/email",
				{ email, password, ...(oauth_query ? { oauth_query } : {}) },
				{ "x-tenant-id": tenantId, origin: baseUrl, cookie: cookieHeader() },
			),
		);
		return (await response.json()) as { url?: string; redirect?: boolean; code?: string };
	};

	/** What the consent page does. */
	const consent = async ({ tenantId }: IssuingTenant, page: URL, accept = true) => {
		const response = await post(
			"/oauth2/consent",
			{ accept, oauth_query: page.search.slice(1) },
			{ "x-tenant-id": tenantId, origin: baseUrl, cookie: cookieHeader() },
		);
		return (await response.json()) as { url: string };
	};

	return { open, signIn, consent, cookieHeader };
}

/** An authorization request with everything that a careful app sends. */
export async function authorizationRequest(
	config: Configuration,
	parameters: Record<string, string> = {},
) {
	const pkceCodeVerifier = openid.randomPKCECodeVerifier();
	const expectedState = openid.randomState();
	const expectedNonce = openid.randomNonce();
	const url = openid.buildAuthorizationUrl(config, {
		redirect_uri: REDIRECT_URI,
		scope: "openid profile email offline_access",
		code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
		code_challenge_method: "S256",
		state: expectedState,
		nonce: expectedNonce,
		...parameters,
	});
	return { url, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
}

/** A whole sign-in at an app, by a user who is not signed in yet. */
export async function signInAt(
	issuers: RunningIssuers,
	tenant: IssuingTenant,
	config: Configuration,
	parameters: Record<string, string> = {},
) {
	const browser = newBrowser(issuers);
	const { url, checks } = await authorizationRequest(config, parameters);
	const page = await browser.open(url);
	const { url: callback = "" } = await browser.signIn(tenant, page.url);
	const resource = parameters.resource ? { resource: parameters.resource } : undefined;
	const tokens = await openid.authorizationCodeGrant(config, new URL(callback), checks, resource);
	return { browser, tokens, page: page.url, callback: new URL(callback) };
}

/** A token that an application of a tenant gets for itself, for the API. */
export async function machineToken(
	issuers: RunningIssuers,
	tenant: IssuingTenant,
): Promise<string> {
	const job = await issuers.createApplication(tenant.tenantId, {
		type: "machine",
		redirectUris: [],
		postLogoutRedirectUris: [],
	});
	const config = await connect(tenant, job);
	return (await openid.clientCredentialsGrant(config, { resource: API })).access_token;
}
