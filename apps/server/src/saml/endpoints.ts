import { APIError, createAuthEndpoint } from "better-auth/api";
import { manageTenant } from "better-auth-tenant";
import * as z from "zod";
import { describe } from "../endpoint-description";
import { success, tenantId } from "../openid-provider/applications/endpoint-schemas";
import type { ServiceConfig } from "../settings/service-config";
import { findEmailDomains } from "./email-domains";
import { readIdpMetadata, writeIdpMetadata } from "./idp-metadata";
import { mappableRoles } from "./mapped-roles";
import { providerStore, type StoredProvider } from "./provider-store";
import { serviceProviderOf } from "./service-provider";

const attributeName = z.string().trim().min(1).max(255);

const attributes = z
	.strictObject({
		email: attributeName.optional().meta({ description: "Of the email; default email" }),
		name: attributeName.optional().meta({ description: "Of the name; default displayName" }),
		role: attributeName.optional().meta({ description: "Of the groups that decide the role" }),
	})
	.meta({ description: "Names of attributes" });

const MAX_ROLES = 100;
const ROLES = "The tenant role for each group, the strongest first";

const identityProvider = z.object({
	entityId: z.string().meta({ description: "Its entity id" }),
	signInUrl: z.string().meta({ description: "Where users are sent" }),
	certificates: z
		.array(z.object({ fingerprint: z.string(), expiresAt: z.date() }))
		.meta({ description: "The certificates of its metadata" }),
	attributes,
	roles: z.record(z.string(), z.string()).meta({ description: ROLES }),
});

const connection = z.object({
	entityId: z.string().meta({ description: "The entity id of the tenant" }),
	acsUrl: z.string().meta({ description: "Where the identity provider sends its responses" }),
	metadataUrl: z.string().meta({ description: "The metadata of the tenant" }),
	signInUrl: z.string().meta({ description: "Where a sign-in starts" }),
	emailDomains: z
		.array(z.string())
		.meta({ description: "Only people with emails of these verified domains can sign in" }),
	identityProvider: identityProvider
		.nullable()
		.meta({ description: "The identity provider; null if there is none" }),
});

/** The endpoints that manage the SAML identity provider of a tenant. */
export function samlEndpoints(config: ServiceConfig) {
	const allowHttp = config.settings.allowPrivateProviderHosts;
	type Context = Parameters<typeof manageTenant>[0];

	async function describeConnection(
		ctx: Context,
		{ tenantId, slug, read }: Awaited<ReturnType<typeof manageTenant>>,
	): Promise<z.output<typeof connection>> {
		const found = await read(providerStore(ctx.context).find);
		const { errorUrl: _, ...urls } = serviceProviderOf(config, slug);
		return {
			...urls,
			emailDomains: await findEmailDomains(ctx.context.adapter, tenantId),
			identityProvider: found && describeIdentityProvider(found),
		};
	}

	function describeIdentityProvider({ metadata, ...mapping }: StoredProvider) {
		const { certificates, ...rest } = readIdpMetadata(metadata, true);
		const shown = certificates.map(({ base64: _, ...certificate }) => certificate);
		return { ...rest, certificates: shown, ...mapping };
	}

	return {
		getTenantSaml: createAuthEndpoint(
			"/tenant/saml/get",
			{
				method: "GET",
				query: z.object({ tenantId }).optional(),
				metadata: describe(
					"Get the SAML identity provider of a tenant, and its own URLs",
					connection,
				),
			},
			async (ctx) => ctx.json(await describeConnection(ctx, await manageTenant(ctx, "saml:get"))),
		),
		setTenantSaml: createAuthEndpoint(
			"/tenant/saml/set",
			{
				method: "POST",
				body: z
					.strictObject({
						tenantId,
						metadata: z.string().optional().meta({
							description: "The metadata of the identity provider, as XML; default the saved one",
						}),
						attributes: attributes.optional(),
						roles: z
							.record(attributeName, z.enum(mappableRoles(config.settings)))
							.refine((roles) => Object.keys(roles).length <= MAX_ROLES)
							.optional()
							.meta({ description: ROLES }),
					})
					.refine(({ attributes, roles }) => hasRole(attributes) === hasEntries(roles), {
						message: "attributes.role and roles belong together: give both or neither",
						path: ["roles"],
					}),
				metadata: describe("Save the SAML identity provider of a tenant", connection),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "saml:set");
				// It signs in whom it wants, owners too.
				tenant.requireOwner("Only an owner can set up SAML");
				const { attributes = {}, roles = {} } = ctx.body;
				const saved = () => tenant.read(providerStore(ctx.context).find);
				const text = ctx.body.metadata ?? (await saved())?.metadata;
				if (text === undefined) throw notFound();
				const given = readIdpMetadata(text, allowHttp);
				const metadata = writeIdpMetadata(given);
				const { entityId, signInUrl } = given;
				const provider = { metadata, attributes, roles, signInUrl };
				const own = serviceProviderOf(config, tenant.slug);
				const domains = await findEmailDomains(ctx.context.adapter, tenant.tenantId);
				if (domains.length === 0) throw noDomain();
				await tenant.change(
					() => providerStore(ctx.context).save(own, { ...provider, domains }),
					() => ({ targetId: entityId.slice(0, 255) }),
				);
				return ctx.json(await describeConnection(ctx, tenant));
			},
		),
		removeTenantSaml: createAuthEndpoint(
			"/tenant/saml/remove",
			{
				method: "POST",
				body: z.strictObject({ tenantId }),
				metadata: describe(
					"Remove the SAML identity provider of a tenant; its users stay",
					success,
				),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "saml:remove");
				tenant.requireOwner("Only an owner can remove SAML");
				await tenant.change(
					async () => {
						if (!(await providerStore(ctx.context).remove())) throw notFound();
					},
					() => ({}),
				);
				return ctx.json({ success: true as const });
			},
		),
	};
}

const hasRole = (names: z.output<typeof attributes> = {}): boolean => names.role !== undefined;
const hasEntries = (record: object = {}): boolean => Object.keys(record).length > 0;

const noDomain = () =>
	new APIError("CONFLICT", {
		code: "SAML_NEEDS_EMAIL_DOMAIN",
		message: "Verify an email domain of the tenant first. Only people with its emails can sign in",
	});

const notFound = () =>
	new APIError("NOT_FOUND", {
		code: "SAML_NOT_SET_UP",
		message: "The tenant has no SAML identity provider",
	});
