import { isLoopbackHost } from "@better-auth/core/utils/host";
import { runAcrossTenants, runOnPlatform } from "better-auth-tenant";
import { Hono, type MiddlewareHandler } from "hono";
import * as z from "zod";
import { version } from "../../package.json" with { type: "json" };
import { type Auth, type Backend, clientIpHeader } from "../auth";
import {
	type CountedEvent,
	type DailyCount,
	type DailyCounts,
	lastDays,
} from "../database/daily-counts";
import type { TenantDays } from "../database/tenant-days";
import { smtpReason, testEmail } from "../email/mailer";
import { streamState } from "../event-stream/outbox";
import type { Metrics } from "../monitoring/metrics";
import type { Action } from "../operators/permissions";
import type { CurrentOperator } from "../operators/session-endpoints";
import type { ServiceConfig } from "../settings/service-config";
import { operatorCall } from "./operator-call";
import { type AuditEvent, isSearchable, searchUsers, withNames } from "./operator-search";
import { policyLimits } from "./policy-limits";
import { type HealthParts, serviceHealth } from "./service-health";
import { tenantActivity } from "./tenant-activity";
import { tenantCounts } from "./tenant-counts";

/** Returns a response if the caller may not do it. */
export type ManagerCheck = (headers: Headers, action: Action) => Promise<Response | null>;

/**
 * Checks whether a caller may do something that concerns no tenant, with the rules and the rate limit of
 * the endpoints: it asks who the caller is, on behalf of the caller.
 */
export function managerCheck(auth: Pick<Auth, "handler">, baseUrl: string): ManagerCheck {
	const call = operatorCall(auth, baseUrl);
	return async (given, action) => {
		const response = await call("/operator/me", given);
		if (!response.ok) return response;
		const caller = (await response.json()) as CurrentOperator;
		if (
			caller.status === "allowed" &&
			caller.tenantId === null &&
			caller.actions.includes(action)
		) {
			return null;
		}
		const code = "TENANT_MANAGEMENT_NOT_ALLOWED";
		return Response.json({ code, message: "You are not allowed to do this" }, { status: 403 });
	};
}

/** `/metrics`, for this machine and for managers. */
export function metricsRoute(metrics: Metrics, checkManager: ManagerCheck): MiddlewareHandler {
	return async (c) => {
		if (!isFromThisMachine(c.req.raw)) {
			const rejection = await checkManager(c.req.raw.headers, "service:metrics");
			if (rejection) return rejection;
		}
		return c.body(await metrics.text(), 200, {
			"content-type": metrics.contentType,
			"cache-control": "no-store",
		});
	};
}

/** A proxy on this machine forwards requests from other machines. It adds one of these headers. */
const proxyHeaders = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

function isFromThisMachine(request: Request): boolean {
	const { headers } = request;
	if (proxyHeaders.some((name) => headers.has(name))) return false;
	return (
		isLoopbackHost(headers.get(clientIpHeader) ?? "") && isLoopbackHost(new URL(request.url).host)
	);
}

/** The console compares up to 90 days with the 90 days before. */
const SHOWN_DAYS = 180;

/** What a caller must be allowed to do. A path that is not here does not exist. */
const ACTION_OF_PATH: Readonly<Record<string, Action>> = {
	"/service/info": "service:info",
	"/service/overview": "service:overview",
	"/service/health": "service:overview",
	"/service/tenant-activity": "service:overview",
	"/service/tenant-counts": "service:overview",
	"/service/jobs": "service:metrics",
	"/service/mail-test": "service:mail-test",
	"/service/outbox": "service:outbox",
	"/service/users": "user:list",
	"/service/audit": "audit:list",
};

export type OperatorParts = HealthParts & {
	counts: DailyCounts;
	tenantDays: TenantDays;
};

