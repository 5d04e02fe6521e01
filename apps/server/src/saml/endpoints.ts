import { createAuthEndpoint, isAPIError } from "better-auth/api";
import { manageTenant } from "better-auth-tenant";
import { requireTestAllowed } from "better-auth-tenant/openid";
import * as z from "zod";
import { describe, tenantId } from "../endpoint-description";
import { groupRolesSchema } from "../group-roles";
import { success } from "../openid-provider/applications/endpoint-schemas";
import type { ServiceConfig } from "../settings/service-config";
import { findEmailDomains } from "./email-domains";
import { noDomain, notSetUp } from "./errors";
import { fetchIdpMetadata } from "./fetch-metadata";
import { readIdpMetadata, writeIdpMetadata } from "./idp-metadata";
import { providerStore, readSavedMetadata, type StoredProvider } from "./provider-store";
import { refreshMetadata } from "./refresh";
import { serviceProviderOf } from "./service-provider";

const attributeName = z.string().trim().min(1).max(255);

const attributes = z
	.strictObject({
		email: attributeName.optional().meta({ description: "Of the email; default email" }),
		name: attributeName.optional().meta({ description: "Of the name; default displayName" }),
		role: attributeName.optional().meta({ description: "Of the groups that decide the role" }),
	})
	.meta({ description: "Names of attributes" });

const identityProvider = z.object({
	entityId: z.string().meta({ description: "Its entity id" }),
	signInUrl: z.string().meta({ description: "Where users are sent" }),
	certificates: z
		.array(z.object({ fingerprint: z.string(), expiresAt: z.date() }))
		.meta({ description: "The certificates of its metadata" }),
	attributes,
	roles: z.record(z.string(), z.string()).meta({ description: "The tenant role for each group" }),
	metadataUrl: z
		.string()
		.nullable()
		.meta({ description: "Where its metadata is loaded from; null if it was pasted" }),
	load: z
		.object({
			checkedAt: z.date().meta({ description: "When the URL was last read" }),
			problem: z
				.object({
					code: z.string().meta({ description: "The code of the error" }),
					message: z.string().meta({ description: "What is wrong" }),
					since: z.date().meta({ description: "When it was first seen" }),
				})
				.nullable()
				.meta({ description: "Why the saved metadata stayed; null if there is no problem" }),
		})
		.nullable()
		.meta({ description: "How the last attempt to load the metadata ended" }),
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

const refreshed = connection.extend({
	changed: z.boolean().meta({ description: "Whether the metadata was new" }),
});

/** The endpoints that manage the SAML identity provider of a tenant. */
export function samlEndpoints(config: ServiceConfig) {
	const allowPrivate = config.settings.allowPrivateProviderHosts;
	type Context = Parameters<typeof manageTenant>[0];
	type Tenant = Awaited<ReturnType<typeof manageTenant>>;

	async function describeConnection(
		ctx: Context,
		{ tenantId, slug, read }: Tenant,
	): Promise<z.output<typeof connection>> {
		const found = await read(providerStore(ctx.context).find);
		const { errorUrl: _, ...urls } = serviceProviderOf(config, slug);
		return {
			...urls,
			emailDomains: await findEmailDomains(ctx.context.adapter, tenantId),
			identityProvider: found && describeIdentityProvider(found),
		};
	}

	/** What is given: a URL or XML. Otherwise what is saved. */
	async function resolveMetadata(
		ctx: Context,
		tenant: Tenant,
		{ metadata, metadataUrl }: { metadata?: string | undefined; metadataUrl?: string | undefined },
	) {
		if (metadataUrl) {
			requireTestAllowed(config, tenant.tenantId);
			const given = await fetchIdpMetadata(metadataUrl, allowPrivate);
			return { given, metadataUrl, load: { checkedAt: new Date(), problem: null } };
		}
		const pasted = { metadata, metadataUrl: null, load: null };
		const source =
			metadata === undefined ? await tenant.read(providerStore(ctx.context).find) : pasted;
		if (source?.metadata === undefined) throw notSetUp();
		const { load } = source;
		const given = readIdpMetadata(source.metadata, allowPrivate);
		return { given, metadataUrl: source.metadataUrl, load };
	}

	function describeIdentityProvider(stored: StoredProvider) {
		const { metadata: _, audience: __, ...mapping } = stored;
		const { certificates, ...rest } = readSavedMetadata(stored);
		const shown = certificates.map(({ fingerprint, expiresAt }) => ({ fingerprint, expiresAt }));
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
						metadataUrl: z.string().max(2048).optional().meta({
							description: "Where the metadata is loaded from, now and once a day",
						}),
						attributes: attributes.optional(),
						roles: groupRolesSchema(config.settings).optional(),
					})
					.refine(({ attributes, roles }) => hasRole(attributes) === hasEntries(roles), {
						message: "attributes.role and roles belong together: give both or neither",
						path: ["roles"],
					})
					.refine(({ metadata, metadataUrl }) => !(metadata && metadataUrl), {
						message: "give metadata or metadataUrl, and not both",
						path: ["metadataUrl"],
					}),
				metadata: describe("Save the SAML identity provider of a tenant", connection),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "saml:set");
				// It signs in whom it wants, owners too.
				tenant.requireOwner("Only an owner can set up SAML");
				const { attributes = {}, roles = {} } = ctx.body;
				const domains = await findEmailDomains(ctx.context.adapter, tenant.tenantId);
				if (domains.length === 0) throw noDomain();
				const { given, ...source } = await resolveMetadata(ctx, tenant, ctx.body);
				const { entityId, signInUrl } = given;
				const metadata = writeIdpMetadata(given);
				const provider = { metadata, attributes, roles, signInUrl, ...source };
				const own = serviceProviderOf(config, tenant.slug);
				const store = providerStore(ctx.context);
				const save = () =>
					tenant.change(
						() => store.save(own, { ...provider, domains }),
						() => ({
							targetId: entityId.slice(0, 255),
							// The whole URL may have a secret in it.
							...(source.metadataUrl && {
								detail: { metadataHost: new URL(source.metadataUrl).host },
							}),
						}),
					);
				await save().catch(async (error: unknown) => {
					// Two owners may save the first one at the same time. The second one changes it.
					if (isAPIError(error) || !(await tenant.read(store.find))) throw error;
					await save();
				});
				return ctx.json(await describeConnection(ctx, tenant));
			},
		),
		refreshTenantSaml: createAuthEndpoint(
			"/tenant/saml/refresh",
			{
				method: "POST",
				body: z.strictObject({ tenantId }),
				metadata: describe(
					"Load the metadata of the SAML identity provider of a tenant from its URL again",
					refreshed,
				),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "saml:refresh");
				tenant.requireOwner("Only an owner can load the metadata again");
				requireTestAllowed(config, tenant.tenantId);
				const { context } = ctx;
				const changed = await refreshMetadata(tenant, { context, allowPrivate });
				return ctx.json({ ...(await describeConnection(ctx, tenant)), changed });
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
						if (!(await providerStore(ctx.context).remove())) throw notSetUp();
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
