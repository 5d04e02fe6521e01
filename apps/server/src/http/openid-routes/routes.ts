import { SLUG_PATTERN } from "better-auth-tenant/rules";
import { type Context, Hono } from "hono";
import { type Auth, basePath, ERROR_PAGE } from "../../auth";
import { isOutage } from "../../database/outage";
import { issuerOf } from "../../openid-provider/issuer";
import type { ServiceConfig } from "../../settings/service-config";
import { findServedTenant, type ServedTenant } from "../served-tenant";
import { moveSecret } from "./client-credentials";
import { crossOriginHandler } from "./cross-origin";
import { asDeviceCodes } from "./device-codes";
import { asKeySet, discoveryDocument } from "./discovery";
import { repeatIfOvertaken } from "./lost-refresh";
import { asRevoked, asTokenResponse, asUserInfo, toOAuthError } from "./oauth-errors";
import { readForm, withForm } from "./oauth-form";
import { asUnsupportedMode, withoutResponseMode } from "./response-mode";
import { asConfirmed, withSignOutPages } from "./sign-out-pages";

type Parts = {
	config: ServiceConfig;
	auth: Auth;
	handler: (request: Request) => Promise<Response>;
};

type Forward = (c: Context, tenant: ServedTenant) => Promise<Response>;
type ForwardForm = (
	request: Request,
	tenant: ServedTenant,
	/** Whether the secret of the client was in the form. */
	isMoved: boolean,
) => Promise<Response>;

/** Endpoints that programs call: they never use the session of a browser. */
const PROGRAM_ENDPOINTS = ["token", "introspect", "revoke", "userinfo"];

const RESPONSES: Record<string, (response: Response) => Promise<Response>> = {
	revoke: asRevoked,
	token: asTokenResponse,
	userinfo: asUserInfo,
};

/** Headers with which Better Auth tells browsers from programs. */
const BROWSER_HEADERS = [
	"cookie",
	"origin",
	"referer",
	"sec-fetch-site",
	"sec-fetch-mode",
	"sec-fetch-dest",
];

/**
 * The OpenID provider of each tenant, below its issuer. The requests go to Better Auth's endpoints, in that
 * tenant.
 */
export function openIdRoutes({ config, auth, handler }: Parts): Hono {
	const { tenantHosts } = config;
	const hasDpop = config.settings.dpop;
	const below = tenantHosts ? "" : "/t/:slug";
	const handleCrossOrigin = crossOriginHandler(auth);
	const app = new Hono();

	const handleFor = async (c: Context, slug: string, forward: Forward) => {
		const tenant = await findServedTenant(auth, slug);
		// What is not a slug must not become a part of an allowed origin.
		const unknown = { id: null, slug: SLUG_PATTERN.test(slug) ? slug : "" };
		if (!tenant) return handleCrossOrigin(c, unknown, async () => tenantNotFound());
		return handleCrossOrigin(c, tenant, () => forward(c, tenant));
	};

	const program = (path: string, forward: Forward) =>
		app.all(`${below}${path}`, async (c, next) => {
			const slug = slugOf(c);
			if (slug === null) return next();
			return handleFor(c, slug, forward);
		});

	const programWithForm = (path: string, forward: ForwardForm) =>
		program(path, async (c, tenant) => {
			const { raw } = c.req;
			if (raw.method !== "POST") return forward(raw, tenant, false);
			const form = await readForm(raw);
			if (form instanceof Response) return form;
			const authorization = moveSecret(raw.headers, form);
			const request = withForm(raw, form);
			if (authorization) request.headers.set("authorization", authorization);
			return forward(request, tenant, authorization !== null);
		});

	for (const name of PROGRAM_ENDPOINTS) {
		programWithForm(`/oauth2/${name}`, async (request, tenant, isMoved) => {
			const send = (it: Request) => {
				const sent = mapped(it, tenant, `/oauth2/${name}`, false);
				// Otherwise a token would be bound that this service does not announce.
				if (!hasDpop) sent.headers.delete("dpop");
				return handler(sent);
			};
			const response = await (name === "token" ? repeatIfOvertaken(request, send) : send(request));
			// The challenge is for clients that sent the header.
			if (isMoved) response.headers.delete("www-authenticate");
			return (RESPONSES[name] ?? toOAuthError)(response);
		});
	}
	programWithForm("/device/code", async (request, tenant) => {
		const response = await handler(mapped(request, tenant, "/device/code", false));
		return asDeviceCodes(issuerOf(config, tenant.slug), response);
	});
	program("/jwks", async (c, tenant) =>
		asKeySet(await handler(mapped(c.req.raw, tenant, "/jwks", false))),
	);
	const discovery = (c: Context, tenant: ServedTenant) =>
		discoveryDocument(auth, c.req.raw, { tenantId: tenant.id, hasDpop });
	program("/.well-known/openid-configuration", discovery);
	program("/.well-known/oauth-authorization-server", discovery);
	// RFC 8414, section 3.1: the path of the issuer comes last.
	if (!tenantHosts) {
		app.get("/.well-known/oauth-authorization-server/t/:slug", (c) =>
			handleFor(c, c.req.param("slug"), discovery),
		);
	}

	for (const path of ["/oauth2/authorize", "/oauth2/end-session", "/oauth2/end-session/confirm"]) {
		app.on(["GET", "POST"], `${below}${path}`, async (c, next) => {
			const slug = slugOf(c);
			if (slug === null) return next();
			const tenant = await findServedTenant(auth, slug).catch(awayIfOutage);
			// The pages of tenants have one for this.
			if (tenant === AWAY) return next();
			const signInPage = `${issuerOf(config, slug)}/sign-in`;
			// The page says that there is no such tenant.
			if (!tenant) return c.redirect(signInPage);
			const isConfirmation = path.endsWith("/confirm");
			if (c.req.method === "POST" && !isConfirmation) return asGetRequest(c);
			const refused = path.endsWith("/authorize") ? withoutResponseMode(c.req.raw) : null;
			const original = await handler(mapped(refused ?? c.req.raw, tenant, path, true));
			const response = refused ? asUnsupportedMode(original) : original;
			if (await isSuspended(response)) return c.redirect(signInPage);
			const issuer = issuerOf(config, slug);
			if (isConfirmation) return asConfirmed(issuer, response);
			return withSignOutPages(issuer, withErrorPageOf(issuer, response));
		});
	}
	return app;

	/** On the server's own host there is no tenant, if tenants have hosts. */
	function slugOf(c: Context): string | null {
		if (!tenantHosts) return c.req.param("slug") ?? null;
		return tenantHosts.slugOf(new URL(c.req.url).host);
	}
}

