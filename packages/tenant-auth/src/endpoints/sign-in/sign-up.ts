import { createAuthEndpoint, formCsrfMiddleware, signUpEmail } from "better-auth/api";
import * as z from "zod";
import { enterNamedTenant } from "../../context/gate";
import type { ResolvedOptions } from "../../options";
import { namedTenantSchema } from "../../tenants/tenant";
import { dispatchCore } from "../dispatch-core";
import { openapi, sessionAnswer } from "../openapi";
import { withSession } from "./session-answer";

/** As long as the columns that core makes on MySQL; PostgreSQL takes no NUL. */
const storable = (maxLength: number) =>
	z
		.string()
		.max(maxLength)
		.regex(/^[^\0]*$/, "must not contain NUL");

const fields = z.object({
	tenantId: namedTenantSchema,
	name: storable(255).meta({ description: "The user's name" }),
	email: z.email().max(255).meta({ description: "The user's e-mail address" }),
	password: z.string().min(1).meta({ description: "The user's password" }),
	image: storable(16_000).meta({ description: "A profile image's URL" }).optional(),
	callbackURL: z.string().meta({ description: "Where the verification mail leads" }).optional(),
	rememberMe: z.boolean().meta({ description: "Default true" }).optional(),
});

/** The host's additional user fields come in the same body. */
const body = fields.loose();

/** Made once: its schemas cost more than the call. */
const coreSignUpEmail = signUpEmail();

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
				// A type that admits any field would let the typed client check none.
				$Infer: { body: {} as z.input<typeof fields> },
				openapi: openapi("signUpEmailTenant", "Sign a user up under a tenant", sessionAnswer, [
					"TENANT_ID_REQUIRED",
					"TENANT_NOT_FOUND",
					"TENANT_SUSPENDED",
					"INVALID_EMAIL",
					"PASSWORD_TOO_SHORT",
					"PASSWORD_TOO_LONG",
					"USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
					"PASSWORD_QUEUE_FULL",
				]),
			},
		},
		async (ctx) => {
			await enterNamedTenant(ctx, options);
			const { tenantId: _, ...body } = ctx.body;
			return ctx.json(
				withSession(ctx, await dispatchCore(ctx, coreSignUpEmail, { body, method: "POST" })),
			);
		},
	);
