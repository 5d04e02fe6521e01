import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { basePath } from "./auth";
import type { Backend } from "./backend";
import { clientAddress } from "./client-address";
import type { DailyCounts } from "./counts/daily-counts";
import { crossOrigin } from "./cross-origin";
import { fetchMetadata } from "./fetch-metadata";
import { requestLog } from "./logs/request-log";
import { routePatterns } from "./logs/route-pattern";
import { acceptOlderSignatures } from "./older-signatures";
import { requireOneHost } from "./one-host";
import type { Health } from "./operations/health";
import { managerCheck } from "./operations/managers";
import { metricsRoute } from "./operations/metrics-route";
import { serviceRoutes } from "./operations/service-routes";
import { pages } from "./pages/pages";
import type { ServiceConfig } from "./service-config";
import { refuseOtherTenantsPages } from "./tenant-origins";

/** More than any request of this service needs, metadata and all. */
const maxBodyBytes = 1024 * 1024;

export type App = Hono<{ Bindings: HttpBindings }>;

export type AppParts = {
	config: ServiceConfig;
	backend: Backend;
	counts: DailyCounts;
	health: Health;
};

/** The HTTP side of the server. */
export function createApp({ config, backend, counts, health }: AppParts): App {
	const { auth, log, metrics } = backend;
	const requireManager = managerCheck(auth, config.baseUrl);
	const app: App = new Hono();
	app.use(
		requestLog(log, routePatterns(basePath, pathsOf(auth.api)), (request) => {
			metrics.note(request);
			counts.note(request);
		}),
	);
	app.use(requireOneHost);
	app.use(clientAddress(config.settings.trustedProxies));
	app.use(acceptOlderSignatures(config));
	app.route("/", health.routes);
	app.get("/metrics", metricsRoute(metrics, requireManager));
	app.use(fetchMetadata);
	app.use(bodyLimit({ maxSize: maxBodyBytes, onError: () => errorResponse(413) }));
	app.use(refuseOtherTenantsPages(config));
	const { trustedOrigins } = config.settings;
	if (trustedOrigins.length > 0) app.use(`${basePath}/*`, crossOrigin(trustedOrigins));
	app.route("/service", serviceRoutes(config, backend, counts, requireManager));
	app.route("/", pages(config));
	app.get("/", (c) => c.text(directions));
	app.all(`${basePath}/*`, async (c) => withErrorBody(await auth.handler(c.req.raw)));
	app.notFound(() => errorResponse(404));
	app.onError((error) => {
		log.error({ err: error }, "a request failed");
		return errorResponse(500);
	});
	return app;
}

function pathsOf(api: object): string[] {
	return Object.values(api).flatMap((endpoint: { path?: string }) => endpoint.path ?? []);
}

const directions = `This is an authentication server.

  /console                             where its operators see and change what is in it
  /t/<slug>                            a tenant's own pages, such as sign-in and account
  /api/auth                            its endpoints
  /api/auth/open-api/generate-schema   their documentation, as an OpenAPI document
  /healthz, /readyz                    whether it is up, and whether it can do its work
`;

const errors = {
	404: { code: "NOT_FOUND", message: "There is nothing at this address" },
	413: { code: "PAYLOAD_TOO_LARGE", message: `The body is larger than ${maxBodyBytes} bytes` },
	500: { code: "INTERNAL_SERVER_ERROR", message: "Something went wrong on the server" },
};

function errorResponse(status: keyof typeof errors): Response {
	return Response.json(errors[status], { status });
}

/** Better Auth's router answers 404 and 500 with nothing in them. */
function withErrorBody(response: Response): Response {
	if (response.body) return response;
	if (response.status === 404 || response.status === 500) return errorResponse(response.status);
	return response;
}
