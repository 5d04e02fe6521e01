import { createHash, randomBytes } from "node:crypto";
import {
	errorOf,
	type Member,
	type Operation,
	type Outcome,
	TIMEOUT_MS,
	type Tokens,
} from "./operation";

/** Where users return to. Nobody listens there. */
export const REDIRECT_URI = "https://app.example.com/callback";

type TokenAnswer = { access_token: string; refresh_token: string; id_token: string };
type Introspection = { active: boolean; sub?: string; client_id?: string };

const isTokens = (value: Tokens | Outcome): value is Tokens =>
	typeof value === "object" && "access" in value;

const random = () => randomBytes(32).toString("base64url");

/** A request of the app's server, with the secret of its client. */
function post(url: string, at: Member, by: Member, path: string, fields: Record<string, string>) {
	const { clientId, clientSecret } = by.app;
	const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
	return fetch(`${url}/t/${at.slug}/oauth2/${path}`, {
		method: "POST",
		headers: { authorization },
		body: new URLSearchParams(fields),
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
}

/** A signed-in user opens the app: an authorization code, and tokens for it. */
export const signInAtApp: Operation = async (url, member) => {
	const tokens = await getTokens(url, member);
	if (!isTokens(tokens)) return tokens;
	member.tokens = tokens;
	return "ok";
};

async function getTokens(url: string, member: Member): Promise<Tokens | Outcome> {
	const [verifier, state] = [random(), random()];
	const query = new URLSearchParams({
		client_id: member.app.clientId,
		redirect_uri: REDIRECT_URI,
		response_type: "code",
		scope: "openid email offline_access",
		state,
		code_challenge: createHash("sha256").update(verifier).digest("base64url"),
		code_challenge_method: "S256",
	});
	const answer = await fetch(`${url}/t/${member.slug}/oauth2/authorize?${query}`, {
		headers: { cookie: member.cookie, accept: "text/html" },
		redirect: "manual",
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
	const location = answer.headers.get("location") ?? "";
	const callback = URL.canParse(location) ? new URL(location).searchParams : null;
	const code = callback?.get("code");
	if (!code) return { error: `authorize: ${answer.status} ${location.slice(0, 100)}` };
	if (callback?.get("state") !== state) return "leak";
	return tokensOf(
		member,
		await post(url, member, member, "token", {
			grant_type: "authorization_code",
			code,
			redirect_uri: REDIRECT_URI,
			code_verifier: verifier,
		}),
	);
}

/** The ID token must be about the own user and tenant. */
async function tokensOf(member: Member, response: Response): Promise<Tokens | Outcome> {
	if (!response.ok) return errorOf(response);
	const answer = (await response.json()) as TokenAnswer;
	const [, payload = ""] = answer.id_token.split(".");
	const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
		sub: string;
		tenant_id: string;
	};
	if (claims.sub !== member.userId || claims.tenant_id !== member.tenantId) return "leak";
	return { access: answer.access_token, refresh: answer.refresh_token };
}

/** A refresh token works once, so no other client may use it meanwhile. */
async function withTokens(
	url: string,
	member: Member,
	work: (tokens: Tokens) => Promise<Tokens | Outcome>,
): Promise<Outcome> {
	const kept = member.tokens;
	member.tokens = null;
	const tokens = kept ?? (await getTokens(url, member));
	const outcome = isTokens(tokens) ? await work(tokens) : tokens;
	if (!isTokens(outcome)) return outcome;
	member.tokens = outcome;
	return "ok";
}

/** Rotates the refresh token. */
export const refresh: Operation = (url, member) =>
	withTokens(url, member, async ({ refresh }) => {
		const fields = { grant_type: "refresh_token", refresh_token: refresh };
		const next = await tokensOf(member, await post(url, member, member, "token", fields));
		if (isTokens(next) && next.refresh === refresh) {
			return { error: "the refresh token was not rotated" };
		}
		return next;
	});

export const introspect: Operation = (url, member) =>
	withTokens(url, member, async (tokens) => {
		const token = { token: tokens.access };
		const response = await post(url, member, member, "introspect", token);
		if (!response.ok) return errorOf(response);
		const { active, sub, client_id } = (await response.json()) as Introspection;
		if (!active) return { error: "the own token is not active" };
		return sub === member.userId && client_id === member.app.clientId ? tokens : "leak";
	});

/** Neither the other tenant's client nor the own one may see the token at the other tenant. */
export const introspectElsewhere: Operation = (url, member, other) =>
	withTokens(url, member, async (tokens) => {
		for (const client of [other, member]) {
			const token = { token: tokens.access };
			const response = await post(url, other, client, "introspect", token);
			if (response.status >= 500) return errorOf(response);
			const { active } = (await response.json()) as Partial<Introspection>;
			if (response.ok && active !== false) return "leak";
		}
		return tokens;
	});
