import type { HttpBindings } from "@hono/node-server";
import { fastHandler } from "better-auth-fast";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { except } from "hono/combine";
import { type Backend, basePath } from "../auth";
import type { DailyCounts } from "../database/daily-counts";
import { isOutage } from "../database/outage";
import type { TenantDays } from "../database/tenant-days";
import type { Jobs } from "../jobs/jobs";
import { requestLog, routePatterns } from "../monitoring/request-log";
import { noteOutage } from "../monitoring/request-record";
import { adminRights } from "../pages/admin-rights";
import { pages } from "../pages/pages";
import { askRegions, keepLocated, REGION_PATH } from "../regions/directory";
import type { ServiceConfig } from "../settings/service-config";
import { setClientIp } from "./client-ip";
import { useConsoleCookie } from "./console-requests";
import { errorPages } from "./error-pages";
import type { Health } from "./health";
import { LOGO_ROUTE, logoRoute } from "./logo-route";
import { openApiDocument } from "./open-api-document";
import { isOpenIdPath } from "./openid-routes/endpoint-paths";
import { openIdRoutes } from "./openid-routes/routes";
import { operatorCall } from "./operator-call";
import { managerCheck, metricsRoute, operatorRoutes } from "./operator-routes";
import {
	allowCrossOrigin,
	allowProgramsWithFetch,
	checkHostHeader,
	normalizeHostHeader,
} from "./origin-checks";
import { otherRegion } from "./other-region";
import { reportOutages } from "./outages";
import { policyLimits } from "./policy-limits";
import { regionRoute } from "./region-route";
import { MAX_BODY_BYTES } from "./request-body";
import { acceptRotatedSecrets } from "./rotated-cookie-secrets";
import { samlCheck, samlRoutes } from "./saml-routes";
import { scimErrors, scimRoutes } from "./scim-routes";
import { cookiesOfHosts, tenantCookies } from "./tenant-cookies/tenant-cookies";
import { tenantFileRoutes } from "./tenant-file/routes";
import { TENANT_FILE_IMPORT, TENANT_FILE_PATH } from "./tenant-file/upload";
import { tenantFinder } from "./tenant-finder";
import { trustedTargets } from "./trusted-targets";

export type App = Hono<{ Bindings: HttpBindings }>;

export type AppParts = {
	config: ServiceConfig;
	backend: Backend;
	counts: DailyCounts;
	tenantDays: TenantDays;
	health: Health;
	jobs: Pick<Jobs, "list">;
};

