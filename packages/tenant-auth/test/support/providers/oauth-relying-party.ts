import { createHash } from "node:crypto";
import type { Answer } from "../worlds/instance";
import type { makeTwoUsers } from "../worlds/two-tenants";

type App = Awaited<ReturnType<typeof makeTwoUsers>>;

export const REDIRECT_URI = "https://client.example.com/callback";
const VERIFIER = "a verifier of at least forty-three characters, as PKCE has it";

export interface RelyingParty {
	client_id: string;
	client_secret: string;
}

/** What only server code may call. The types of an instance of the tests do not have it. */
interface ServerApi {
	adminCreateOAuthClient(input: { body: object; headers: Headers }): Promise<RelyingParty>;
	adminLinkClientResource(input: {
		params: object;
		body: object;
		headers: Headers;
	}): Promise<unknown>;
}

/** Server code of an app, for a user. */
export function inServerCode({ auth }: Pick<App, "auth">, { cookie }: { cookie: string }) {
	const api = auth.api as unknown as ServerApi;
	const headers = new Headers({ cookie });
	return {
		createClient: (body: object) =>
			api.adminCreateOAuthClient({ body: { redirect_uris: [REDIRECT_URI], ...body }, headers }),
		/** The client may request tokens for this API. */
		link: (client_id: string, identifier: string) =>
			api.adminLinkClientResource({ params: { identifier, client_id }, body: {}, headers }),
	};
}

export const basic = ({ client_id, client_secret }: RelyingParty) =>
	`Basic ${btoa(`${client_id}:${client_secret}`)}`;

/** What an app does that lets people sign in with OAuth. It never names a tenant, unless told to. */
export function relyingParties({ call }: Pick<App, "call">) {
	const register = async (cookie: string, more: object = {}): Promise<RelyingParty> => {
		const body = {
			redirect_uris: [REDIRECT_URI],
			scope: "openid profile email offline_access",
			...more,
		};
		return (await call("/oauth2/create-client", { cookie, body })).body;
	};

	/** Sends a form, as the protocol has it. */
	const post = (
		path: string,
		fields: Record<string, string>,
		{ party, tenant }: { party?: RelyingParty; tenant?: string } = {},
	): Promise<Answer> =>
		call(path, {
			body: new URLSearchParams(fields).toString(),
			headers: {
				"content-type": "application/x-www-form-urlencoded",
				...(party ? { authorization: basic(party) } : {}),
			},
			...(tenant ? { tenant } : {}),
		});

	const authorize = (
		{ client_id }: Pick<RelyingParty, "client_id">,
		{
			cookie,
			tenant,
			...more
		}: { cookie?: string; tenant?: string; resource?: string; scope?: string } = {},
	) =>
		call("/oauth2/authorize", {
			query: {
				client_id,
				response_type: "code",
				redirect_uri: REDIRECT_URI,
				scope: "openid profile email offline_access",
				state: "state",
				code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
				code_challenge_method: "S256",
				...more,
			},
			...(cookie ? { cookie } : {}),
			...(tenant ? { tenant } : {}),
		});

	/** The query of the page to which the browser is redirected. */
	const pageQuery = (answer: Answer) =>
		new URL(String(answer.headers.get("location")), "https://app.example.com").search.slice(1);

	const codeIn = (url: string) => String(new URL(url).searchParams.get("code"));

	/** The user consents. The answer is the code. */
	async function obtainCode(
		party: RelyingParty,
		cookie: string,
		more: { resource?: string; scope?: string } = {},
	): Promise<string> {
		const page = await authorize(party, { cookie, ...more });
		const direct = String(page.headers.get("location"));
		if (direct.startsWith(REDIRECT_URI)) return codeIn(direct);
		const body = { accept: true, oauth_query: pageQuery(page) };
		const { body: answer } = await call("/oauth2/consent", { cookie, body });
		return codeIn(answer.url);
	}

	const redeem = (party: RelyingParty, code: string, tenant?: string) =>
		post(
			"/oauth2/token",
			{
				grant_type: "authorization_code",
				code,
				redirect_uri: REDIRECT_URI,
				code_verifier: VERIFIER,
			},
			{ party, ...(tenant ? { tenant } : {}) },
		);

	const refresh = (party: RelyingParty, refresh_token: string) =>
		post("/oauth2/token", { grant_type: "refresh_token", refresh_token }, { party });

	return { register, post, authorize, pageQuery, codeIn, obtainCode, redeem, refresh };
}
