import type { TenantHosts } from "better-auth-tenant";
import { type Context, Hono } from "hono";
import type { ServiceConfig } from "../settings/service-config";
import {
	assetHeaders,
	type BuiltPages,
	builtPagesDirectory,
	pageHeaders,
	readBuiltPages,
} from "./built-pages";

/** The console, the tenants' pages, and their assets. */
export function pages(
	{ tenantHosts }: Pick<ServiceConfig, "tenantHosts">,
	directory = builtPagesDirectory,
): Hono {
	// `checkHostHeader` makes sure that the `Host` header names the same host.
	const hostOf = (c: Context) => new URL(c.req.url).host;
	const slugOfHost = (c: Context) => tenantHosts?.slugOf(hostOf(c)) ?? null;
	/** A host of nobody has no pages. */
	const isOwnHost = (c: Context) => tenantHosts?.isPlatformHost(hostOf(c)) ?? true;
	let built: BuiltPages | null = null;
	/** Read at the first request: the server also works without its pages. */
	const readPages = () => {
		built ??= readBuiltPages(directory);
		return built;
	};

	const app = new Hono();
	app.get("/assets/:name", (c) => {
		const asset = readPages()?.assets.get(c.req.param("name"));
		if (!asset) return c.notFound();
		const acceptsGzip = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
		return c.body(acceptsGzip ? asset.gzipped : asset.content, 200, {
			...assetHeaders,
			"content-type": asset.type,
			vary: "accept-encoding",
			...(acceptsGzip ? { "content-encoding": "gzip" } : {}),
		});
	});

	for (const path of ["/console", "/console/*"]) {
		app.get(path, (c) => {
			// The host of a tenant has no console.
			if (!isOwnHost(c)) return c.notFound();
			const found = readPages();
			return found ? c.body(found.console, 200, pageHeaders) : notBuilt(c);
		});
	}

	for (const path of ["/t/:slug", "/t/:slug/*"]) {
		app.get(path, (c) => {
			if (!isOwnHost(c)) return c.notFound();
			const { pathname, search } = new URL(c.req.url);
			// Not decoded: a decoded slug may be shorter than the part of the path to cut off.
			const [, slug = "", page = ""] = /^\/t\/([^/]*)(.*)$/.exec(pathname) ?? [];
			if (!tenantHosts) return showTenant(c, slug, page);
			// Sessions and provider callbacks belong to one host, so the pages are on one host only.
			const url = urlOnTenantHost(tenantHosts, slug, `${page || "/"}${search}`);
			return url === null ? c.notFound() : c.redirect(url);
		});
	}

	if (!tenantHosts) return app;
	// One route for each page: logs and metrics contain the pattern of the route.
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
		return c.body(fillTemplate(found.tenant, slug, base), status, pageHeaders);
	}
}

/**
 * The same page on the tenant's own host. The URL may contain a token that resets a password, so it
 * must not lead to any other host.
 */
function urlOnTenantHost(tenantHosts: TenantHosts, slug: string, page: string): string | null {
	const origin = tenantHosts.originOf(slug);
	if (!URL.canParse(origin) || tenantHosts.slugOf(new URL(origin).host) !== slug) return null;
	const url = `${origin}${page}`;
	return URL.canParse(url) && new URL(url).origin === origin ? url : null;
}

function notBuilt(c: Context) {
	return c.text("The pages of this server are not built. Run `npm run build`.", 503);
}

/** The paths of a tenant's pages, below `/t/<slug>` or at the root of the tenant's own host. */
const tenantPages = [
	"",
	"account",
	"consent",
	"deleted",
	"error",
	"forgot-password",
	"new-password",
	"sign-in",
	"sign-up",
	"verify",
	"verify/changed",
	"verify/done",
];

const isTenantPage = (path: string) => tenantPages.includes(path.replace(/^\/|\/$/g, ""));

/** The format of the plugin's slugs. Anything else cannot be a tenant, and is not written into a page. */
const isPossibleSlug = (slug: string) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(slug);

/** Writes the tenant's slug and the base path into the page, which may not contain an inline script. */
function fillTemplate(template: string, slug: string, base: string): string {
	const isPossible = isPossibleSlug(slug);
	return template
		.replace("{{tenant-slug}}", isPossible ? slug : "")
		.replace("{{tenant-base}}", isPossible ? base : "");
}
