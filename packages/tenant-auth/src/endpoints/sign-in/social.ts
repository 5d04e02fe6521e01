import { additionalAuthorizationParamsSchema } from "@better-auth/core/oauth2";
import { createAuthEndpoint, signInSocial } from "better-auth/api";
import * as z from "zod";
import { enterNamedTenant } from "../../context/gate";
import { jsonObject } from "../../database/json-object";
import type { ResolvedOptions } from "../../options";
import { namedTenantSchema } from "../../tenants/tenant";
import { dispatchCore } from "../dispatch-core";
import { openapi, socialAnswer } from "../openapi";
import { type SessionAnswer, withSession } from "./session-answer";

const appleUser = z.object({
	name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
	email: z.string().optional(),
});

const idToken = z.object({
	token: z.string().meta({ description: "ID token from the provider" }),
	nonce: z.string().meta({ description: "The nonce that it was made with" }).optional(),
	accessToken: z.string().meta({ description: "Access token from the provider" }).optional(),
	refreshToken: z.string().meta({ description: "Refresh token from the provider" }).optional(),
	expiresAt: z.number().meta({ description: "When the token expires" }).optional(),
	user: appleUser.meta({ description: "The user object that Apple sends" }).optional(),
});

/** Kept in the flow's state, so it must not be of any length. */
const address = z.string().max(4096);

/** Core's own input, and the tenant. */
const body = z.object({
	tenantId: namedTenantSchema,
	provider: z.string().meta({ description: "The provider's id" }),
	callbackURL: address.meta({ description: "Where to go after success" }).optional(),
	errorCallbackURL: address.meta({ description: "Where to go on an error" }).optional(),
	newUserCallbackURL: address.meta({ description: "Where a new user goes" }).optional(),
	disableRedirect: z.boolean().meta({ description: "Answer the URL only" }).optional(),
	scopes: z.array(z.string()).meta({ description: "Further scopes to ask for" }).optional(),
	loginHint: z.string().meta({ description: "Whom the provider should expect" }).optional(),
	requestSignUp: z
		.boolean()
		.meta({ description: "Sign up where implicit sign-up is disabled" })
		.optional(),
	additionalParams: additionalAuthorizationParamsSchema,
	additionalData: jsonObject("additionalData")
		.meta({ description: "Travels through the flow; not trusted" })
		.optional(),
	idToken: idToken.meta({ description: "Sign in with this instead of a redirect" }).optional(),
});

/** Either the address to go to, or, for an ID token, the session. */
type SocialAnswer = { url: string; redirect: boolean } | (SessionAnswer & { redirect: false });

/** Made once: its schemas cost more than the call. */
const coreSignInSocial = signInSocial();

export const signInSocialTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/sign-in/social",
		{
			method: "POST",
			body,
			metadata: {
				openapi: openapi(
					"signInSocialTenant",
					"Start a social sign-in for a tenant",
					socialAnswer,
					[
						"TENANT_ID_REQUIRED",
						"TENANT_NOT_FOUND",
						"TENANT_SUSPENDED",
						"PROVIDER_NOT_FOUND",
						"OAUTH_CREDENTIAL_DECRYPT_FAILED",
					],
				),
			},
		},
		async (ctx) => {
			await enterNamedTenant(ctx, options);
			const { tenantId: _, ...body } = ctx.body;
			const answer = await dispatchCore(ctx, coreSignInSocial, { body, method: "POST" });
			return ctx.json(withSession(ctx, answer) as SocialAnswer);
		},
	);
