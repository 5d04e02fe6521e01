import * as z from "zod";
import { exists, isOpen } from "../../call/context/gate";
import { headersOf } from "../../call/context/presented-sessions";
import { findTenantIdOfHost, unusedId } from "../../call/context/tenant-id";
import { text, textOrNull } from "../../described";
import { emailSchema } from "../../email-address";
import { endpointsOf, successResponse } from "../endpoints/define";
import { domainError } from "./domain-error";
import { DOMAIN_ERRORS } from "./error-codes";
import { findDomainWithTenant, findLoginHost, findTenantOfHost } from "./find-domains";
import { findEmailDomain, isHostName } from "./host-name";
import { DOMAIN_ROUTES } from "./routes";

const { publicEndpoint } = endpointsOf(DOMAIN_ROUTES, DOMAIN_ERRORS);

const found = z.object({
	id: text("Unique id"),
	name: text("Display name"),
	slug: text("Unique name for URLs"),
	loginHost: textOrNull("The verified host at which its users sign in"),
});

/**
 * Public, because it is called before sign-in. It returns the tenant only if the tenant has verified the
 * email's domain and wants to be found. For every other email it does the same work and returns the same,
 * so nobody can find out who the customers of the app are.
 */
export const discoverTenant = publicEndpoint(
	"discoverTenant",
	{
		description: "The tenant whose users have emails of this domain, if it wants to be found",
		query: z.object({ email: emailSchema.meta({ description: "The email of the user" }) }),
		response: z.object({ tenant: found.nullable() }),
	},
	async (ctx, options) => {
		const ofHost = headersOf(ctx) ? await findTenantIdOfHost(ctx, options) : null;
		const host = findEmailDomain(ctx.query.email) ?? "";
		const domain = await findDomainWithTenant(ctx.context, "email", host);
		const isShown = domain?.domain.discoverable === true && isOpen(domain.tenant);
		// At the host of one tenant, other tenants do not exist.
		const isHere = ofHost === null || ofHost === domain?.tenant.id;
		const tenant = isShown && isHere ? domain.tenant : null;
		const tenantId = tenant?.id ?? unusedId(ctx.context.options);
		const loginHost = await findLoginHost(ctx.context, tenantId);
		if (!tenant) return ctx.json({ tenant: null });
		const { id, name, slug } = tenant;
		return ctx.json({ tenant: { id, name, slug, loginHost } });
	},
);

/**
 * For a server that gets certificates on demand, such as Caddy: it asks before it does so for a host. The
 * response is public anyway, because the host itself responds or does not.
 */
export const askTenantDomain = publicEndpoint(
	"askTenantDomain",
	{
		description: "Whether a host name is the verified login domain of a tenant",
		query: z.object({ domain: z.string().max(255).meta({ description: "The host name" }) }),
		response: successResponse,
		errors: ["DOMAIN_NOT_FOUND"],
	},
	async (ctx) => {
		const host = ctx.query.domain.toLowerCase();
		const tenant = isHostName(host) ? await findTenantOfHost(ctx.context, host) : null;
		// A suspended tenant keeps its certificate, so that browsers show the response and not a warning.
		if (!exists(tenant)) throw domainError("DOMAIN_NOT_FOUND");
		return ctx.json({ success: true as const });
	},
);
