import type { AuthContext } from "@better-auth/core";
import type { OAuth2Tokens, OAuthProvider } from "@better-auth/core/oauth2";
import { InvalidResponse, noteProviderProblem } from "../../call/context/provider-problem";
import { isEmailAddress } from "../../email-address";

/** In characters. Encrypted, a token must fit MySQL's text of 64 KB. */
const LIMITS = {
	name: 255,
	image: 2048,
	picture: 60_000,
	accountId: 255,
	token: 16_384,
};
const MAX_SCOPES_LENGTH = 4096;
const YEAR = 365 * 24 * 60 * 60 * 1000;

const CONTROLS = /\p{Cc}/gu;

type UserInfo = NonNullable<Awaited<ReturnType<OAuthProvider["getUserInfo"]>>>;

/**
 * Limits what a provider says before it gets to the database. What only describes a user is cut or left
 * out. What identifies a user is never changed: if it is too long, the sign-in fails as it does without
 * a profile.
 */
export function withProfileLimits(
	provider: OAuthProvider,
	{ logger }: Pick<AuthContext, "logger">,
): OAuthProvider {
	const { refreshAccessToken } = provider;
	return {
		...provider,
		validateAuthorizationCode: async (data) => {
			const tokens = await provider.validateAuthorizationCode(data);
			return tokens && limitTokens(tokens);
		},
		...(refreshAccessToken
			? {
					refreshAccessToken: async (token, ctx) =>
						limitTokens(await refreshAccessToken(token, ctx)),
				}
			: {}),
		getUserInfo: async (tokens) => {
			const info = await provider.getUserInfo(tokens);
			if (!info) return info;
			const user = findLimitedUser(info.user);
			if (!user) {
				const problem = noteProviderProblem(new InvalidResponse("invalid_email"));
				logger.error(`The email from ${provider.id} is not an address`, problem);
			}
			return user && { ...info, user };
		},
		accountSubject: async (context) => {
			const subject = await provider.accountSubject(context);
			if (isIdentifier(String(subject), LIMITS.accountId)) return subject;
			throw noteProviderProblem(new InvalidResponse("invalid_account_id"));
		},
	};
}

const isIdentifier = (text: string, limit: number) =>
	text.length <= limit && text.search(CONTROLS) === -1;

/** `null` if the email is not an address. A missing one is core's to reject. */
function findLimitedUser(user: UserInfo["user"]): UserInfo["user"] | null {
	const email: unknown = user.email;
	const hasEmail = typeof email === "string" && email !== "";
	if (hasEmail ? !isEmailAddress(email) : email) return null;
	const { image: _, ...rest } = user;
	const image: unknown = user.image;
	const limit = String(image).startsWith("data:image/") ? LIMITS.picture : LIMITS.image;
	return {
		...rest,
		name: shorten(user.name),
		...(typeof image === "string" && image.length <= limit
			? { image: image.replace(CONTROLS, "") }
			: {}),
	};
}

/** By code points: half of a surrogate pair is not a character. */
function shorten(name: unknown): string {
	if (typeof name !== "string") return "";
	return [...name.replace(CONTROLS, "")].slice(0, LIMITS.name).join("");
}

function limitTokens(tokens: OAuth2Tokens): OAuth2Tokens {
	for (const token of [tokens.accessToken, tokens.refreshToken, tokens.idToken]) {
		if (token == null) continue;
		if (typeof token === "string" && isIdentifier(token, LIMITS.token)) continue;
		throw new Error("A token of the provider is too long or not a text");
	}
	const limited = { ...tokens };
	for (const field of ["accessTokenExpiresAt", "refreshTokenExpiresAt"] as const) {
		const time = Number(tokens[field]);
		// No column takes an invalid date, and MySQL takes none after 2038.
		if (!Number.isFinite(time) || time <= 0) delete limited[field];
		else limited[field] = new Date(Math.min(time, Date.now() + YEAR));
	}
	const scopes = tokens.scopes ?? [];
	if (scopes.join(",").length > MAX_SCOPES_LENGTH) delete limited.scopes;
	return limited;
}
