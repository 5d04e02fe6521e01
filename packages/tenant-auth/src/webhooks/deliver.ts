import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { recordAuditEvent } from "../audit/audit-store";
import { type AnyAuth, acrossTenants, requireInstance } from "../context/current-state";
import { findTenantRow, scopeOf } from "../context/tenant";
import { runRetried } from "../database/write-conflicts";
import type { DeliveryRow } from "../events/outbox";
import { eventSettingsOf } from "../events/settings";
import { withIds } from "../isolation/row-owners";
import { DELIVERY_MODEL } from "./deliveries";
import { type Attempt, type SendOptions, send } from "./send";
import { changeWebhooks } from "./store";
import type { WebhookRow } from "./webhook";

export interface DeliverWebhooksOptions {
	/**
	 * The largest number of deliveries of one run.
	 *
	 * @default 1000
	 */
	limit?: number;
	/**
	 * How many webhooks are called at the same time. One webhook gets one request at a time.
	 *
	 * @default 10
	 */
	concurrency?: number;
	/**
	 * How long a receiver may take to answer, in milliseconds. At most ten seconds.
	 *
	 * @default 10_000
	 */
	timeout?: number;
}

export interface DeliverWebhooksReport {
	delivered: number;
	/** Failed attempts. They are repeated later, or given up. */
	failed: number;
	/** Webhooks that were disabled because they kept failing. */
	disabled: number;
}

const BATCH = 200;
const MAX_TIMEOUT_MS = 10_000;

/** A process that dies keeps its deliveries for so long. It is more than an attempt can take. */
const LEASE_MS = 60_000;

/** In seconds, after the first attempt, the second, and so on: 5 s to 10 h, 28 hours altogether. */
const DELAYS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 3600, 3 * 3600, 6 * 3600, 8 * 3600, 10 * 3600];
const MAX_ATTEMPTS = DELAYS.length + 1;

/** Receivers that were down are not called by everybody at once. */
const delayAfter = (attempts: number) =>
	(DELAYS[attempts - 1] ?? 0) * 1000 * (0.8 + Math.random() * 0.4);

/**
 * Sends the events that wait for webhooks, until none is due. Run it every few seconds. Several processes
 * may run it at the same time: each delivery belongs to one of them.
 *
 * A receiver gets an event at least once, and may get it again, with the same `webhook-id`. The order is
 * not guaranteed.
 *
 * @example
 * ```ts
 * setInterval(() => deliverWebhooks(auth), 5_000);
 * ```
 */
export async function deliverWebhooks(
	auth: AnyAuth,
	{ limit = 1000, concurrency = 10, timeout = MAX_TIMEOUT_MS }: DeliverWebhooksOptions = {},
): Promise<DeliverWebhooksReport> {
	const ctx = (await auth.$context) as AuthContext;
	const { allowPrivateHosts: allowPrivate } = eventSettingsOf(requireInstance(ctx));
	const options = { allowPrivate, timeout: Math.min(timeout, MAX_TIMEOUT_MS) };
	return acrossTenants(() => new Run(ctx, options).run(limit, concurrency));
}

/** One call of {@link deliverWebhooks}. */
class Run {
	readonly #ctx: AuthContext;
	readonly #options: SendOptions;
	readonly #report: DeliverWebhooksReport = { delivered: 0, failed: 0, disabled: 0 };
	/** Webhooks that failed in this run. The next run tries them again. */
	readonly #failing = new Set<string>();

	constructor(ctx: AuthContext, options: SendOptions) {
		this.#ctx = ctx;
		this.#options = options;
	}

	async run(limit: number, concurrency: number): Promise<DeliverWebhooksReport> {
		for (let left = limit; left > 0; ) {
			const due = await this.#findDue(Math.min(left, BATCH));
			if (due.length === 0) break;
			left -= due.length;
			const webhooks = await this.#findWebhooks(due);
			const queues = [...new Set(due.map(({ webhookId }) => webhookId))];
			const work = async () => {
				for (let id = queues.shift(); id !== undefined; id = queues.shift()) {
					const own = due.filter(({ webhookId }) => webhookId === id);
					await this.#deliverAll(webhooks.get(id), own);
				}
			};
			await Promise.all(Array.from({ length: Math.min(concurrency, queues.length) }, work));
		}
		return this.#report;
	}

	#findDue(limit: number): Promise<DeliveryRow[]> {
		const failing = [...this.#failing];
		const where: Where[] = [
			{ field: "state", value: "pending" },
			{ field: "nextAttemptAt", operator: "lte", value: new Date() },
			...(failing.length > 0
				? [{ field: "webhookId", operator: "not_in" as const, value: failing }]
				: []),
		];
		const sortBy = { field: "nextAttemptAt", direction: "asc" } as const;
		return this.#ctx.adapter.findMany<DeliveryRow>({ model: DELIVERY_MODEL, where, sortBy, limit });
	}

