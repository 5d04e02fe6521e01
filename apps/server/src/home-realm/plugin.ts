import { domainToASCII } from "node:url";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import * as z from "zod";
import { describe } from "../endpoint-description";
import { findDomainProviders } from "./domain-providers";

/** An office has one IP address. A page that gets no response shows its form for a password. */
const RATE = { window: 60, max: 120 };

const PATH = "/email-domain/providers";

const response = z.object({
	providers: z.array(z.string()).meta({
		description: "Ids of providers, such as oidc:okta; saml is the SAML identity provider",
	}),
});

const MAX_DOMAIN_LENGTH = 253;
/** Otherwise the conversion would cut off a path, for example. */
const WRITTEN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const HOST_NAME = /^[a-z\d-]+(\.[a-z\d-]+)+$/;

/** In lowercase and in ASCII, as domains of tenants are stored. */
const domain = z
	.string()
	.max(MAX_DOMAIN_LENGTH)
	.regex(WRITTEN, "This is not a domain")
	.transform((text) => domainToASCII(text))
	.refine((host) => HOST_NAME.test(host), "This is not a domain")
	.meta({ description: "The domain of an email, such as acme.com" });

/**
 * Public, because the sign-in page asks before a sign-in. It gets no email and looks at no user, so the
 * response says nothing about them.
 */
const findEmailDomainProviders = createAuthEndpoint(
	PATH,
	{
		method: "GET",
		query: z.strictObject({ domain }),
		metadata: describe("The identity providers of the tenant for emails of a domain", response),
	},
	async (ctx) => {
		const tenantId = await getCurrentTenantId();
		if (tenantId === null) throw noTenant();
		return ctx.json({
			providers: await findDomainProviders(ctx.context, tenantId, ctx.query.domain),
		});
	},
);

const noTenant = () =>
	new APIError("BAD_REQUEST", {
		code: "TENANT_ID_REQUIRED",
		message: "Name a tenant: only tenants have identity providers",
	});

/** Tells the sign-in page of a tenant which provider a domain belongs to. */
export const homeRealm = {
	id: "tenant-auth-home-realm",
	endpoints: { findEmailDomainProviders },
	rateLimit: [{ pathMatcher: (path) => path === PATH, ...RATE }],
} satisfies BetterAuthPlugin;
