import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import type { BetterAuthPlugin } from "better-auth";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenant";
import type { MiddlewareHandler } from "hono";

/** Which hosts belong to tenants: those directly below `TENANT_DOMAIN`, except the server's own. */
export type TenantHosts = {
	/** The slug in a host name, or `null` if the host is not below the domain. */
	slugOf: (host: string) => string | null;
	/** The origin of a tenant's pages. */
	originOf: (slug: string) => string;
	/** A pattern of all hosts, in the syntax of Better Auth. */
	pattern: string;
	/** Slugs that no tenant may have, beside those of the plugin. */
	reservedSlugs: string[];
};

/** @param domain such as `example.com`; @param baseUrl the server's own origin */
export function tenantHosts(domain: string, baseUrl: string): TenantHosts {
	const base = new URL(baseUrl);
	const suffix = `.${domain}`;
	const port = base.port ? `:${base.port}` : "";
	const ownName = base.hostname.endsWith(suffix) ? base.hostname.slice(0, -suffix.length) : null;
	return {
		slugOf: (host) => {
			const name = hostNameOf(host);
			if (name === base.hostname || !name.endsWith(suffix)) return null;
			return name.slice(0, -suffix.length);
		},
		originOf: (slug) => `${base.protocol}//${slug}${suffix}${port}`,
		pattern: `*${suffix}${port}`,
		reservedSlugs: ownName ? [ownName] : [],
	};
}

function hostNameOf(host: string): string {
	const url = `http://${host}`;
	return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : "";
}

/**
 * The host that a request was sent to. `checkHostHeader` makes sure that the `Host` header is the same.
 * A proxy has to pass `Host` on.
 */
export const hostOf = (request: Request): string => new URL(request.url).host;

/**
 * For the plugin's `resolveTenantId`: the id of the tenant whose host received the request. It takes
 * one query with an index. A host below the domain without a tenant is not found.
 */
export function resolveTenantIdByHost({ slugOf }: Pick<TenantHosts, "slugOf">) {
	return async (ctx: GenericEndpointContext): Promise<string | null> => {
		const slug = ctx.request ? slugOf(hostOf(ctx.request)) : null;
		if (slug === null) return null;
		const adapter = await getCurrentAdapter(ctx.context.adapter);
		const where = [{ field: "slug", value: slug }];
		const found = await adapter.findOne<{ id: string; slug: string }>({ model: "tenant", where });
		// MySQL ignores trailing spaces and accents when it compares.
		if (found?.slug === slug) return found.id;
		throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	};
}

/**
 * Rejects requests that a page of one tenant sends to the host of another tenant.
 *
 * Better Auth trusts every host below the domain on every other one. All of them are the same site, so
 * a browser sends a tenant's cookies with requests from pages of other tenants.
 */
export function rejectOtherTenantOrigins({ slugOf }: TenantHosts): MiddlewareHandler {
	return async (c, next) => {
		const origin = c.req.header("origin");
		if (origin && URL.canParse(origin)) {
			const slug = slugOf(new URL(origin).host);
			if (slug !== null && slug !== slugOf(hostOf(c.req.raw))) {
				return c.json({ code: "INVALID_ORIGIN", message: "Invalid origin" }, 403);
			}
		}
		await next();
	};
}

/**
 * Limits where Better Auth may redirect to (`redirectTo`, `callbackURL` and so on): to the host that
 * was called, and to listed origins. Better Auth alone would accept every host below the domain. But a
 * redirect target receives the token that resets a password, and no page of another tenant may get it.
 *
 * @param listed the server's own origins and those that the operator trusts
 */
export function limitRedirectTargets(listed: string[]) {
	return {
		id: "redirect-targets",
		// Better Auth creates the context for each request, and checks origins after this hook.
		onRequest: async (_, ctx) => {
			ctx.trustedOrigins = [new URL(ctx.baseURL).origin, ...listed];
		},
	} satisfies BetterAuthPlugin;
}
