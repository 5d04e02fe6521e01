import type { AuthContext } from "better-auth";
import { getCurrentTenant, runInTenant } from "better-auth-tenant";
import { fetchFromProvider } from "better-auth-tenant/openid";
import type { Log } from "../../monitoring/log";
import type { ServiceConfig } from "../../settings/service-config";
import { logoutOf } from "../applications/application";
import { findClient } from "../applications/find-application";
import { fillPlaceholder } from "../applications/tenant-placeholder";
import { CLIENT_SESSION, type ClientSessionRow } from "../client-sessions/client-session";
import { issuerOf } from "../issuer";
import { signLogoutToken } from "./logout-token";

const MAX_ROWS = 500;

/** How many applications are called at the same time. One application gets one request at a time. */
const CONCURRENCY = 10;

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 64 * 1024;

/** A process that dies keeps a row for so long. It is more than an attempt can take. */
const LEASE_MS = 60_000;

/** An application that is slow has so long, and then the others have their turn. */
const TURN_MS = 10_000;
/** After this time it has the next turn. */
const PAUSE_MS = 30_000;

/** In seconds, after the first attempt, the second, and so on. */
const DELAYS = [10, 60, 600];

type Parts = { auth: Parameters<typeof runInTenant>[0]; log: Log };
type Config = Pick<ServiceConfig, "baseUrl" | "tenantHosts" | "settings">;
export type LogoutReport = { sent: number; failed: number };

/**
 * - `done`: the application knows it, or there is nobody to tell
 * - `refused`: it does not want the token, and would not want the next one
 * - `unreachable`: it may be down
 */
type Outcome = "done" | "refused" | "unreachable";

/**
 * Tells applications that sessions have ended. Several processes may run it at the same time. A token is sent
 * again only if the application could not be reached (OpenID Connect Back-Channel Logout, section 2.5).
 */
export async function sendLogoutTokens(
	{ auth, log }: Parts,
	config: Config,
	signal: AbortSignal,
): Promise<LogoutReport> {
	// Its type depends on the options of this service.
	const context = (await auth.$context) as object as AuthContext;
	const { adapter } = context;
	const report: LogoutReport = { sent: 0, failed: 0 };
	const due = await adapter.findMany<ClientSessionRow>({
		model: CLIENT_SESSION,
		where: [{ field: "dueAt", operator: "lte", value: new Date() }],
		sortBy: { field: "dueAt", direction: "asc" },
		limit: MAX_ROWS,
	});
	const turns = [...groupByClient(due).values()];
	const work = async () => {
		for (let turn = turns.shift(); turn && !signal.aborted; turn = turns.shift()) await take(turn);
	};
	await Promise.all(Array.from({ length: CONCURRENCY }, work));
	return report;

	/** An application that cannot be reached is not called again in this run. */
	async function take(rows: ClientSessionRow[]): Promise<void> {
		const end = Date.now() + TURN_MS;
		for (const [at, row] of rows.entries()) {
			if (signal.aborted) return;
			if (Date.now() >= end) return pause(row);
			if (!(await claim(row))) continue;
			const outcome = await tell(row);
			if (outcome === "unreachable") return postpone(rows.slice(at));
			report[outcome === "done" ? "sent" : "failed"] += 1;
			await adapter.deleteMany({ model: CLIENT_SESSION, where: [{ field: "id", value: row.id }] });
		}
	}

	/** All rows of the application wait, also those that this run has not read: others come before them. */
	async function pause({ tenantId, clientId }: ClientSessionRow): Promise<void> {
		const where = [
			{ field: "tenantId", value: tenantId },
			{ field: "clientId", value: clientId },
			{ field: "dueAt", operator: "lte" as const, value: new Date() },
		];
		const update = { dueAt: new Date(Date.now() + PAUSE_MS) };
		await adapter.updateMany({ model: CLIENT_SESSION, where, update });
	}

	/** The row belongs to the process that changes it first. */
	async function claim({ id, attempts }: ClientSessionRow): Promise<boolean> {
		const where = [
			{ field: "id", value: id },
			{ field: "attempts", value: attempts },
			{ field: "dueAt", operator: "lte" as const, value: new Date() },
		];
		const update = { dueAt: new Date(Date.now() + LEASE_MS) };
		return (await adapter.updateMany({ model: CLIENT_SESSION, where, update })) > 0;
	}

	async function postpone(rows: ClientSessionRow[]): Promise<void> {
		report.failed += rows.length;
		for (const { id, attempts } of rows) {
			const where = [
				{ field: "id", value: id },
				{ field: "attempts", value: attempts },
			];
			const delay = DELAYS[attempts];
			if (delay === undefined) await adapter.deleteMany({ model: CLIENT_SESSION, where });
			else {
				const update = { attempts: attempts + 1, dueAt: new Date(Date.now() + delay * 1000) };
				await adapter.updateMany({ model: CLIENT_SESSION, where, update });
			}
		}
	}

	async function tell(row: ClientSessionRow): Promise<Outcome> {
		const { tenantId, clientId } = row;
		try {
			const outcome = await runInTenant(auth, tenantId, () => send(row));
			if (outcome === "refused") log.warn({ tenantId, clientId }, "a logout token was refused");
			return outcome;
		} catch (err) {
			log.warn({ err, tenantId, clientId }, "a logout token was not sent");
			return "unreachable";
		}
	}

	async function send({ clientId, sessionId, userId }: ClientSessionRow): Promise<Outcome> {
		const tenant = await getCurrentTenant();
		const client = await findClient(context, clientId);
		const logout = client && !client.disabled ? logoutOf(client) : null;
		if (!tenant || !logout) return "done";
		const logout_token = await signLogoutToken(context, {
			...{ issuer: issuerOf(config, tenant.slug), clientId, userId },
			sessionId: logout.sessionRequired ? sessionId : null,
		});
		const { status } = await fetchFromProvider(fillPlaceholder(logout.uri, tenant.slug), {
			accept: "application/json",
			form: { logout_token },
			allowPrivate: config.settings.allowPrivateProviderHosts,
			maxBytes: MAX_RESPONSE_BYTES,
			timeout: TIMEOUT_MS,
		});
		if (status < 400) return "done";
		if (status < 500 && status !== 408 && status !== 429) return "refused";
		throw new Error(`The response was ${status}`);
	}
}

function groupByClient(rows: ClientSessionRow[]): Map<string, ClientSessionRow[]> {
	const groups = new Map<string, ClientSessionRow[]>();
	for (const row of rows) {
		const key = `${row.tenantId} ${row.clientId}`;
		groups.set(key, [...(groups.get(key) ?? []), row]);
	}
	return groups;
}
