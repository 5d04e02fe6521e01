import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { requireInstance, requireState } from "../../call/context/current-state";
import type { TenantScope } from "../../call/context/tenant";
import { flag } from "../../described";
import { isActingOwner } from "../../management/access/acting-member";
import { requireApp } from "../../management/access/authorize";
import { audited, recordAuditEvent } from "../../management/audit/audit-store";
import { checkOwnChange, checkOwnConfig } from "../../management/oauth-clients/check-own-config";
import { decryptField } from "../../management/oauth-clients/cipher";
import {
	clientIdSchema,
	clientSecretSchema,
	oauthConfigSchema,
	type ProviderSettings,
	redirectUriSchema,
	scopesSchema,
	settingsOf,
	type TenantProviderId,
	trustEmailsSchema,
} from "../../management/oauth-clients/config";
import {
	effectiveProviderSchema,
	listEffectiveProviders,
} from "../../management/oauth-clients/effective-providers";
import { listConfigs } from "../../management/oauth-clients/find-configs";
import {
	findMovedSettings,
	needsSecret,
	requireProvider,
	requireTrustableEmails,
	requireValidSettings,
} from "../../management/oauth-clients/provider-settings";
import {
	changeConfig,
	deleteConfig,
	type OAuthConfigChange,
	upsertConfig,
} from "../../management/oauth-clients/store";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import type { ResolvedOptions } from "../../options";
import { acceptsSeveralClientIds } from "../../providers";
import { tenantError } from "../../tenant-error";
import { managedTenantEndpoint, successResponse, tenantBody, tenantQuery } from "./define";

/**
 * Typed as the known providers. Any text passes the schema: an unknown provider has its own error code,
 * and a stored config may be of a provider that Better Auth has removed.
 */
const provider = (text: z.ZodType<string>) => text as z.ZodType<TenantProviderId, TenantProviderId>;

const providerOptions = z.record(z.string(), z.unknown());

const registration = tenantBody.extend({
	providerId: provider(z.string()).meta({
		description: "A built-in social provider, or oidc: and a name for an OpenID Connect provider",
	}),
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
	options: providerOptions
		.meta({ description: "The provider's own settings, such as GitLab's issuer" })
		.optional(),
	trustEmails: trustEmailsSchema
		.meta({
			description:
				"Email domains for which your app trusts the provider; a tenant can only set verified ones",
		})
		.optional(),
	enabled: flag("Whether sign-in uses it; default true").default(true),
});

const ofConfig = {
	tenantId: namedTenantSchema,
	providerId: provider(idSchema).meta({ description: "The provider of the config" }),
};

const change = registration.partial().extend({
	...ofConfig,
	redirectURI: redirectUriSchema
		.meta({ description: "Used instead of the callback URL; null removes it" })
		.nullable()
		.optional(),
	options: providerOptions
		.meta({ description: "Replaces all of the provider's own settings; null removes them" })
		.nullable()
		.optional(),
	// Not the one above: a change that leaves it out must not enable the config.
	enabled: flag("Whether sign-in uses it").optional(),
});

/**
 * The operator of a trusted provider can sign in as every user of its domains, owners too. So only the app
 * decides whom it trusts, and an owner for the domains that the tenant has verified. Somebody whom
 * `canManageTenants` allows with `true` may be an admin of the tenant.
 */
async function requireRightToTrust(
	{ context }: GenericEndpointContext,
	{ tenantId }: TenantScope,
	trustEmails: string[] | undefined,
): Promise<void> {
	if (trustEmails === undefined) return;
	if (trustEmails.length > 0 && isActingOwner()) {
		const { emailDomains } = requireInstance(context).features;
		const own = await Promise.all(emailDomains.map((find) => find(context, tenantId)));
		if (trustEmails.every((domain) => own.flat().includes(domain))) return;
	}
	requireApp("set trustEmails, except an owner for domains that the tenant has verified");
}

