import { signInEmail, signUpEmail } from "better-auth/api";
import * as z from "zod";
import { enterNamedTenant } from "../../../call/context/gate";
import { flag, text } from "../../../described";
import { namedTenantSchema } from "../../../management/tenants/tenant";
import { publicEndpoint } from "../define";
import { dispatchCore } from "../dispatch-core";
import { requireKnownUserFields } from "../strict-schemas";
import { userFields } from "../user-fields";
import {
	sessionResponse,
	signInResponse,
	type TwoFactorResponse,
	withSession,
} from "./session-response";

/** Made once: its schemas cost more than the call. */
const coreSignInEmail = signInEmail();

const credentials = z.object({
	tenantId: namedTenantSchema,
	email: text("The user's email"),
	password: text("The user's password"),
	callbackURL: text("Where to go after sign-in").optional(),
	rememberMe: flag("Default true").optional(),
});

export const signInEmailTenant = publicEndpoint(
	"signInEmailTenant",
	{
		description: "Sign in a user of a tenant",
		cloneRequest: true,
		// As core does, it ignores user fields: one form may be for sign-up and sign-in.
		body: credentials.loose(),
		response: signInResponse,
		errors: [
			"TENANT_ID_REQUIRED",
			"TENANT_NOT_FOUND",
			"TENANT_SUSPENDED",
			"INVALID_EMAIL",
			"INVALID_EMAIL_OR_PASSWORD",
			"EMAIL_NOT_VERIFIED",
			"SIGN_IN_METHOD_NOT_ALLOWED",
			"USER_DISABLED",
			"PASSWORD_QUEUE_FULL",
		],
		metadata: {
			allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
			// With a type that allows any field, the typed client could not check any.
			$Infer: { body: {} as z.input<typeof credentials> },
		},
	},
	async (ctx, options) => {
		requireKnownUserFields(ctx, credentials);
		await enterNamedTenant(ctx, options);
		const { tenantId: _, ...body } = ctx.body;
		const result = await dispatchCore(ctx, coreSignInEmail, { body, method: "POST" });
		return ctx.json(withSession<TwoFactorResponse>(ctx, result));
	},
);

const fields = z.object({
	tenantId: namedTenantSchema,
	name: userFields.name,
	email: userFields.email,
	password: userFields.password,
	image: userFields.image.optional(),
	callbackURL: text("Where the link in the verification email leads").optional(),
	rememberMe: flag("Default true").optional(),
});

/** Made once: its schemas cost more than the call. */
const coreSignUpEmail = signUpEmail();

export const signUpEmailTenant = publicEndpoint(
	"signUpEmailTenant",
	{
		description: "Sign up a user of a tenant",
		cloneRequest: true,
		// The app's additional user fields come in the same body.
		body: fields.loose(),
		response: sessionResponse,
		errors: [
			"TENANT_ID_REQUIRED",
			"TENANT_NOT_FOUND",
			"TENANT_SUSPENDED",
			"PASSWORD_TOO_SHORT",
			"PASSWORD_TOO_LONG",
			"SIGN_UP_NOT_ALLOWED",
			"INVITATION_REQUIRED",
			"EMAIL_DOMAIN_NOT_ALLOWED",
			"SIGN_IN_METHOD_NOT_ALLOWED",
			"PASSWORD_COMPROMISED",
			"PASSWORD_CHECK_UNAVAILABLE",
			"USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
			"PASSWORD_QUEUE_FULL",
		],
		metadata: {
			allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
			// With a type that allows any field, the typed client could not check any.
			$Infer: { body: {} as z.input<typeof fields> },
		},
	},
	async (ctx, options) => {
		requireKnownUserFields(ctx, fields);
		await enterNamedTenant(ctx, options);
		const { tenantId: _, ...body } = ctx.body;
		return ctx.json(
			withSession(ctx, await dispatchCore(ctx, coreSignUpEmail, { body, method: "POST" })),
		);
	},
);
