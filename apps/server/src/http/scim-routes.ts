import { type Context, Hono, type MiddlewareHandler } from "hono";
import { type Auth, basePath, clientIpHeader } from "../auth";
import type { ServiceConfig } from "../settings/service-config";
import { scimError, toScimError } from "./scim-errors";
import { findServedTenant } from "./served-tenant";

type Parts = {
	config: ServiceConfig;
	auth: Auth;
	handler: (request: Request) => Promise<Response>;
};

/** What a SCIM client sends. Cookies of a browser decide nothing here. */
const HEADERS = ["authorization", "content-type", "accept", "user-agent", clientIpHeader];

const SCIM_PATH = /^(?:\/t\/[^/]+)?\/scim\/v2(?:\/|$)/;

/** Errors of the service in the format of SCIM, for requests to a SCIM server. */
export const scimErrors: MiddlewareHandler = async (c, next) => {
	await next();
	if (!SCIM_PATH.test(c.req.path) || c.res.status < 400) return;
	const response = await toScimError(c.res);
	c.res = undefined;
	c.res = response;
};

/** The SCIM server of each tenant, beside its OpenID provider. */
export function scimRoutes({ config, auth, handler }: Parts): Hono {
	const { tenantHosts } = config;
	const app = new Hono();
	if (!config.settings.scim) return app;
	app.all(`${tenantHosts ? "" : "/t/:slug"}/scim/v2/*`, async (c, next) => {
		const slug = tenantHosts
			? tenantHosts.slugOf(new URL(c.req.url).host)
			: (c.req.param("slug") ?? null);
		if (slug === null) return next();
		const tenant = await findServedTenant(auth, slug);
		if (!tenant) return scimError(404, "Tenant not found");
		const body = await readBody(c);
		if (hasNul(decodeURIComponentSafely(c.req.url)) || hasNul(body)) {
			return scimError(400, "The request contains a NUL character", "invalidValue");
		}
		if (hasLargePatch(body)) {
			return scimError(400, "There are too many operations, or a path is too long", "tooMany");
		}
		return handler(mapped(c, tenant, body));
	});
	return app;
}

const readBody = async (c: Context): Promise<string | null> =>
	["GET", "HEAD", "DELETE"].includes(c.req.method) ? null : c.req.text();

/** Not every database stores it. In JSON it may be escaped. */
const hasNul = (text: string | null) => text !== null && /\0|\\u0000/.test(text);

/** Most directories send one operation for each attribute or member. */
const MAX_OPERATIONS = 1000;
const MAX_PATH_LENGTH = 300;

/** The plugin matches paths before it verifies the token, and needs minutes for some that are long. */
function hasLargePatch(body: string | null): boolean {
	if (!body) return false;
	try {
		const { Operations }: { Operations?: unknown } = Object(JSON.parse(body));
		if (!Array.isArray(Operations)) return false;
		return Operations.length > MAX_OPERATIONS || Operations.some(hasLongPath);
	} catch {
		// The plugin says what is wrong with it.
		return false;
	}
}

const hasLongPath = (operation: unknown): boolean => {
	const { path }: { path?: unknown } = Object(operation);
	return typeof path === "string" && path.length > MAX_PATH_LENGTH;
};

function decodeURIComponentSafely(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return "\0";
	}
}

/** The same request to an endpoint of Better Auth, in a tenant. */
function mapped(c: Context, tenant: { id: string }, body: string | null): Request {
	const url = new URL(c.req.url);
	url.pathname = `${basePath}${url.pathname.slice(url.pathname.indexOf("/scim/v2"))}`;
	const headers = new Headers({ "x-tenant-id": tenant.id });
	for (const name of HEADERS) {
		const value = c.req.header(name);
		if (value !== undefined) headers.set(name, value);
	}
	const { method, signal } = c.req.raw;
	return new Request(url, { method, headers, signal, body });
}
