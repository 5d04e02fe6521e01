import { createHash } from "node:crypto";
import { runInTenant } from "better-auth-tenant";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { type Auth, basePath, clientIpHeader, ERROR_PAGE } from "../auth";
import { issuerOf } from "../openid-provider/issuer";
import { deviceCookiesIn } from "../rate-limits/known-callers";
import { checkResponse } from "../saml/response-check";
import { metadataOf, PROVIDER_ID, serviceProviderOf } from "../saml/service-provider";
import { testCookieOf } from "../saml/test-cookie";
import { FLOW_SECONDS } from "../saml/times";
import type { ServiceConfig } from "../settings/service-config";
import { samlTestFlow } from "./saml-test-flow";
import { findServedTenant, type ServedTenant } from "./served-tenant";

type Parts = {
	config: ServiceConfig;
	auth: Auth;
	handler: (request: Request) => Promise<Response>;
	/** Whether users may be sent to a URL. `ownOrigin` is that of a tenant's host. */
	isTrustedTarget: (url: string, ownOrigin?: string) => Promise<boolean>;
};

/** What the cookie of a flow says. Somebody who changes it gets an error, or a sign-in of their own. */
const [SIGN_IN, TEST] = ["1", "test"];
const TEST_DONE = "The test is done. Go back to the page SAML: it shows what came out.";