	async #findWebhooks(due: DeliveryRow[]): Promise<Map<string, WebhookRow>> {
		const ids = [...new Set(due.map(({ webhookId }) => webhookId))];
		const rows = await this.#ctx.adapter.findMany<WebhookRow>({
			model: "tenantWebhook",
			where: [withIds(ids)],
			limit: ids.length,
		});
		return new Map(rows.map((row) => [row.id, row]));
	}

	/** A receiver that fails is not asked again in this run: it may take ten seconds each time. */
	async #deliverAll(webhook: WebhookRow | undefined, due: DeliveryRow[]): Promise<void> {
		for (const delivery of due) {
			const isReachable = await this.#deliver(webhook, delivery);
			if (isReachable) continue;
			this.#failing.add(delivery.webhookId);
			return;
		}
	}

	/** Returns whether to go on with the webhook. */
	async #deliver(webhook: WebhookRow | undefined, delivery: DeliveryRow): Promise<boolean> {
		const attempts = delivery.attempts + 1;
		if (!(await this.#claim(delivery, attempts))) return true;
		if (!webhook?.enabled || webhook.tenantId !== delivery.tenantId) {
			const error = webhook ? "The webhook is disabled" : "The webhook was deleted";
			await this.#finish(delivery, attempts, { state: "failed", error });
			return true;
		}
		const attempt = await send(this.#ctx, webhook, delivery, this.#options);
		const { isDelivered, isGone, responseStatus, error } = attempt;
		const isLast = isGone || attempts >= MAX_ATTEMPTS;
		const nextAttemptAt = new Date(Date.now() + delayAfter(attempts));
		await this.#finish(delivery, attempts, {
			...(isDelivered ? { state: "delivered" } : isLast ? { state: "failed" } : { nextAttemptAt }),
			responseStatus,
			error,
		});
		await this.#judge(webhook, attempt, isLast);
		return isDelivered;
	}

	/** The attempt belongs to whoever counts it first. If the process dies, it is due again later. */
	async #claim({ id, attempts }: DeliveryRow, next: number): Promise<boolean> {
		const claimed = await this.#update(id, attempts, {
			attempts: next,
			nextAttemptAt: new Date(Date.now() + LEASE_MS),
		});
		return claimed > 0;
	}

	async #finish(
		{ id }: DeliveryRow,
		attempts: number,
		update: Partial<DeliveryRow>,
	): Promise<void> {
		const finishedAt = update.state ? new Date() : null;
		await this.#update(id, attempts, { ...update, finishedAt });
	}

	#update(id: string, attempts: number, update: Partial<DeliveryRow>): Promise<number> {
		const where = [
			{ field: "id", value: id },
			{ field: "state", value: "pending" },
			{ field: "attempts", value: attempts },
		];
		return this.#ctx.adapter.updateMany({ model: DELIVERY_MODEL, where, update });
	}

	/** Counts failures, and disables a webhook for which a delivery has failed for good. */
	async #judge(webhook: WebhookRow, { isDelivered, isGone }: Attempt, isLast: boolean) {
		const { adapter } = this.#ctx;
		const where = [{ field: "id", value: webhook.id }];
		const model = "tenantWebhook";
		this.#report[isDelivered ? "delivered" : "failed"] += 1;
		if (isDelivered) {
			if (webhook.failures > 0) await adapter.updateMany({ model, where, update: { failures: 0 } });
			webhook.failures = 0;
			return;
		}
		const counted = await adapter.incrementOne<WebhookRow>({
			model,
			where,
			increment: { failures: 1 },
		});
		// Another delivery may have succeeded meanwhile.
		const isDown = isLast && (counted?.failures ?? 0) >= MAX_ATTEMPTS;
		if ((isGone || isDown) && (await disable(this.#ctx, webhook))) this.#report.disabled += 1;
	}
}

/** Returns whether this call has disabled it: another process may have done so. */
async function disable(ctx: AuthContext, { id, tenantId }: WebhookRow): Promise<boolean> {
	const tenant = await findTenantRow(ctx, "id", tenantId);
	if (!tenant) return false;
	return runRetried(ctx.adapter, async () => {
		const changed = await changeWebhooks(ctx, scopeOf(tenant), async () =>
			(await getCurrentAdapter(ctx.adapter)).updateMany({
				model: "tenantWebhook",
				where: [
					{ field: "id", value: id },
					{ field: "enabled", value: true },
				],
				update: { enabled: false, disabledAt: new Date() },
			}),
		);
		if (changed.result === 0) return false;
		await recordAuditEvent(
			{ context: ctx },
			{ action: "webhook:disable", tenantId, targetId: id, tenant: changed.tenant },
			{ kind: "server", id: null },
		);
		return true;
	});
}
