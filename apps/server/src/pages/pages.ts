import { type Context, Hono } from "hono";
import type { ServiceConfig } from "../service-config";
import { hostOf, tenantDomain } from "../tenant-domain";
import { type BuiltPages, builtPagesDirectory, readBuiltPages } from "./built-pages";
import { assetHeaders, pageHeaders } from "./page-headers";
import { isPossibleSlug, isTenantPage, tenantPage, tenantPages } from "./tenant-page";

type PagesConfig = { settings: Pick<ServiceConfig["settings"], "tenantDomain">; baseUrl: string };

/** The operator's console, the tenants' own pages, and what they are made of. */
export function pages({ settings, baseUrl }: PagesConfig, directory = builtPagesDirectory): Hono {
	const tenants = settings.tenantDomain ? tenantDomain(settings.tenantDomain, baseUrl) : null;
	const slugOfHost = (c: Context) => tenants?.slugOf(hostOf(c.req.raw)) ?? null;
	let built: BuiltPages | null = null;
	/** Read at the first request: the service works without its pages. */
	const readPages = () => {
		built ??= readBuiltPages(directory);
		return built;
	};

	const app = new Hono();
	app.get("/assets/:name", (c) => {
		const asset = readPages()?.assets.get(c.req.param("name"));
		if (!asset) return c.notFound();
		const zips = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
		return c.body(zips ? asset.gzipped : asset.content, 200, {
			...assetHeaders,
			"content-type": asset.type,
			vary: "accept-encoding",
			...(zips ? { "content-encoding": "gzip" } : {}),
		});
	});

	for (const path of ["/console", "/console/*"]) {
		app.get(path, (c) => {
			// On a tenant's own host there is nothing but the tenant.
			if (slugOfHost(c) !== null) return c.notFound();
			const found = readPages();
			return found ? c.body(found.console, 200, pageHeaders) : notBuilt(c);
		});
	}

	for (const path of ["/t/:slug", "/t/:slug/*"]) {
		app.get(path, (c) => {
			if (slugOfHost(c) !== null) return c.notFound();
			const slug = c.req.param("slug") ?? "";
			const base = `/t/${slug}`;
			// A session and a provider's callback belong to one host, so its pages are on one only.
			if (tenants && isPossibleSlug(slug) && !tenants.reservedSlugs.includes(slug)) {
				const { pathname, search } = new URL(c.req.url);
				const rest = pathname.slice(base.length) || "/";
				return c.redirect(`${tenants.originOf(slug)}${rest}${search}`);
			}
			return showTenant(c, slug, base);
		});
	}

	if (!tenants) return app;
	// Each by its name: logs and metrics tell requests apart by the pattern of their route.
	for (const path of tenantPages) {
		app.get(`/${path}`, async (c, next) => {
			const slug = slugOfHost(c);
			return slug === null ? next() : showTenant(c, slug, "");
		});
	}
	return app;

	function showTenant(c: Context, slug: string, base: string) {
		const found = readPages();
		if (!found) return notBuilt(c);
		const known = isTenantPage(c.req.path.slice(base.length));
		return c.body(tenantPage(found.tenant, slug, base), known ? 200 : 404, pageHeaders);
	}
}

function notBuilt(c: Context) {
	return c.text("The pages of this server are not built: run `npm run build`.", 503);
}