/** SAML of each tenant, beside its OpenID provider. */
export function samlRoutes({ config, auth, handler, isTrustedTarget }: Parts): Hono {
	const { tenantHosts } = config;
	const app = new Hono();
	if (!config.settings.saml) return app;
	// Hosts of other tenants are beside this one, and must not set the cookie. Browsers accept it over https only.
	const prefix = config.baseUrl.startsWith("https:") ? { prefix: "host" as const } : {};
	const { name: testCookie } = testCookieOf(config);
	const below = tenantHosts ? "/saml" : "/t/:slug/saml";

	const findTenant = async (c: Context): Promise<ServedTenant | null> => {
		const slug = tenantHosts
			? tenantHosts.slugOf(new URL(c.req.url).host)
			: (c.req.param("slug") ?? null);
		return slug === null ? null : findServedTenant(auth, slug);
	};

	const send = (c: Context, tenant: ServedTenant, path: string, body: object) => {
		const headers = new Headers({
			"x-tenant-id": tenant.id,
			"content-type": "application/json",
			origin: new URL(issuerOf(config, tenant.slug)).origin,
		});
		for (const name of ["user-agent", clientIpHeader]) {
			const value = c.req.header(name);
			if (value !== undefined) headers.set(name, value);
		}
		// No other cookie: a session must not take part.
		const devices = deviceCookiesIn(c.req.header("cookie") ?? "");
		if (devices) headers.set("cookie", devices);
		const url = new URL(`${basePath}${path}`, c.req.url);
		return handler(new Request(url, { method: "POST", headers, body: JSON.stringify(body) }));
	};

	const failed = (c: Context, { slug }: ServedTenant, error: string) =>
		c.redirect(`${issuerOf(config, slug)}${ERROR_PAGE}?${new URLSearchParams({ error })}`);

	app.get(`${below}/metadata`, async (c) => {
		const tenant = await findTenant(c);
		if (!tenant) return c.notFound();
		const headers = { "content-type": "application/samlmetadata+xml" };
		return c.body(metadataOf(serviceProviderOf(config, tenant.slug)), 200, headers);
	});

	app.get(`${below}/sign-in`, async (c) => {
		const tenant = await findTenant(c);
		if (!tenant) return c.notFound();
		const issuer = issuerOf(config, tenant.slug);
		const callbackURL = c.req.query("callbackURL") ?? `${issuer}/account`;
		if (!(await isTrustedTarget(callbackURL, tenantHosts?.originOf(tenant.slug)))) {
			return failed(c, tenant, "INVALID_CALLBACK_URL");
		}
		const errorCallbackURL = `${issuer}${ERROR_PAGE}`;
		const body = { providerId: PROVIDER_ID, callbackURL, errorCallbackURL };
		const response = await send(c, tenant, "/sign-in/sso", body);
		if (isTrouble(response)) return response;
		// After the request that has a rate limit.
		const link = c.req.query("test");
		const tests = samlTestFlow(auth, tenant.id);
		const testId = link ? await tests.open(link, getCookie(c, testCookie)) : null;
		if (link && testId === null) return failed(c, tenant, "invalid_state");
		if (!response.ok) {
			const code = await codeOf(response);
			if (testId !== null) await tests.failed(testId, code);
			return testId === null ? failed(c, tenant, code) : c.text(TEST_DONE);
		}
		const { url } = (await response.json()) as { url: string };
		const relayState = new URL(url).searchParams.get("RelayState") ?? "";
		if (testId !== null) await tests.sent(new URL(url), testId);
		// The identity provider comes back with a POST of another site.
		setCookie(c, cookieOf(relayState), testId === null ? SIGN_IN : TEST, {
			...{ path: "/", httpOnly: true, secure: true, sameSite: "None", maxAge: FLOW_SECONDS },
			...prefix,
		});
		return c.redirect(url);
	});

	app.post(`${below}/acs`, async (c) => {
		const tenant = await findTenant(c);
		if (!tenant) return c.notFound();
		const form = new URLSearchParams(await c.req.text());
		const [SAMLResponse, RelayState] = [form.get("SAMLResponse"), form.get("RelayState")];
		if (!SAMLResponse) return failed(c, tenant, "invalid_saml_response");
		const name = cookieOf(RelayState ?? "");
		// Otherwise somebody could sign another person in to an account of their own.
		const kind = RelayState ? getCookie(c, name, prefix.prefix) : undefined;
		if (!RelayState || (kind !== SIGN_IN && kind !== TEST)) {
			return failed(c, tenant, "invalid_state");
		}
		const path = `/sso/saml2/sp/acs/${PROVIDER_ID}`;
		if (kind === TEST) {
			const own = serviceProviderOf(config, tenant.slug);
			const flow = samlTestFlow(auth, tenant.id);
			const ended = await flow.finish({ SAMLResponse, RelayState }, own, async (checked) => {
				const response = await send(c, tenant, path, { SAMLResponse: checked, RelayState });
				return isTrouble(response) ? response : errorOf(response);
			});
			if (ended instanceof Response) return ended;
			deleteCookie(c, name, { path: "/", secure: true, ...prefix });
			return ended ? c.text(TEST_DONE) : failed(c, tenant, "invalid_state");
		}
		const checked = checkResponse(SAMLResponse);
		if ("error" in checked) return failed(c, tenant, checked.error);
		const body = { SAMLResponse: checked.SAMLResponse, RelayState };
		const response = await send(c, tenant, path, body);
		if (isTrouble(response)) return response;
		if (response.status !== 302) return failed(c, tenant, await codeOf(response));
		deleteCookie(c, name, { path: "/", secure: true, ...prefix });
		for (const [header, value] of response.headers) c.header(header, value, { append: true });
		return c.body(null, 302);
	});
	return app;
}

/** Whether the users of a tenant can sign in with SAML. */
export const samlCheck = (auth: Auth) => async (tenantId: string) => {
	const { adapter } = await auth.$context;
	const where = [{ field: "providerId", value: PROVIDER_ID }];
	// A page without it is better than none.
	return runInTenant(auth, tenantId, () => adapter.count({ model: "ssoProvider", where })).then(
		(count) => count > 0,
		() => false,
	);
};

/** Each flow has its own cookie, so that two tabs do not disturb each other. */
const cookieOf = (relayState: string) =>
	`saml-${createHash("sha256").update(relayState).digest("hex").slice(0, 32)}`;

/** A redirect would hide from proxies and clients that they should come back later. */
const isTrouble = ({ status }: Response): boolean => status === 429 || status >= 500;

/** The code of the error page to which a response leads. */
async function errorOf(response: Response): Promise<string> {
	if (response.status !== 302) return codeOf(response);
	const target = response.headers.get("location") ?? "";
	return new URL(target, "http://localhost").searchParams.get("error") ?? "saml_failed";
}

async function codeOf(response: Response): Promise<string> {
	const body: unknown = await response.json().catch(() => null);
	const { code }: { code?: unknown } = Object(body);
	return typeof code === "string" ? code : "saml_failed";
}