export function createApp(parts: AppParts): App {
	const { config, backend, counts, tenantDays, health } = parts;
	const { auth, log, metrics } = backend;
	const { settings } = config;
	const cookies = config.tenantHosts ? cookiesOfHosts : tenantCookies(auth);
	const handler = cookies.around(fastHandler(auth));
	const handleWithBody = async (request: Request) => withErrorBody(await handler(request));
	const tenants = tenantFinder(auth, log);
	const showError = errorPages(config.tenantHosts, tenants.findById);
	const isTrustedTarget = trustedTargets(auth);
	const checkManager = managerCheck({ handler }, config.baseUrl);
	const app: App = new Hono();
	app.use(
		requestLog(
			log,
			routePatterns(basePath, endpointPaths(auth.api)),
			(request) => {
				metrics.countRequest(request);
				counts.record(request);
				tenantDays.record(request);
			},
			config.storeTimeMs,
		),
	);
	app.use(scimErrors);
	app.use(reportOutages);
	app.use(async (c, next) => (FORBIDDEN_METHODS.has(c.req.method) ? errorResponse(405) : next()));
	app.use(checkHostHeader);
	app.use(normalizeHostHeader(config.tenantHosts));
	app.use(setClientIp(settings.trustedProxies));
	app.use(acceptRotatedSecrets(config));
	app.use(useConsoleCookie);
	app.route("/", health.routes);
	app.get("/metrics", metricsRoute(metrics, checkManager));
	app.use(allowProgramsWithFetch);
	const limit = bodyLimit({ maxSize: MAX_BODY_BYTES, onError: () => errorResponse(413) });
	app.use(except(TENANT_FILE_IMPORT, limit));
	const { trustedOrigins } = settings;
	if (trustedOrigins.length > 0) app.use(`${basePath}/*`, allowCrossOrigin(trustedOrigins));
	const askOthers = settings.regions && askRegions(settings.regions, log);
	if (settings.regions && askOthers) {
		const { others } = settings.regions;
		const { tenantHosts } = config;
		app.get(REGION_PATH, regionRoute(auth, settings.regions));
		app.use(otherRegion({ auth, locate: keepLocated(askOthers), others, tenantHosts }));
	}
	const call = operatorCall({ handler }, config.baseUrl);
	app.route(
		TENANT_FILE_PATH,
		tenantFileRoutes({
			...{ auth, log, call, checkManager },
			locate: askOthers,
			fileLogN: config.fileLogN,
		}),
	);
	app.route("/service", operatorRoutes(parts, checkManager));
	app.route("/", openIdRoutes({ config, auth, handler }));
	app.route("/", samlRoutes({ config, auth, handler: handleWithBody, isTrustedTarget }));
	app.route("/", scimRoutes({ config, auth, handler: handleWithBody }));
	app.route(
		"/",
		pages({
			tenantHosts: config.tenantHosts,
			findTenant: tenants.findBySlug,
			isTrustedTarget,
			hasSaml: settings.saml ? samlCheck(auth) : async () => false,
			findServiceInfo: settings.tenantAdminPages
				? async () => ({
						baseUrl: config.baseUrl,
						tenantDomain: settings.tenantDomain,
						mail: config.email,
						apiScopes: settings.apiScopes,
						dpop: settings.dpop,
						scim: settings.scim,
						saml: settings.saml,
						policy: await policyLimits(backend),
					})
				: null,
			findAdminRights: adminRights(auth, cookies.open),
			captcha: settings.captcha,
			sendsCodes: config.sendsCodes,
			logoOrigin: config.baseUrl,
		}),
	);
	app.get(LOGO_ROUTE, logoRoute(auth));
	app.get("/", (c) => c.text(OVERVIEW));
	app.get(`${basePath}/open-api/generate-schema`, openApiDocument(config));
	app.all(`${basePath}/*`, async (c) => {
		// The OpenID provider of a tenant is below its issuer only.
		if (isOpenIdPath(c.req.path.slice(basePath.length))) return c.notFound();
		// So are its SCIM server, and its endpoints for SAML.
		if (/^\/(scim|sso|sign-in\/sso)(\/|$)/.test(c.req.path.slice(basePath.length))) {
			return c.notFound();
		}
		// Better Auth has no such path, but it needs seconds to find out if there are thousands of slashes.
		if (new URL(c.req.url).pathname.includes("//")) return c.notFound();
		return showError(c.req.raw, await handleWithBody(c.req.raw));
	});
	app.notFound(() => errorResponse(404));
	app.onError((error, c) => {
		if (isOutage(error)) noteOutage();
		if (!c.req.raw.signal.aborted) log.error({ err: error }, "request failed");
		return errorResponse(500);
	});
	return app;
}

function endpointPaths(api: object): string[] {
	return Object.values(api).flatMap((endpoint: { path?: string }) => endpoint.path ?? []);
}

const OVERVIEW = `This is an authentication server.

  /console                             console for operators
  /t/<slug>                            pages of a tenant, such as sign-in and account
  /t/<slug>/admin                      pages for the administrators of a tenant
  /t/<slug>/oauth2                     OpenID provider of a tenant
  /t/<slug>/scim/v2                    SCIM server of a tenant, with SCIM=true
  /api/auth                            endpoints
  /api/auth/open-api/generate-schema   OpenAPI document of the endpoints
  /healthz, /readyz                    liveness and readiness
`;

/** No `Request` can have them. */
const FORBIDDEN_METHODS = new Set(["CONNECT", "TRACE", "TRACK"]);

const errors = {
	405: { code: "METHOD_NOT_ALLOWED", message: "Method not allowed" },
	404: { code: "NOT_FOUND", message: "Not found" },
	413: {
		code: "PAYLOAD_TOO_LARGE",
		message: `The request body is larger than ${MAX_BODY_BYTES} bytes`,
	},
	429: { code: "TOO_MANY_REQUESTS", message: "Too many requests. Please try again later." },
	500: { code: "INTERNAL_SERVER_ERROR", message: "Internal server error" },
};

function errorResponse(status: keyof typeof errors): Response {
	return Response.json(errors[status], { status });
}

/**
 * Better Auth's router sends 404 and 500 with an empty body. Its rate limiter sends no code, and a header
 * of its own.
 */
function withErrorBody(response: Response): Response {
	if (response.status === 429 && !response.headers.has("retry-after")) {
		const headers = { "retry-after": response.headers.get("x-retry-after") ?? "1" };
		return Response.json(errors[429], { status: 429, headers });
	}
	if (response.body) return response;
	if (response.status === 404 || response.status === 500) return errorResponse(response.status);
	return response;
}
