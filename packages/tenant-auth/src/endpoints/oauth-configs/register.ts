import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { recordAuditEvent } from "../../audit/audit-store";
import { requireBuiltIn } from "../../oauth-clients/built-in-providers";
import {
	clientIdSchema,
	clientSecretSchema,
	oauthConfigSchema,
	redirectUriSchema,
	scopesSchema,
} from "../../oauth-clients/config";
import { needsSecret, requireValidSettings } from "../../oauth-clients/provider-settings";
import { upsertConfig } from "../../oauth-clients/store";
import { namedTenantSchema } from "../../tenants/tenant";
import { managedTenantEndpoint } from "../define";

const body = z.object({
	tenantId: namedTenantSchema,
	providerId: z.string().meta({ description: "A built-in social provider" }),
	clientId: clientIdSchema.meta({ description: "Stored encrypted" }),
	clientSecret: clientSecretSchema.meta({ description: "Stored encrypted, never returned" }),
	scopes: scopesSchema
		.meta({ description: "Scopes beside the provider's default ones" })
		.optional(),
	redirectURI: redirectUriSchema
		.meta({ description: "Used instead of the callback URL" })
		.optional(),
	options: z
		.record(z.string(), z.unknown())
		.meta({ description: "The provider's own settings, such as GitLab's issuer" })
		.optional(),
	enabled: z.boolean().meta({ description: "Whether sign-in uses it; default true" }).default(true),
});

export const registerTenantOAuthConfig = managedTenantEndpoint(
	"registerTenantOAuthConfig",
	{
		description: "Store a tenant's OAuth client for a provider; it replaces the old one",
		body,
		answer: oauthConfigSchema,
		errors: ["UNSUPPORTED_PROVIDER", "INVALID_PROVIDER_OPTIONS"],
	},
	async (ctx, tenant, options) => {
		const { tenantId: _, ...input } = ctx.body;
		requireBuiltIn(input.providerId);
		const settings = input.options ?? {};
		requireValidSettings(input.providerId, settings, options.allowPrivateProviderHosts);
		if (input.clientSecret === "" && needsSecret(input.providerId, settings)) {
			throw new APIError("BAD_REQUEST", {
				code: "VALIDATION_ERROR",
				message: "[body.clientSecret] clientSecret must not be empty",
			});
		}
		return ctx.json(
			await upsertConfig(
				ctx.context,
				tenant,
				{
					...input,
					scopes: input.scopes,
					redirectURI: input.redirectURI,
					options: Object.keys(settings).length > 0 ? settings : undefined,
				},
				() =>
					recordAuditEvent(ctx, {
						action: "oauth-config:register",
						tenantId: tenant.tenantId,
						targetId: input.providerId,
						detail: { enabled: input.enabled },
					}),
			),
		);
	},
);
