import type { TenantHosts } from "better-auth-tenant";
import { SLUG_PATTERN } from "better-auth-tenant/rules";
import type { Context, MiddlewareHandler } from "hono";
import { type Auth, basePath, clientIpHeader } from "../auth";
import { bearerOf } from "../rate-limits/management-key-check";
import { isPossibleId, type Locate } from "../regions/directory";
import type { Region } from "../settings/regions";
import { countedAddress } from "./client-ip";
import { findIdInBody } from "./id-in-body";
import { findServedTenant } from "./served-tenant";

type Parts = {
	auth: Auth;
	/** Finds tenants of other regions. */
	locate: Locate;
	others: Region[];
	tenantHosts: TenantHosts | null;
};

/**
 * Tells clients that the tenant they ask for is in another region, in place of "not found": people are
 * sent to its page there, and programs get the URL. Nothing else of the request is passed on.
 */
export function otherRegion({ auth, locate, others, tenantHosts }: Parts): MiddlewareHandler {
	/** For a page of a tenant that exists, the response says nothing about the tenant. */
	const isHere = async (query: NamedTenant) =>
		"slug" in query && (await findServedTenant(auth, query.slug)) !== null;

	const isTenantHere = async (id: string) => {
		const { adapter } = await auth.$context;
		const where = [{ field: "id", value: id }];
		return (await adapter.findOne<{ id: string }>({ model: "tenant", where }))?.id === id;
	};

	return async (c, next) => {
		const named = namedTenant(c, tenantHosts);
		const bodyId = named ? null : findIdInBody(c.req.raw);
		await next();
		if (c.req.path === DISCOVER_PATH) return discover(c, locate);
		const token = await refusedToken(c);
		const issuer = issuerIn(token);
		const ofToken = others.find(({ url }) => issuer === url || issuer.startsWith(`${url}/`));
		if (ofToken) return replace(c, misdirected(ofToken, "This token"));
		const ofSession = tenantIdIn(token);
		if (ofSession && !(await isTenantHere(ofSession))) {
			const found = await locate({ id: ofSession }, askerOf(c));
			if (found && typeof found !== "string")
				return replace(c, misdirected(found.region, "This token"));
		}
		if (c.res.status !== 404) return;
		const id = await bodyId;
		const query = named ?? (id === null ? null : { id });
		if (!query || !canExist(query)) return;
		if (!(await isUnknownTenant(c)) || (await isHere(query))) return;
		const located = await locate(query, askerOf(c));
		if (located === null || located === "former") return;
		if (located === "unknown") return replace(c, unknownRegion());
		const { region, tenant } = located;
		const page = pageOf(c, tenantHosts);
		if (page === null) return replace(c, misdirected(region, "This tenant"));
		replace(c, c.redirect(`${region.url}/t/${tenant.slug}${page}`, 307));
	};
}

const DISCOVER_PATH = `${basePath}/tenant/discover`;
const SESSION_PATH = `${basePath}/get-session`;

type NamedTenant = { slug: string } | { id: string };

/** No tenant has any other slug or id. Nobody is asked about it, and no cache keeps it. */
const canExist = (query: NamedTenant): boolean =>
	"slug" in query ? SLUG_PATTERN.test(query.slug) : isPossibleId(query.id);

/** The tenant that the URL or a header names. */
function namedTenant({ req }: Context, tenantHosts: TenantHosts | null): NamedTenant | null {
	const url = new URL(req.url);
	const [, inPath] = /^\/t\/([^/]+)/.exec(url.pathname) ?? [];
	const slug = tenantHosts?.slugOf(url.host) ?? inPath;
	if (slug) return { slug };
	const id = req.header("x-tenant-id") ?? url.searchParams.get("tenantId");
	return id ? { id } : null;
}

/** Whether the response says that there is no such tenant, and not that something in it is missing. */
async function isUnknownTenant({ req, res }: Context): Promise<boolean> {
	if (!req.path.startsWith(basePath)) return true;
	const body: unknown = await res
		.clone()
		.json()
		.catch(() => null);
	return Object(body).code === "TENANT_NOT_FOUND";
}

/** The rest of the path of a page that a person opens; `null` for programs. */
function pageOf({ req }: Context, tenantHosts: TenantHosts | null): string | null {
	const isPerson = req.method === "GET" && (req.header("accept") ?? "").includes("text/html");
	const { pathname, search, host } = new URL(req.url);
	if (!isPerson || pathname.startsWith(basePath)) return null;
	const page = tenantHosts?.slugOf(host) ? pathname : pathname.replace(/^\/t\/[^/]+/, "");
	return `${page === "/" ? "" : page}${search}`;
}

/** The bearer token of a request that was refused, or found no session; otherwise empty. */
async function refusedToken({ req, res }: Context): Promise<string> {
	const token = bearerOf(req.raw.headers);
	if (token === "" || res.status === 401) return token;
	const isNobody = req.path === SESSION_PATH && (await res.clone().text()) === "null";
	return isNobody ? token : "";
}

/** The issuer that a token names, without any check: the token was refused already. */
function issuerIn(token: string): string {
	const [, payload = ""] = token.split(".");
	try {
		const { iss }: { iss?: unknown } = Object(
			JSON.parse(Buffer.from(payload, "base64url").toString()),
		);
		return typeof iss === "string" ? iss : "";
	} catch {
		return "";
	}
}

/** The tenant that the token of a session names, if it names one: see TENANT_IN_SESSION_TOKENS. */
const tenantIdIn = (token: string): string | undefined =>
	/^[A-Za-z\d]{32}_([\w-]{1,128})(\.|$)/.exec(token)?.[1];

/** An email domain of a tenant in another region. Only the domain leaves this one. */
async function discover(c: Context, locate: Locate): Promise<void> {
	if (c.res.status !== 200) return;
	const { tenant } = (await c.res.clone().json()) as { tenant: object | null };
	const domain = c.req.query("email")?.split("@").pop();
	if (tenant || !domain) return;
	const located = await locate({ email: `user@${domain.toLowerCase()}` }, askerOf(c));
	if (located === "unknown") return replace(c, unknownRegion());
	if (located === null || located === "former") return;
	const { region } = located;
	replace(
		c,
		Response.json({ tenant: { ...located.tenant, region: region.name, url: region.url } }),
	);
}

/** All clients without an address are one. */
const askerOf = ({ req }: Context): string => countedAddress(req.header(clientIpHeader) ?? "");

const misdirected = ({ name, url }: Region, what: string) =>
	Response.json(
		{
			code: "WRONG_REGION",
			message: `${what} belongs to the region "${name}". Send the request to ${url}.`,
			region: name,
			url,
		},
		{ status: 421, headers: { "cache-control": "no-store" } },
	);

const unknownRegion = () =>
	Response.json(
		{
			code: "REGION_UNAVAILABLE",
			message: "The tenant is not in this region, and another region does not respond. Try again.",
		},
		{ status: 503, headers: { "retry-after": "5" } },
	);

function replace(c: Context, response: Response): void {
	// Otherwise the headers of the first response stay.
	c.res = undefined;
	c.res = response;
}
