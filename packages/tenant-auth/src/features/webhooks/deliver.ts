import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { type AnyAuth, acrossTenants, requireInstance } from "../../call/context/current-state";
import { findTenantRow, scopeOf } from "../../call/context/tenant";
import { runRetried } from "../../database/write-conflicts";
import { withIds } from "../../isolation/row-owners";
import { recordAuditEvent } from "../../management/audit/audit-store";
import { DELIVERY_MODEL, type DeliveryRow } from "./outbox";
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
	 * How long a receiver may take to respond, in milliseconds. At most ten seconds.
	 *
	 * @default 10_000
	 */
	timeout?: number;
	/** Starts no further delivery. Those that are running end, and the rest is due in the next run. */
	signal?: AbortSignal;
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

/** In milliseconds. A webhook gets no more events in a run that has spent so much time on it. */
const TURN_MS = 5_000;

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
	{ limit = 1000, concurrency = 10, timeout = MAX_TIMEOUT_MS, signal }: DeliverWebhooksOptions = {},
): Promise<DeliverWebhooksReport> {
	const ctx = (await auth.$context) as AuthContext;
	const { allowPrivateProviderHosts: allowPrivate } = requireInstance(ctx).options;
	const options = { allowPrivate, timeout: Math.min(timeout, MAX_TIMEOUT_MS) };
	return acrossTenants(() => new Run(ctx, options, signal).run(limit, concurrency));
}

/** What is due for one webhook. */
interface Turn {
	webhookId: string;
	webhook: WebhookRow | undefined;
	due: DeliveryRow[];
}

/** The webhooks that calls of this process are sending to, for each instance. */
const busyIn = new WeakMap<object, Set<string>>();

/**
 * One call of {@link deliverWebhooks}. Webhooks take turns: one that is slow, or has many events, does not
 * delay those of others for long.
 */
class Run {
	readonly #ctx: AuthContext;
	readonly #options: SendOptions;
	readonly #signal: AbortSignal | undefined;
	readonly #report: DeliverWebhooksReport = { delivered: 0, failed: 0, disabled: 0 };
	/** Webhooks that failed in this run, or have used up their time. The next run goes on with them. */
	readonly #finished = new Set<string>();
	/** In milliseconds, by webhook. */
	readonly #spent = new Map<string, number>();
	readonly #busy: Set<string>;
	/** Turns that nobody has started yet. */
	#turns: Turn[] = [];
	#loading: Promise<boolean> | null = null;
	#left = 0;

	constructor(ctx: AuthContext, options: SendOptions, signal: AbortSignal | undefined) {
		this.#ctx = ctx;
		this.#options = options;
		this.#signal = signal;
		const { options: instance } = requireInstance(ctx);
		this.#busy = busyIn.get(instance) ?? new Set();
		busyIn.set(instance, this.#busy);
	}

	async run(limit: number, concurrency: number): Promise<DeliverWebhooksReport> {
		this.#left = limit;
		const work = async () => {
			for (let turn = await this.#nextTurn(); turn; turn = await this.#nextTurn()) {
				await this.#take(turn).finally(() => this.#busy.delete(turn.webhookId));
			}
		};
		const workers = await Promise.allSettled(Array.from({ length: concurrency }, work));
		for (const { webhookId } of this.#turns) this.#busy.delete(webhookId);
		for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
		return this.#report;
	}

	async #nextTurn(): Promise<Turn | undefined> {
		while (this.#left > 0 && !this.#signal?.aborted) {
			const turn = this.#turns.shift();
			if (turn) return turn;
			this.#loading ??= this.#load().finally(() => {
				this.#loading = null;
			});
			if (!(await this.#loading)) return undefined;
		}
		return undefined;
	}

	/**
	 * What waits longest comes first, and a webhook comes once, however much waits for it. Returns whether
	 * anything is due.
	 */
	async #load(): Promise<boolean> {
		const due = await this.#findDue(Math.min(this.#left, BATCH));
		// Another call may have started with them meanwhile.
		const free = due.filter(({ webhookId }) => !this.#busy.has(webhookId));
		const ids = [...new Set(free.map(({ webhookId }) => webhookId))];
		for (const id of ids) this.#busy.add(id);
		try {
			const webhooks = await this.#findWebhooks(ids);
			this.#turns = ids.map((webhookId) => ({
				webhookId,
				webhook: webhooks.get(webhookId),
				due: free.filter((delivery) => delivery.webhookId === webhookId),
			}));
			return ids.length > 0;
		} catch (error) {
			for (const id of ids) this.#busy.delete(id);
			throw error;
		}
	}

	#findDue(limit: number): Promise<DeliveryRow[]> {
		const others = [...this.#finished, ...this.#busy];
		const where: Where[] = [
			{ field: "state", value: "pending" },
			{ field: "nextAttemptAt", operator: "lte", value: new Date() },
			...(others.length > 0
				? [{ field: "webhookId", operator: "not_in" as const, value: others }]
				: []),
		];
		const sortBy = { field: "nextAttemptAt", direction: "asc" } as const;
		return this.#ctx.adapter.findMany<DeliveryRow>({ model: DELIVERY_MODEL, where, sortBy, limit });
	}

	async #findWebhooks(ids: string[]): Promise<Map<string, WebhookRow>> {
		if (ids.length === 0) return new Map();
		const rows = await this.#ctx.adapter.findMany<WebhookRow>({
			model: "tenantWebhook",
			where: [withIds(ids)],
			limit: ids.length,
		});
		return new Map(rows.map((row) => [row.id, row]));
	}

	/** A receiver that fails is not asked again in this run: it may take ten seconds each time. */
	async #take({ webhookId, webhook, due }: Turn): Promise<void> {
		const start = Date.now();
		const before = this.#spent.get(webhookId) ?? 0;
		for (const delivery of due) {
			if (this.#left <= 0 || this.#signal?.aborted) return;
			this.#left -= 1;
			const isReachable = await this.#deliver(webhook, delivery);
			const spent = before + Date.now() - start;
			this.#spent.set(webhookId, spent);
			if (isReachable && spent < TURN_MS) continue;
			this.#finished.add(webhookId);
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

	/** The attempt belongs to the process that counts it first. If the process dies, it is due again later. */
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
