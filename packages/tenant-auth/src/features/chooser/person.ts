import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuth2Tokens, OAuthProvider } from "@better-auth/core/oauth2";
import * as z from "zod";
import { jsonBytes } from "../../database/json-object";
import { withProfileLimits } from "../../management/oauth-clients/profile-limits";
import { accountIssuerOf } from "../../management/oauth-clients/provider-settings";
import { clientOf } from "./app-provider";

const optionalText = z.string().nullish();

/** JSON has no dates. */
const time = z.coerce.date().optional();

/** What the provider has said about somebody. It is kept until their tenant is known. */
export const keptPerson = z.object({
	providerId: z.string(),
	/** A digest of the client that has asked. */
	client: z.string(),
	accountId: z.string(),
	/** The server that issues the account ids, as accounts store it. */
	authority: z.string(),
	/** In lowercase. */
	email: z.string(),
	emailVerified: z.boolean(),
	nonce: z.string().optional(),
	tokens: z.object({
		tokenType: z.string().optional(),
		accessToken: optionalText,
		refreshToken: optionalText,
		idToken: optionalText,
		accessTokenExpiresAt: time,
		refreshTokenExpiresAt: time,
		scopes: z.array(z.string()).optional(),
	}),
	info: z.object({
		user: z.looseObject({ emailVerified: z.boolean() }),
		data: z.record(z.string(), z.unknown()),
	}),
});

export type Person = z.output<typeof keptPerson>;

/** Encrypted and together with the URLs of the flow, it must fit MySQL's text of 64 KB. */
const MAX_PERSON_BYTES = 22_000;
const MAX_DESCRIPTION = 4096;

interface Exchange {
	code: string;
	codeVerifier: string;
	nonce: string | undefined;
	redirectURI: string;
	deviceId: string | undefined;
	/** As Apple sends it. */
	user: string | undefined;
}

/**
 * Exchanges a code, and asks the provider who it is. It happens once: what a tenant does with the person
 * later is based on the same response.
 *
 * @returns the person, or the error for the user
 */
export async function askProvider(
	ctx: GenericEndpointContext,
	appProvider: OAuthProvider,
	{ nonce, user, ...data }: Exchange,
): Promise<Person | { error: string }> {
	const provider = withProfileLimits(appProvider, ctx.context);
	const orLog = (error: unknown): null => {
		ctx.context.logger.error(`A sign-in with ${provider.id} failed`, error);
		return null;
	};
	const tokens = await provider.validateAuthorizationCode(data).catch(orLog);
	if (!tokens) return { error: "invalid_code" };
	const info = await provider
		.getUserInfo({
			...tokens,
			...(nonce === undefined ? {} : { expectedIdTokenNonce: nonce }),
			user: parseUser(user),
		} as Parameters<OAuthProvider["getUserInfo"]>[0])
		.catch(orLog);
	const accountId = info && (await findAccountId(provider, tokens, info.data).catch(orLog));
	if (!info?.user || !accountId) return { error: "unable_to_get_user_info" };
	const { email } = info.user;
	if (!email) return { error: "email_not_found" };
	const person = {
		providerId: provider.id,
		client: await clientOf(provider),
		accountId,
		authority: accountIssuerOf(provider.id, provider.options),
		email: email.toLowerCase(),
		emailVerified: info.user.emailVerified === true,
		nonce,
		tokens,
		info: { user: withoutLongTexts(info.user), data: withoutLongTexts(info.data ?? {}) },
	};
	if (jsonBytes(person) > MAX_PERSON_BYTES) return { error: "unable_to_get_user_info" };
	return keptPerson.parse(JSON.parse(JSON.stringify(person)));
}

/** As core reads it: what is no id must not find the account of somebody. */
async function findAccountId(
	provider: OAuthProvider,
	tokens: OAuth2Tokens,
	profile: object,
): Promise<string | null> {
	const subject = await provider.accountSubject({ tokens, profile });
	const id = String(subject);
	const isPossible = typeof subject !== "number" || Number.isFinite(subject);
	return isPossible && id.trim() !== "" && id !== "undefined" && id !== "null" ? id : null;
}

function parseUser(text: string | undefined): unknown {
	if (!text) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		// As core: what cannot be read describes nobody.
		return undefined;
	}
}

/** A picture may be a part of the profile. It only describes a user, and is too long to be kept. */
const withoutLongTexts = (values: object): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(values).filter(
			([, value]) => typeof value !== "string" || value.length <= MAX_DESCRIPTION,
		),
	);
