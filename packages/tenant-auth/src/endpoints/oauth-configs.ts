import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { requireActor } from "../audit/audit-event";
import { audited, recordAuditEvent } from "../audit/audit-store";
import {
	clientIdSchema,
	clientSecretSchema,
	oauthConfigSchema,
	redirectUriSchema,
	scopesSchema,
	trustEmailsSchema,
} from "../oauth-clients/config";
import {
	effectiveProviderSchema,
	listEffectiveProviders,
} from "../oauth-clients/effective-providers";
import {
	needsSecret,
	requireBuiltIn,
	requireTrustableEmails,
	requireValidSettings,
} from "../oauth-clients/provider-settings";
import { changeConfig, deleteConfig, listConfigs, upsertConfig } from "../oauth-clients/store";
import { acceptsSeveralClientIds } from "../providers";
import { tenantError } from "../tenant-error";
import { idSchema, namedTenantSchema } from "../tenants/tenant";
import { managedTenantEndpoint, successAnswer } from "./define";

const invalid = (message: string) =>
	new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message });

const registration = z.object({
	tenantId: namedTenantSchema,
	providerId: z.string().meta({ description: "A built-in social provider" }),
	clientId: clientIdSchema.meta({
		description:
			"Stored encrypted. A list for several clients: the first is used for redirects, ID tokens may be issued to any",
	}),
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
	trustEmails: trustEmailsSchema
		.meta({ description: "Email domains for which your app trusts the provider; only your app" })
		.optional(),
	enabled: z.boolean().meta({ description: "Whether sign-in uses it; default true" }).default(true),
});

/**
 * Only the app decides whom it trusts. A tenant's admin, who is allowed by `canManageTenants`, could
 * otherwise sign in as every user of the tenant. Kinds of callers that are not listed are rejected.
 */
function requireAppForTrust(trustEmails: string[] | undefined): void {
	if (trustEmails === undefined) return;
	if (["server", "key", "administrator"].includes(requireActor().kind)) return;
	throw tenantError("TENANT_MANAGEMENT_NOT_ALLOWED", {
		message: "Only the app can set trustEmails: server code, a management key or a platform admin",
	});
}

export const registerTenantOAuthConfig = managedTenantEndpoint(
	"registerTenantOAuthConfig",
	{
		description: "Store a tenant's OAuth client for a provider; it replaces the old one",
		body: registration,
		answer: oauthConfigSchema,
		errors: ["UNSUPPORTED_PROVIDER", "INVALID_PROVIDER_OPTIONS"],
	},
	async (ctx, tenant, options) => {
		const { tenantId: _, clientId, ...input } = ctx.body;
		requireAppForTrust(input.trustEmails);
		requireBuiltIn(input.providerId);
		const clientIds = [...new Set([clientId].flat())];
		const settings = input.options ?? {};
		requireValidSettings(input.providerId, settings, options.allowPrivateProviderHosts);
		if (input.trustEmails?.length) requireTrustableEmails(input.providerId, settings);
		if (input.clientSecret === "" && needsSecret(input.providerId, settings)) {
			throw invalid("[body.clientSecret] clientSecret must not be empty");
		}
		if (clientIds.length > 1 && !acceptsSeveralClientIds(input.providerId)) {
			throw invalid(`[body.clientId] ${input.providerId} has one client id`);
		}
		return ctx.json(
			await upsertConfig(
				ctx.context,
				tenant,
				{
					...input,
					clientIds,
					scopes: input.scopes,
					redirectURI: input.redirectURI,
					trustEmails: input.trustEmails,
					options: Object.keys(settings).length > 0 ? settings : undefined,
				},
				() =>
					recordAuditEvent(ctx, {
						action: "oauth-config:register",
						tenantId: tenant.tenantId,
						targetId: input.providerId,
						detail: {
							enabled: input.enabled,
							...(input.trustEmails ? { trustEmails: input.trustEmails } : {}),
						},
					}),
			),
		);
	},
);

export const listTenantOAuthConfigs = managedTenantEndpoint(
	"listTenantOAuthConfigs",
	{
		description: "List a tenant's OAuth configs, with decrypted client ids and without secrets",
		query: z.object({ tenantId: namedTenantSchema }).optional(),
		answer: z.array(oauthConfigSchema),
		errors: ["OAUTH_CREDENTIAL_DECRYPT_FAILED"],
	},
	async (ctx, tenant) => ctx.json(await listConfigs(ctx.context, tenant)),
);

export const effectiveTenantOAuthConfigs = managedTenantEndpoint(
	"effectiveTenantOAuthConfigs",
	{
		description:
			"For each provider: whose client a tenant's sign-in uses, why, and its last failure",
		query: z.object({ tenantId: namedTenantSchema }).optional(),
		answer: z.array(effectiveProviderSchema),
	},
	async (ctx, { tenantId }) => ctx.json(await listEffectiveProviders(ctx.context, tenantId)),
);

export const updateTenantOAuthConfig = managedTenantEndpoint(
	"updateTenantOAuthConfig",
	{
		description: "Change a tenant's OAuth config; its credentials stay",
		// Nothing that decides where the stored secret is sent. Somebody who could change the issuer and
		// keep the secret could read the secret.
		body: z.object({
			tenantId: namedTenantSchema,
			providerId: idSchema.meta({ description: "The provider of the config" }),
			enabled: z.boolean().meta({ description: "Whether sign-in uses it" }).optional(),
			trustEmails: trustEmailsSchema
				.meta({
					description: "Email domains for which your app trusts the provider; only your app",
				})
				.optional(),
		}),
		answer: oauthConfigSchema,
		errors: [
			"INVALID_PROVIDER_OPTIONS",
			"OAUTH_CONFIG_NOT_FOUND",
			"OAUTH_CREDENTIAL_DECRYPT_FAILED",
		],
	},
	async (ctx, tenant) => {
		const { tenantId: _, providerId, ...changes } = ctx.body;
		requireAppForTrust(changes.trustEmails);
		if (changes.enabled === undefined && changes.trustEmails === undefined) {
			throw invalid("[body] enabled or trustEmails is required");
		}
		const changed = await audited(
			ctx,
			() => changeConfig(ctx.context, tenant, providerId, changes),
			() => ({
				action: "oauth-config:update",
				tenantId: tenant.tenantId,
				targetId: providerId,
				detail: changes,
			}),
		);
		return ctx.json(changed);
	},
);

export const deleteTenantOAuthConfig = managedTenantEndpoint(
	"deleteTenantOAuthConfig",
	{
		description: "Delete a tenant's OAuth config for a provider",
		body: z.object({
			tenantId: namedTenantSchema,
			providerId: idSchema.meta({ description: "The provider of the config" }),
		}),
		answer: successAnswer,
		errors: ["OAUTH_CONFIG_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const { providerId } = ctx.body;
		await audited(
			ctx,
			() => deleteConfig(ctx.context, tenant, providerId),
			() => ({
				action: "oauth-config:delete",
				tenantId: tenant.tenantId,
				targetId: providerId,
			}),
		);
		return ctx.json({ success: true as const });
	},
);