const AWAY = "away";

/** A person should see a page, and not JSON. */
function awayIfOutage(error: unknown): typeof AWAY {
	if (isOutage(error)) return AWAY;
	throw error;
}

/** The same request to an endpoint of Better Auth, in a tenant. */
function mapped(request: Request, tenant: ServedTenant, path: string, isBrowser: boolean): Request {
	const url = new URL(request.url);
	url.pathname = `${basePath}${path}`;
	const headers = new Headers(request.headers);
	headers.set("x-tenant-id", tenant.id);
	if (isBrowser) {
		// Otherwise Better Auth may respond with JSON in place of a redirect.
		headers.delete("sec-fetch-mode");
		headers.set("accept", "text/html");
	} else {
		for (const name of BROWSER_HEADERS) headers.delete(name);
	}
	const { method, signal, body } = request;
	return new Request(url, {
		...{ method, headers, signal, body },
		...(body ? { duplex: "half" } : {}),
	});
}

/**
 * An app may send a form. A browser sends no session with a form of another site, so the request is repeated
 * as one that it sends the session with.
 */
async function asGetRequest(c: Context): Promise<Response> {
	const url = new URL(c.req.url);
	const form = new URLSearchParams(await c.req.text());
	for (const [name, value] of form) url.searchParams.append(name, value);
	return c.redirect(`${url.pathname}${url.search}`, 303);
}

/**
 * Better Auth has one error page for all tenants. Here the tenant is known, and that the app made the
 * mistake: the page must not blame a provider for it.
 */
function withErrorPageOf(issuer: string, response: Response): Response {
	const location = response.headers.get("location");
	const target = location === null ? null : new URL(location, issuer);
	if (target?.pathname !== ERROR_PAGE || target.origin !== new URL(issuer).origin) return response;
	target.searchParams.set("from", "app");
	const changed = new Response(response.body, response);
	changed.headers.set("location", `${issuer}${ERROR_PAGE}${target.search}`);
	return changed;
}

async function isSuspended(response: Response): Promise<boolean> {
	if (response.status !== 403) return false;
	const body: unknown = await response
		.clone()
		.json()
		.catch(() => null);
	return typeof body === "object" && body !== null && "code" in body
		? body.code === "TENANT_SUSPENDED"
		: false;
}

const tenantNotFound = () =>
	Response.json(
		{
			code: "TENANT_NOT_FOUND",
			message: "Tenant not found",
			error: "invalid_request",
			error_description: "Tenant not found",
		},
		{ status: 404 },
	);
