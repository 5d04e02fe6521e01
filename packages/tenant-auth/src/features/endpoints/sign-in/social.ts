import { additionalAuthorizationParamsSchema } from "@better-auth/core/oauth2";
import { signInSocial } from "better-auth/api";
import * as z from "zod";
import { enterNamedTenant } from "../../../call/context/gate";
import { jsonObject } from "../../../database/json-object";
import { flag, text, texts } from "../../../described";
import { namedTenantSchema } from "../../../management/tenants/tenant";
import { publicEndpoint } from "../define";
import { dispatchCore } from "../dispatch-core";
import { sessionResponse, withSession } from "./session-response";

/** As Apple sends it. */
const appleUser = z.looseObject({
	name: z
		.looseObject({ firstName: z.string().optional(), lastName: z.string().optional() })
		.optional(),
	email: z.string().optional(),
});

const idToken = z.object({
	token: text("ID token from the provider"),
	nonce: text("The nonce of the ID token").optional(),
	accessToken: text("Access token from the provider").optional(),
	refreshToken: text("Refresh token from the provider").optional(),
	expiresAt: z.number().meta({ description: "When the token expires" }).optional(),
	user: appleUser.meta({ description: "The user object that Apple sends" }).optional(),
});

/** Stored in the state of the flow, so its length is limited. */
const url = z.string().max(4096);

/** The same input as core's, and the tenant. */
const body = z.object({
	tenantId: namedTenantSchema,
	provider: text("The provider's id"),
	callbackURL: url.meta({ description: "Where to go after success" }).optional(),
	errorCallbackURL: url.meta({ description: "Where to go on an error" }).optional(),
	newUserCallbackURL: url.meta({ description: "Where a new user goes" }).optional(),
	disableRedirect: flag("Return the URL without a redirect").optional(),
	scopes: texts("Additional scopes to request").optional(),
	loginHint: text("The user's email or name, for the provider").optional(),
	requestSignUp: flag("Sign up where implicit sign-up is disabled").optional(),
	additionalParams: additionalAuthorizationParamsSchema,
	additionalData: jsonObject("additionalData")
		.meta({ description: "Stored in the state of the flow; not trusted" })
		.optional(),
	idToken: idToken
		.meta({ description: "Sign in with this token instead of a redirect" })
		.optional(),
});

const redirectResponse = z.object({
	url: text("The provider's sign-in page"),
	redirect: flag("Whether the client goes to url"),
});

/** Made once: its schemas cost more than the call. */
const coreSignInSocial = signInSocial();

export const signInSocialTenant = publicEndpoint(
	"signInSocialTenant",
	{
		description: "Start a social sign-in for a tenant",
		body,
		// The session comes at once for an ID token.
		response: z.union([redirectResponse, sessionResponse]),
		errors: [
			"TENANT_ID_REQUIRED",
			"TENANT_NOT_FOUND",
			"TENANT_SUSPENDED",
			"SIGN_IN_METHOD_NOT_ALLOWED",
			"PROVIDER_NOT_FOUND",
			"PROVIDER_UNAVAILABLE",
			"OAUTH_CREDENTIAL_DECRYPT_FAILED",
		],
	},
	async (ctx, options) => {
		await enterNamedTenant(ctx, options);
		const { tenantId: _, ...body } = ctx.body;
		const result = await dispatchCore(ctx, coreSignInSocial, { body, method: "POST" });
		return ctx.json(withSession<z.output<typeof redirectResponse>>(ctx, result));
	},
);
