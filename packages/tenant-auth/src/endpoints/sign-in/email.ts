import { formCsrfMiddleware, signInEmail } from "better-auth/api";
import * as z from "zod";
import { enterNamedTenant } from "../../context/gate";
import { namedTenantSchema } from "../../tenants/tenant";
import { publicEndpoint } from "../define";
import { dispatchCore } from "../dispatch-core";
import { signInAnswer, type TwoFactorAnswer, withSession } from "./session-answer";

/** Made once: its schemas cost more than the call. */
const coreSignInEmail = signInEmail();

export const signInEmailTenant = publicEndpoint(
	"signInEmailTenant",
	{
		description: "Sign in a user of a tenant",
		use: [formCsrfMiddleware],
		cloneRequest: true,
		body: z.object({
			tenantId: namedTenantSchema,
			email: z.string().meta({ description: "The user's email" }),
			password: z.string().meta({ description: "The user's password" }),
			callbackURL: z.string().meta({ description: "Where to go after sign-in" }).optional(),
			rememberMe: z.boolean().meta({ description: "Default true" }).optional(),
		}),
		answer: signInAnswer,
		errors: [
			"TENANT_ID_REQUIRED",
			"TENANT_NOT_FOUND",
			"TENANT_SUSPENDED",
			"INVALID_EMAIL",
			"INVALID_EMAIL_OR_PASSWORD",
			"EMAIL_NOT_VERIFIED",
			"PASSWORD_QUEUE_FULL",
		],
		metadata: { allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"] },
	},
	async (ctx, options) => {
		await enterNamedTenant(ctx, options);
		const { tenantId: _, ...body } = ctx.body;
		const answer = await dispatchCore(ctx, coreSignInEmail, { body, method: "POST" });
		return ctx.json(withSession<TwoFactorAnswer>(ctx, answer));
	},
);
