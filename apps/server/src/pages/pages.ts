import type { Tenant, TenantHosts } from "better-auth-tenant";
import { brandingOf, SLUG_PATTERN } from "better-auth-tenant/rules";
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { ERROR_PAGE } from "../auth";
import { directionOf, languageOfRequest } from "../language";
import type { Captcha } from "../settings/captcha";
import type { FindAdminRights } from "./admin-rights";
import { findEncoding } from "./asset-encoding";
import {
	assetHeaders,
	type BuiltPages,
	builtPagesDirectory,
	pageHeaders,
	readBuiltPages,
} from "./built-pages";

export type PagesParts = {
	/** `null` without `TENANT_DOMAIN`. */
	tenantHosts: TenantHosts | null;
	/** Returns `null` if no tenant has this slug. */
	findTenant: (slug: string) => Promise<Tenant | null>;
	/** Whether users may be sent to a URL that they came with. `ownOrigin` is that of a tenant's host. */
	isTrustedTarget: (url: string, ownOrigin?: string) => Promise<boolean>;
	/** Whether the users of a tenant can sign in with SAML. */
	hasSaml: (tenantId: string) => Promise<boolean>;
	/** What the pages of tenants' administrators know about the service. `null` if there are none. */
	findServiceInfo: (() => Promise<object>) | null;
	/** What a session may manage. `null` if nobody is signed in to the tenant. */
	findAdminRights: FindAdminRights;
	/** What the forms of tenants' pages ask for. `null` for none. */
	captcha: Pick<Captcha, "provider" | "siteKey"> | null;
	/** Whether users can get the code of a second step by email. */
	sendsCodes: boolean;
	/** The origin of the server, which has the uploaded logos. */
	logoOrigin: string;
	directory?: string;
};

