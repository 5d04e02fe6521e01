import { createAuthEndpoint, formCsrfMiddleware, signInEmail } from "better-auth/api";
import * as z from "zod";
import { enterNamedTenant } from "../../context/gate";
import type { ResolvedOptions } from "../../options";
import { namedTenantSchema } from "../../tenants/tenant";
import { dispatchCore } from "../dispatch-core";
import { openapi, sessionAnswer } from "../openapi";
import { withSession } from "./session-answer";

const body = z.object({
	tenantId: namedTenantSchema,
	email: z.string().meta({ description: "The user's e-mail address" }),
	password: z.string().meta({ description: "The user's password" }),
	callbackURL: z.string().meta({ description: "Where to go after sign-in" }).optional(),
	rememberMe: z.boolean().meta({ description: "Default true" }).optional(),
});

/** Made once: its schemas cost more than the call. */
const coreSignInEmail = signInEmail();

export const signInEmailTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/sign-in/email",
		{
			method: "POST",
			use: [formCsrfMiddleware],
			cloneRequest: true,
			body,
			metadata: {
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
				openapi: openapi("signInEmailTenant", "Sign a user in under a tenant", sessionAnswer, [
					"TENANT_ID_REQUIRED",
					"TENANT_NOT_FOUND",
					"TENANT_SUSPENDED",
					"INVALID_EMAIL",
					"INVALID_EMAIL_OR_PASSWORD",
					"EMAIL_NOT_VERIFIED",
					"PASSWORD_QUEUE_FULL",
				]),
			},
		},
		async (ctx) => {
			await enterNamedTenant(ctx, options);
			const { tenantId: _, ...body } = ctx.body;
			return ctx.json(
				withSession(ctx, await dispatchCore(ctx, coreSignInEmail, { body, method: "POST" })),
			);
		},
	);
