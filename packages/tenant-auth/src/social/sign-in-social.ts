import { additionalAuthorizationParamsSchema } from "@better-auth/core/oauth2";
import { createAuthEndpoint, signInSocial } from "better-auth/api";
import * as z from "zod";
import { dispatchCore } from "../dispatch-core";
import { type SessionAnswer, withSession } from "../email/session-answer";
import { openapi, socialAnswer } from "../openapi";
import type { ResolvedOptions } from "../options";
import { enterNamedTenant } from "../scope/enter-tenant";
import { namedTenantSchema } from "../tenants/tenant";

const appleUser = z.object({
	name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
	email: z.string().optional(),
});

const idToken = z.object({
	token: z.string().meta({ description: "ID token from the provider" }),
	nonce: z.string().optional().meta({ description: "The nonce that it was made with" }),
	accessToken: z.string().optional().meta({ description: "Access token from the provider" }),
	refreshToken: z.string().optional().meta({ description: "Refresh token from the provider" }),
	expiresAt: z.number().optional().meta({ description: "When the token expires" }),
	user: appleUser.optional().meta({ description: "The user object that Apple sends" }),
});

/** Core's own input, and the tenant. */
const body = z.object({
	tenantId: namedTenantSchema,
	provider: z.string().meta({ description: "The provider's id" }),
	callbackURL: z.string().optional().meta({ description: "Where to go after success" }),
	errorCallbackURL: z.string().optional().meta({ description: "Where to go on an error" }),
	newUserCallbackURL: z.string().optional().meta({ description: "Where a new user goes" }),
	disableRedirect: z.boolean().optional().meta({ description: "Answer the URL only" }),
	scopes: z.array(z.string()).optional().meta({ description: "Further scopes to ask for" }),
	loginHint: z.string().optional().meta({ description: "Whom the provider should expect" }),
	requestSignUp: z
		.boolean()
		.optional()
		.meta({ description: "Sign up where implicit sign-up is disabled" }),
	additionalParams: additionalAuthorizationParamsSchema,
	additionalData: z
		.record(z.string(), z.unknown())
		.optional()
		.meta({ description: "Travels through the flow; not trusted" }),
	idToken: idToken.optional().meta({ description: "Sign in with this instead of a redirect" }),
});

/** Either the address to go to, or, for an ID token, the session. */
export type SocialAnswer =
	| { url: string; redirect: boolean }
	| (SessionAnswer & { redirect: false });

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
						"PROVIDER_NOT_FOUND",
						"OAUTH_CREDENTIAL_DECRYPT_FAILED",
					],
				),
			},
		},
		async (ctx) => {
			await enterNamedTenant(ctx, options);
			const { tenantId: _, ...body } = ctx.body;
			const answer = await dispatchCore(ctx, signInSocial(), { body, method: "POST" });
			return ctx.json(withSession(ctx, answer) as SocialAnswer);
		},
	);