/** The console, the tenants' pages, and their assets. */
export function pages(parts: PagesParts): Hono {
	const { tenantHosts, findTenant, isTrustedTarget, findServiceInfo, findAdminRights } = parts;
	const { hasSaml, captcha, directory = builtPagesDirectory } = parts;
	const ownHeaders = pageHeaders(parts.logoOrigin);
	const tenantHeaders = pageHeaders(parts.logoOrigin, captcha?.provider);
	const shownCaptcha = captcha
		? JSON.stringify({ provider: captcha.provider, siteKey: captcha.siteKey })
		: "";
	// `checkHostHeader` makes sure that the `Host` header names the same host.
	const hostOf = (c: Context) => new URL(c.req.url).host;
	const slugOfHost = (c: Context) => tenantHosts?.slugOf(hostOf(c)) ?? null;
	/** A host without an owner has no pages. */
	const isOwnHost = (c: Context) => tenantHosts?.isPlatformHost(hostOf(c)) ?? true;
	let built: BuiltPages | null = null;
	/** Read at the first request: the server also works without its pages. */
	const readPages = () => {
		built ??= readBuiltPages(directory);
		return built;
	};

	const app = new Hono();
	// First, so that it sees the responses of all other routes.
	app.use(async (c, next) => {
		await next();
		const isPage = c.res.headers.get("content-type")?.startsWith("text/html");
		if (c.res.status !== 404 || isPage || !isOpenedByPerson(c)) return;
		const page = await showNotFound(c);
		if (!page) return;
		// Otherwise the headers of the first response stay.
		c.res = undefined;
		c.res = page;
	});

	app.get("/assets/:name", etag(), (c) => {
		const name = c.req.param("name");
		const asset = readPages()?.assets.get(name);
		if (!asset) return c.notFound();
		const encoding = findEncoding(c.req.header("accept-encoding"), asset);
		const body = encoding ? asset.compressed[encoding] : undefined;
		return c.body(body ?? asset.content, 200, {
			...assetHeaders,
			"content-type": asset.type,
			vary: "accept-encoding",
			// The name has a hash of the content. Each coding of it has other bytes.
			etag: `"${name}-${encoding ?? "identity"}"`,
			...(encoding ? { "content-encoding": encoding } : {}),
		});
	});

	for (const path of ["/console", "/console/*"]) {
		app.get(path, (c) => {
			// The host of a tenant has no console.
			if (!isOwnHost(c)) return c.notFound();
			const found = readPages();
			return found ? c.body(found.console, 200, ownHeaders) : notBuilt(c);
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

	// One route for each page: logs and metrics contain the pattern of the route.
	for (const path of tenantHosts ? [...tenantPages, "admin", "admin/*"] : []) {
		app.get(`/${path}`, async (c, next) => {
			const slug = slugOfHost(c);
			return slug === null ? next() : showTenant(c, slug, c.req.path, "");
		});
	}
	app.get("/", async (c, next) => {
		const found = readPages();
		if (!found || !isOwnHost(c) || !isOpenedByPerson(c)) return next();
		return showPage(c, found.tenant, 200, {});
	});
	app.get(ERROR_PAGE, (c) => {
		const found = readPages();
		if (!isOwnHost(c)) return c.notFound();
		return found ? showPage(c, found.tenant, 200, {}) : notBuilt(c);
	});
	return app;

	/** The page takes its texts from the language that the server found. */
	function showPage(
		c: Context,
		template: string,
		status: StatusCode,
		values: Record<string, string>,
		icon?: string | null,
	) {
		const lang = languageOfRequest(c.req.raw.headers, c.req.query("ui_locales"));
		const vary = "accept, accept-language, cookie";
		const headers = { ...tenantHeaders, vary, "content-language": lang };
		const html = template.replace(
			'<html lang="en">',
			`<html lang="${lang}" dir="${directionOf(lang)}">`,
		);
		return c.body(withIcon(fillTemplate(html, values), icon), status, headers);
	}

	/** Returns `null` if the host has no owner, or the pages are not built. */
	async function showNotFound(c: Context): Promise<Response | null> {
		const found = readPages();
		if (!found) return null;
		const slug = slugOfHost(c);
		if (slug !== null) return showTenant(c, slug, c.req.path, "");
		return isOwnHost(c) ? showPage(c, found.tenant, 404, {}) : null;
	}

	async function showTenant(c: Context, slug: string, page: string, base = `/t/${slug}`) {
		const found = readPages();
		if (!found) return notBuilt(c);
		// Anything else cannot be a tenant, and is not written into a page.
		if (!SLUG_PATTERN.test(slug)) return showPage(c, found.tenant, 404, {});
		const place = { "tenant-slug": slug, "tenant-base": base, captcha: shownCaptcha };
		const tenant = await findTenant(slug).catch(() => "unknown" as const);
		if (tenant === "unknown") {
			// The page asks the server again, and says that it cannot be reached.
			c.header("retry-after", RETRY_AFTER_SECONDS);
			return showPage(c, found.tenant, 503, place);
		}
		const icon = tenant && brandingOf(tenant.metadata).faviconUrl;
		const suspended = tenant?.suspendedAt ? JSON.stringify(suspendedTenant(tenant)) : "";
		if (findServiceInfo && isAdminPage(page)) {
			// These pages are in English, as the console is. They contain nothing about the tenant but its slug
			// and its icon.
			const page = fillTemplate(found.admin, {
				...place,
				"suspended-tenant": suspended,
				"service-info": JSON.stringify(await findServiceInfo()),
			});
			const rights = tenant ? await findAdminRights(c.req.raw.headers, tenant.id) : null;
			for (const cookie of rights?.cookies ?? []) {
				c.header("set-cookie", cookie, { append: true });
			}
			// The page says the same. Without a session, it leads to the sign-in.
			const status = rights?.isAdmin === false ? 403 : statusOfTenant(tenant);
			return c.body(withIcon(page, icon), status, ownHeaders);
		}
		const target = new URL(c.req.url).searchParams.get("callbackURL") ?? "";
		const ownOrigin = tenantHosts?.originOf(slug);
		const isTrusted = target === "" || (await isTrustedTarget(target, ownOrigin));
		const values = {
			...place,
			"callback-url": isTrusted ? target : "",
			"suspended-tenant": suspended,
			"admin-pages": findServiceInfo ? "yes" : "",
			"email-codes": parts.sendsCodes ? "yes" : "",
			saml: tenant && (await hasSaml(tenant.id)) ? "yes" : "",
		};
		return showPage(c, found.tenant, statusOf(tenant, page, isTrusted), values, icon);
	}
}

/** A browser that does not call an endpoint. */
const isOpenedByPerson = ({ req }: Context) =>
	req.method === "GET" &&
	!/^\/(api|service)(\/|$)/.test(req.path) &&
	(req.header("accept") ?? "").includes("text/html");

const RETRY_AFTER_SECONDS = "5";

type StatusCode = 200 | 400 | 403 | 404 | 503;

function statusOf(tenant: Tenant | null, page: string, isTrusted: boolean): StatusCode {
	const status = statusOfTenant(tenant);
	if (status !== 200) return status;
	if (!isTenantPage(page)) return 404;
	return isTrusted ? 200 : 400;
}

function statusOfTenant(tenant: Tenant | null): StatusCode {
	if (!tenant) return 404;
	return tenant.suspendedAt ? 403 : 200;
}

/** What the page of a suspended tenant shows. The endpoints say nothing about it. */
const suspendedTenant = ({ name, metadata }: Tenant) => ({ name, branding: brandingOf(metadata) });

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
	"delete-account",
	"deleted",
	"device",
	"email-link",
	"error",
	"forgot-password",
	"invitation",
	"new-password",
	"second-factor",
	"sign-in",
	"sign-out",
	"sign-up",
	"two-factor",
	"verify",
	"verify/changed",
	"verify/done",
];

/** The pages of a tenant's administrators. They know themselves which ones there are. */
const isAdminPage = (path: string) => /^\/admin(?:\/|$)/.test(path);

const isTenantPage = (path: string) => tenantPages.includes(path.replace(/^\/|\/$/g, ""));

/** Writes values into attributes of the page, which may not contain an inline script. */
function fillTemplate(template: string, values: Record<string, string>): string {
	return template.replace(/\{\{([a-z-]+)\}\}/g, (_, name: string) =>
		escapeAttribute(values[name] ?? ""),
	);
}

/**
 * The page with the icon of a tenant, after its values are filled in: the tenant chooses this URL, and it
 * must not contain a value of the page.
 */
const withIcon = (page: string, url: string | null | undefined): string =>
	url ? page.replace(ICON, () => `<link rel="icon" href="${escapeAttribute(url)}" />`) : page;

const ICON = /<link rel="icon"[^>]*>/;

const ESCAPES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

const escapeAttribute = (text: string) =>
	text.replace(/[&"<>]/g, (character) => ESCAPES[character] ?? "");