export const registerTenantOAuthConfig = managedTenantEndpoint(
	"registerTenantOAuthConfig",
	{
		description: "Store a tenant's OAuth client for a provider; it replaces the old one",
		body: registration,
		response: oauthConfigSchema,
		errors: [
			"UNSUPPORTED_PROVIDER",
			"TENANT_OPENID_REQUIRED",
			"INVALID_PROVIDER_OPTIONS",
			"ROLE_NOT_FOUND",
			"ROLE_NOT_ALLOWED",
			"TOO_MANY_OWN_PROVIDERS",
		],
	},
	async (ctx, tenant, options) => {
		const { tenantId: _, clientId, ...input } = ctx.body;
		await requireRightToTrust(ctx, tenant, input.trustEmails);
		requireProvider(input.providerId, requireInstance(ctx.context));
		const clientIds = requireClientIds(input.providerId, clientId);
		const settings = input.options ?? {};
		const replaced = { providerId: input.providerId, settings: null };
		const readSecret = async () => input.clientSecret;
		await requireValidChange(replaced, { ...input, options: settings }, options, readSecret);
		await checkOwnConfig(ctx.context, {
			tenantId: tenant.tenantId,
			providerId: input.providerId,
			settings,
			hasNewSettings: true,
			hasSecret: async () => input.clientSecret !== "",
		});
		return ctx.json(
			await upsertConfig(
				ctx.context,
				tenant,
				{
					...input,
					clientIds,
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
		query: tenantQuery,
		response: z.array(oauthConfigSchema),
		errors: ["OAUTH_CREDENTIAL_DECRYPT_FAILED"],
	},
	async (ctx, tenant) => ctx.json(await listConfigs(ctx.context, tenant)),
);

export const effectiveTenantOAuthConfigs = managedTenantEndpoint(
	"effectiveTenantOAuthConfigs",
	{
		description:
			"For each provider: whose client a tenant's sign-in uses, why, and its last failure",
		query: tenantQuery,
		response: z.array(effectiveProviderSchema),
	},
	async (ctx, { tenantId }) => {
		const tenant = await requireState(ctx.context).readTenant(tenantId);
		if (!tenant) throw tenantError("TENANT_NOT_FOUND");
		return ctx.json(await listEffectiveProviders(ctx.context, tenant));
	},
);

export const updateTenantOAuthConfig = managedTenantEndpoint(
	"updateTenantOAuthConfig",
	{
		description: "Change a tenant's OAuth config; what is left out stays, the secret too",
		body: change,
		response: oauthConfigSchema,
		errors: [
			"OAUTH_CONFIG_NOT_FOUND",
			"TENANT_OPENID_REQUIRED",
			"INVALID_PROVIDER_OPTIONS",
			"ROLE_NOT_FOUND",
			"ROLE_NOT_ALLOWED",
			"OAUTH_CREDENTIAL_DECRYPT_FAILED",
		],
	},
	async (ctx, tenant, options) => {
		const { tenantId: _, providerId, ...fields } = ctx.body;
		await requireRightToTrust(ctx, tenant, fields.trustEmails);
		const { clientId, ...rest } = fields;
		const changes: OAuthConfigChange = {
			...rest,
			...(clientId === undefined ? {} : { clientIds: requireClientIds(providerId, clientId) }),
		};
		await checkOwnChange(ctx.context, { tenantId: tenant.tenantId, providerId }, changes);
		const changed = await audited(
			ctx,
			() =>
				changeConfig(ctx.context, tenant, providerId, changes, (row) =>
					requireValidChange({ providerId, settings: settingsOf(row) }, changes, options, () =>
						decryptField(ctx.context, row, "clientSecret"),
					),
				),
			() => ({
				action: "oauth-config:update",
				tenantId: tenant.tenantId,
				targetId: providerId,
				detail: detailOf(fields),
			}),
		);
		return ctx.json(changed);
	},
);

/** The config is checked as it will be. Enabling or disabling it needs no check. */
async function requireValidChange(
	{ providerId, settings: before }: { providerId: string; settings: ProviderSettings | null },
	{ clientSecret, options, trustEmails }: OAuthConfigChange,
	{ allowPrivateProviderHosts }: ResolvedOptions,
	readSecret: () => Promise<string>,
): Promise<void> {
	const after = options === undefined ? before : options;
	if (options !== undefined) {
		requireValidSettings(providerId, after ?? {}, allowPrivateProviderHosts);
	}
	if (trustEmails?.length) requireTrustableEmails(providerId, after);
	if (clientSecret === undefined && options === undefined) return;
	const secret = clientSecret ?? (await readSecret());
	if (secret === "" && needsSecret(providerId, after)) throw secretRequired("must not be empty");
	// Somebody who could change the server and keep the secret could read the secret there.
	const [moved] = findMovedSettings(providerId, before, after);
	if (moved && secret !== "" && clientSecret === undefined) {
		throw secretRequired(`is required to change ${moved}: the stored one is not sent elsewhere`);
	}
}

function requireClientIds(providerId: string, clientId: string | string[]): string[] {
	const clientIds = [...new Set([clientId].flat())];
	if (clientIds.length > 1 && !acceptsSeveralClientIds(providerId)) {
		throw invalid(`[body.clientId] ${providerId} has one client id`);
	}
	return clientIds;
}

const secretRequired = (problem: string) => invalid(`[body.clientSecret] clientSecret ${problem}`);

const invalid = (message: string) =>
	new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message });

/** Only the names of the changed fields: the values may be secret. */
function detailOf({ enabled, ...rest }: { enabled?: boolean | undefined }) {
	const fields = Object.keys(rest).sort();
	return {
		...(typeof enabled === "boolean" ? { enabled } : {}),
		...(fields.length > 0 ? { fields } : {}),
	};
}

export const deleteTenantOAuthConfig = managedTenantEndpoint(
	"deleteTenantOAuthConfig",
	{
		description: "Delete a tenant's OAuth config for a provider",
		body: z.object(ofConfig),
		response: successResponse,
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
