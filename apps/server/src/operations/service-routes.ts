import { runAcrossTenants } from "better-auth-tenant";
import { Hono } from "hono";
import type { Backend } from "../backend";
import { type DailyCounts, lastDays } from "../counts/daily-counts";
import type { CountedThing, DailyCount } from "../counts/daily-counts-table";
import type { ServiceConfig } from "../service-config";
import type { ManagerCheck } from "./managers";

const shownDays = 30;

type Variables = { tenants: number };

/** What the service tells its operators about itself, below `/service`. */
export function serviceRoutes(
	config: ServiceConfig,
	backend: Backend,
	counts: DailyCounts,
	requireManager: ManagerCheck,
): Hono<{ Variables: Variables }> {
	const { settings } = config;
	const outbox = config.isDevelopment ? backend.mailer.outbox : null;
	const routes = new Hono<{ Variables: Variables }>();
	routes.use(async (c, next) => {
		const answer = await requireManager(c.req.raw.headers);
		if ("refusal" in answer) return answer.refusal;
		c.set("tenants", answer.tenants);
		await next();
		c.res.headers.set("cache-control", "no-store");
	});
	routes.get("/info", (c) =>
		c.json({
			baseUrl: config.baseUrl,
			tenantDomain: settings.tenantDomain,
			database: settings.database.type,
			redis: settings.redisUrl !== null,
			mail: settings.mail.smtpUrl ? "smtp" : "outbox",
			outbox: outbox !== null,
			requireEmailVerification: settings.requireEmailVerification,
			allowPrivateProviderHosts: settings.allowPrivateProviderHosts,
			providers: Object.keys(settings.providers),
			node: process.versions.node,
			uptimeSeconds: Math.round(process.uptime()),
		}),
	);
	routes.get("/overview", async (c) => {
		const counted = await counts.list(shownDays);
		return c.json({
			tenants: c.get("tenants"),
			users: await countUsers(backend),
			days: lastDays(shownDays).map((day) => ({
				day,
				signIns: countOn(counted, day, "sign-in"),
				failures: countOn(counted, day, "sign-in-failed"),
				signUps: countOn(counted, day, "sign-up"),
			})),
		});
	});
	if (outbox) routes.get("/outbox", (c) => c.json(outbox.list()));
	return routes;
}

async function countUsers({ auth }: Backend): Promise<number> {
	const { adapter } = await auth.$context;
	return runAcrossTenants(() => adapter.count({ model: "user" }));
}

function countOn(counted: DailyCount[], day: string, what: CountedThing): number {
	return counted.find((entry) => entry.day === day && entry.what === what)?.count ?? 0;
}
