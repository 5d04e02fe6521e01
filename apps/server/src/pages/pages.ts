import { type Context, Hono } from "hono";
import type { ServiceConfig } from "../service-config";
import { hostOf, type TenantDomain, tenantDomain } from "../tenant-domain";
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
			const { pathname, search } = new URL(c.req.url);
			// As it was sent: decoded, the slug has another length than what is to be cut off.
			const [, slug = "", page = ""] = /^\/t\/([^/]*)(.*)$/.exec(pathname) ?? [];
			if (!tenants) return showTenant(c, slug, page);
			// A session and a provider's callback belong to one host, so its pages are on one only.
			const place = placeOnOwnHost(tenants, slug, `${page || "/"}${search}`);
			return place === null ? c.notFound() : c.redirect(place);
		});
	}

	if (!tenants) return app;
	// Each by its name: logs and metrics tell requests apart by the pattern of their route.
	for (const path of tenantPages) {
		app.get(`/${path}`, async (c, next) => {
			const slug = slugOfHost(c);
			return slug === null ? next() : showTenant(c, slug, c.req.path, "");
		});
	}
	return app;

	function showTenant(c: Context, slug: string, page: string, base = `/t/${slug}`) {
		const found = readPages();
		if (!found) return notBuilt(c);
		const status = isTenantPage(page) ? 200 : 404;
		return c.body(tenantPage(found.tenant, slug, base), status, pageHeaders);
	}
}

/**
 * The same page on the tenant's own host. The address may carry a token that sets a new password, so
 * it must lead to no other host.
 */
function placeOnOwnHost(tenants: TenantDomain, slug: string, page: string): string | null {
	if (!isPossibleSlug(slug) || tenants.reservedSlugs.includes(slug)) return null;
	const origin = tenants.originOf(slug);
	const place = `${origin}${page}`;
	return URL.canParse(place) && new URL(place).origin === origin ? place : null;
}

function notBuilt(c: Context) {
	return c.text("The pages of this server are not built: run `npm run build`.", 503);
}