/** The routes below `/service`, which the console uses. */
export function operatorRoutes(
	{ config, backend, counts, tenantDays, health, jobs }: OperatorParts,
	checkManager: ManagerCheck,
): Hono {
	const { settings } = config;
	const outbox = config.email === "outbox" ? backend.mailer.outbox : null;
	const call = operatorCall(backend.auth, config.baseUrl);
	const routes = new Hono();
	routes.use(async (c, next) => {
		const action = ACTION_OF_PATH[c.req.path];
		if (!action) return c.notFound();
		const rejection = await checkManager(c.req.raw.headers, action);
		if (rejection) return rejection;
		await next();
		c.res.headers.set("cache-control", "no-store");
	});
	routes.get("/info", async (c) =>
		c.json({
			baseUrl: config.baseUrl,
			tenantDomain: settings.tenantDomain,
			region: settings.regions && {
				name: settings.regions.name,
				others: settings.regions.others,
			},
			database: settings.database.type,
			redis: settings.redisUrl !== null,
			/** `none`: nothing that needs an email works. */
			mail: config.email,
			outbox: outbox !== null,
			requireEmailVerification: settings.requireEmailVerification,
			allowPrivateProviderHosts: settings.allowPrivateProviderHosts,
			providers: Object.keys(settings.providers),
			tenantRoles: Object.keys(settings.tenantRoles),
			apiScopes: settings.apiScopes,
			dpop: settings.dpop,
			scim: settings.scim,
			saml: settings.saml,
			policy: await policyLimits(backend),
			version,
			node: process.versions.node,
			uptimeSeconds: Math.round(process.uptime()),
		}),
	);
	routes.get("/overview", async (c) => {
		const counted = await counts.list(SHOWN_DAYS);
		return c.json({
			tenants: await countTenants(backend),
			users: await countUsers(backend),
			days: lastDays(SHOWN_DAYS).map((day) => ({
				day,
				signIns: countOn(counted, day, "sign-in"),
				failures: countOn(counted, day, "sign-in-failed"),
				signUps: countOn(counted, day, "sign-up"),
			})),
		});
	});
	routes.get("/health", async (c) =>
		c.json(await serviceHealth({ config, backend, health, jobs })),
	);
	routes.get("/tenant-activity", tenantActivity(backend, tenantDays));
	routes.get("/tenant-counts", tenantCounts(backend));
	routes.get("/jobs", async (c) =>
		c.json({
			/** In days. `null`: kept forever. */
			retention: {
				auditEvents: settings.auditRetentionDays,
				signIns: settings.signInRetentionDays,
				webhookDeliveries: settings.webhookRetentionDays,
			},
			jobs: await jobs.list(),
			eventStream: settings.eventStream
				? await streamState(await backend.auth.$context, settings.eventStream)
				: null,
		}),
	);
	routes.post("/mail-test", mailTest(config, backend));
	routes.get("/users", async (c) => {
		const search = (c.req.query("search") ?? "").trim();
		if (isSearchable(search)) {
			const { users, isLimited } = await searchUsers(backend, search);
			// As the lists of the plugin say it.
			if (isLimited) c.header("x-search-limited", "true");
			return c.json(users);
		}
		const message = "[query.search] Search for 2 to 200 characters";
		return c.json({ code: "VALIDATION_ERROR", message }, 400);
	});
	routes.get("/audit", async (c) => {
		const { search } = new URL(c.req.url);
		const response = await call(`/tenant/audit/list${search}`, c.req.raw.headers);
		if (!response.ok) return response;
		for (const name of ["x-total-count", "x-next-cursor"]) {
			const value = response.headers.get(name);
			if (value !== null) c.header(name, value);
		}
		return c.json(await withNames(backend, (await response.json()) as AuditEvent[]));
	});
	if (outbox) routes.get("/outbox", async (c) => c.json(await outbox.list()));
	return routes;
}

const mailTestBody = z.strictObject({ to: z.email("must be an email").max(255) });

/** Sends a test email, and says what went wrong if it could not. */
function mailTest({ email }: ServiceConfig, { mailer, log }: Backend): MiddlewareHandler {
	return async (c) => {
		if (email === "none") {
			return c.json({ code: "MAIL_NOT_CONFIGURED", message: "SMTP_URL is not set" }, 409);
		}
		const body = mailTestBody.safeParse(await c.req.json().catch(() => null));
		if (!body.success) {
			const problems = body.error.issues.map(
				({ path, message }) => `[${["body", ...path].join(".")}] ${message}`,
			);
			return c.json({ code: "VALIDATION_ERROR", message: problems.join("; ") }, 400);
		}
		try {
			await mailer.sendAndWait(testEmail(body.data.to));
			return c.json({ sent: email === "smtp" });
		} catch (error) {
			log.warn({ err: error }, "the test email could not be sent");
			return c.json({ code: "MAIL_NOT_SENT", message: smtpReason(error) }, 502);
		}
	};
}

async function countTenants({ auth }: Backend): Promise<number> {
	const { adapter } = await auth.$context;
	return adapter.count({ model: "tenant" });
}

/** Users of no tenant are operators, and not counted. */
async function countUsers({ auth }: Backend): Promise<number> {
	const { adapter } = await auth.$context;
	const count = () => adapter.count({ model: "user" });
	return (await runAcrossTenants(count)) - (await runOnPlatform(count));
}

function countOn(counted: DailyCount[], day: string, what: CountedEvent): number {
	return counted.find((entry) => entry.day === day && entry.what === what)?.count ?? 0;
}
