import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenant";

/** Which hosts are tenants: those directly below a domain, apart from the server's own. */
export type TenantDomain = {
	/** The tenant's slug that a host names, or `null` where it names none. */
	slugOf: (host: string) => string | null;
	/** The origin of a tenant's own pages. */
	originOf: (slug: string) => string;
	/** A pattern for the hosts, as Better Auth has them. */
	hosts: string;
	/** What no tenant may be called. */
	reservedSlugs: string[];
};

/** @param domain such as `example.com`; @param baseUrl the server's own origin */
export function tenantDomain(domain: string, baseUrl: string): TenantDomain {
	const base = new URL(baseUrl);
	const ending = `.${domain}`;
	const port = base.port ? `:${base.port}` : "";
	const own = base.hostname.endsWith(ending) ? base.hostname.slice(0, -ending.length) : null;
	return {
		slugOf: (host) => {
			const name = hostname(host);
			if (name === base.hostname || !name.endsWith(ending)) return null;
			return name.slice(0, -ending.length);
		},
		originOf: (slug) => `${base.protocol}//${slug}${ending}${port}`,
		hosts: `*${ending}${port}`,
		reservedSlugs: own ? [own] : [],
	};
}

function hostname(host: string): string {
	const url = `http://${host}`;
	return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : "";
}

/**
 * The host that a request was sent to. Only `Host` counts, which is the same: see `requireOneHost`. A
 * proxy has to pass it on.
 */
export const hostOf = (request: Request): string => new URL(request.url).host;

/**
 * The id of the tenant whose host the request was sent to, for the plugin: one look into an index.
 * A host of the domain that is no tenant's is no host at all.
 */
export function tenantOfHost({ slugOf }: Pick<TenantDomain, "slugOf">) {
	return async (ctx: GenericEndpointContext): Promise<string | null> => {
		const slug = ctx.request ? slugOf(hostOf(ctx.request)) : null;
		if (slug === null) return null;
		const adapter = await getCurrentAdapter(ctx.context.adapter);
		const where = [{ field: "slug", value: slug }];
		const found = await adapter.findOne<{ id: string; slug: string }>({ model: "tenant", where });
		// MySQL looks past trailing spaces and some letters.
		if (found?.slug === slug) return found.id;
		throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	};
}
