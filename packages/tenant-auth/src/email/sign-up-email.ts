import { createAuthEndpoint, formCsrfMiddleware, signUpEmail } from "better-auth/api";
import * as z from "zod";
import { dispatchCore } from "../dispatch-core";
import { openapi, sessionAnswer } from "../openapi";
import type { ResolvedOptions } from "../options";
import { enterNamedTenant } from "../scope/enter-tenant";
import { namedTenantSchema } from "../tenants/tenant";
import { withSession } from "./session-answer";

/** Loose: the host's additional user fields come in the same body. */
const body = z.looseObject({
	tenantId: namedTenantSchema,
	name: z.string().meta({ description: "The user's name" }),
	email: z.email().meta({ description: "The user's e-mail address" }),
	password: z.string().min(1).meta({ description: "The user's password" }),
	image: z.string().optional().meta({ description: "A profile image's URL" }),
	callbackURL: z.string().optional().meta({ description: "Where the verification mail leads" }),
	rememberMe: z.boolean().optional().meta({ description: "Default true" }),
});

export const signUpEmailTenant = (options: ResolvedOptions) =>
	createAuthEndpoint(
		"/tenant/sign-up/email",
		{
			method: "POST",
			use: [formCsrfMiddleware],
			cloneRequest: true,
			body,
			metadata: {
				allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
				openapi: openapi("signUpEmailTenant", "Sign a user up under a tenant", sessionAnswer, [
					"TENANT_ID_REQUIRED",
					"TENANT_NOT_FOUND",
				]),
			},
		},
		async (ctx) => {
			await enterNamedTenant(ctx, options);
			const { tenantId: _, ...body } = ctx.body;
			return ctx.json(
				withSession(ctx, await dispatchCore(ctx, signUpEmail(), { body, method: "POST" })),
			);
		},
	);
