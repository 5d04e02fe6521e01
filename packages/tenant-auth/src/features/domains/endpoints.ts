import * as z from "zod";
import { flag } from "../../described";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import { endpointsOf, successResponse } from "../endpoints/define";
import { DOMAIN_PURPOSES, domainSchema } from "./domain";
import { DOMAIN_ERRORS } from "./error-codes";
import { requireHostName, requireUsableHost } from "./host-name";
import { DOMAIN_ROUTES } from "./routes";
import { addDomain, listDomains, removeDomain, updateDomain, verifyDomain } from "./store";

const { managedTenantEndpoint } = endpointsOf(DOMAIN_ROUTES, DOMAIN_ERRORS);

const domainId = idSchema.meta({ description: "The domain" });

export const addTenantDomain = managedTenantEndpoint(
	"addTenantDomain",
	{
		description: "Add a domain to a tenant; the response has the DNS record that verifies it",
		body: z.object({
			tenantId: namedTenantSchema,
			host: z.string().max(1024).meta({ description: "The host name, such as login.acme.com" }),
			purpose: z
				.enum(DOMAIN_PURPOSES)
				.meta({ description: "login: users sign in at it; email: their emails end with it" }),
		}),
		response: domainSchema,
		errors: ["INVALID_DOMAIN", "DOMAIN_ALREADY_ADDED", "TOO_MANY_DOMAINS"],
	},
	async (ctx, tenant) => {
		const { purpose } = ctx.body;
		const host = requireHostName(ctx.body.host);
		requireUsableHost(ctx.context, host, purpose);
		return ctx.json(await addDomain(ctx, tenant, { host, purpose }));
	},
);

export const listTenantDomains = managedTenantEndpoint(
	"listTenantDomains",
	{
		description: "List a tenant's domains, oldest first",
		query: z.object({ tenantId: namedTenantSchema }).optional(),
		response: z.array(domainSchema),
	},
	async (ctx, tenant) => ctx.json(await listDomains(ctx, tenant)),
);

export const verifyTenantDomain = managedTenantEndpoint(
	"verifyTenantDomain",
	{
		description: "Look up the DNS record of a tenant's domain now, and verify the domain",
		body: z.object({ tenantId: namedTenantSchema, domainId }),
		response: domainSchema,
		errors: [
			"DOMAIN_NOT_FOUND",
			"DOMAIN_TAKEN",
			"DNS_RECORD_NOT_FOUND",
			"DNS_UNAVAILABLE",
			"ROLE_NOT_ALLOWED",
		],
	},
	async (ctx, tenant) => ctx.json(await verifyDomain(ctx, tenant, ctx.body.domainId)),
);

export const updateTenantDomain = managedTenantEndpoint(
	"updateTenantDomain",
	{
		description: "Change what a verified domain of a tenant is used for",
		body: z.object({
			tenantId: namedTenantSchema,
			domainId,
			primary: z
				.boolean()
				.refine((primary) => primary, "make another domain the primary one instead")
				.meta({ description: "true: links in emails lead to this login domain" })
				.optional(),
			discoverable: flag(
				"Anybody may learn that this email domain belongs to the tenant",
			).optional(),
		}),
		response: domainSchema,
		errors: ["DOMAIN_NOT_FOUND", "DOMAIN_NOT_VERIFIED", "INVALID_DOMAIN", "ROLE_NOT_ALLOWED"],
	},
	async (ctx, tenant) => {
		const { domainId, primary, discoverable } = ctx.body;
		return ctx.json(await updateDomain(ctx, tenant, domainId, { primary, discoverable }));
	},
);

export const removeTenantDomain = managedTenantEndpoint(
	"removeTenantDomain",
	{
		description: "Remove a domain from a tenant",
		body: z.object({ tenantId: namedTenantSchema, domainId }),
		response: successResponse,
		errors: ["DOMAIN_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		await removeDomain(ctx, tenant, ctx.body.domainId);
		return ctx.json({ success: true as const });
	},
);
