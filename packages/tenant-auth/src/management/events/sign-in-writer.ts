import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { acrossTenants } from "../../call/context/current-state";
import { exists } from "../../call/context/gate";
import type { TenantInstance } from "../../call/context/request-state";
import { TENANT_MODEL, type TenantRow } from "../../call/context/tenant";
import { runsInWorkers } from "../../call/context/workers";
import type { DispatchedEvent, SignInEvent } from "../../call/port/tenant-plugin";
import { withIds } from "../../isolation/row-owners";
import { writeEvent } from "./emit";

type Result = SignInEvent["type"];

/** A sign-in that will be stored. */
export interface SignInEntry {
	tenantId: string;
	type: Result;
	/** For the tables of plugins that store sign-ins. */
	rows: { table: string; row: Record<string, unknown> }[];
	/** For plugins that want to write it. */
	event: DispatchedEvent | null;
}

/**
 * Per tenant, minute and process, for each result. Anybody can fail as often as they like, so that must
 * not hide who got in.
 */
const MAX_PER_MINUTE = 300;
/** Of all tenants, while the database is slow. */
const MAX_WAITING = 1000;
const BATCH = 50;
const MINUTE_MS = 60_000;

/** What one tenant has written in the current minute. */
interface Minute {
	until: number;
	/** By their result. */
	written: Partial<Record<Result, number>>;
	/** How many were not stored, by their result. */
	dropped: Partial<Record<Result, number>>;
}

/**
 * Stores sign-ins in the background. All that come while a write is running are written together by the
 * next one. Anybody can fail to sign in, as often as they like: so a tenant has a limit per minute, and
 * what is above it is counted and not stored.
 */
export class SignInWriter {
	readonly #instance: TenantInstance;
	readonly #minutes = new Map<string, Minute>();
	#waiting: SignInEntry[] = [];
	#isWriting = false;

	constructor(instance: TenantInstance) {
		this.#instance = instance;
	}

	/** Resolves at once, except where nothing can run after a response. */
	async add(entry: SignInEntry): Promise<void> {
		const { context } = this.#instance;
		const isAdmitted = this.#admit(entry);
		// A request must not wait for the write of another one there.
		if (runsInWorkers()) {
			if (isAdmitted) await context.runInBackgroundOrAwait(this.#write([entry]));
			return;
		}
		if (isAdmitted) this.#waiting.push(entry);
		if (this.#isWriting || this.#waiting.length === 0) return;
		this.#isWriting = true;
		context.runInBackground(this.#drain());
	}

	#admit({ tenantId, type, rows }: SignInEntry): boolean {
		const { written, dropped } = this.#minuteOf(tenantId);
		const count = written[type] ?? 0;
		// Failures are dropped first while the database is slow.
		const room = type === "sign-in.failed" ? MAX_WAITING : 2 * MAX_WAITING;
		if (count < MAX_PER_MINUTE && this.#waiting.length < room) {
			written[type] = count + 1;
			return true;
		}
		if (rows.length > 0) dropped[type] = (dropped[type] ?? 0) + 1;
		return false;
	}

	#minuteOf(tenantId: string): Minute {
		const known = this.#minutes.get(tenantId);
		if (known && known.until > Date.now()) return known;
		if (known) this.#end(tenantId, known);
		const minute: Minute = { until: Date.now() + MINUTE_MS, written: {}, dropped: {} };
		this.#minutes.set(tenantId, minute);
		return minute;
	}

	/** Stores how many sign-ins of a minute were not stored. */
	#end(tenantId: string, { until, dropped }: Minute): void {
		this.#minutes.delete(tenantId);
		const createdAt = new Date(until);
		const { recorders } = this.#instance.features;
		for (const [type, attempts] of Object.entries(dropped) as [Result, number][]) {
			const rest = { tenantId, createdAt, type, attempts };
			const rows = recorders.map(({ table, rowOfRest }) => ({ table, row: rowOfRest(rest) }));
			this.#waiting.push({ tenantId, type, rows, event: null });
		}
	}

	async #drain(): Promise<void> {
		try {
			while (this.#waiting.length > 0) {
				await this.#write(this.#waiting.splice(0, BATCH));
				this.#endMinutes();
			}
		} finally {
			this.#isWriting = false;
		}
	}

	/** Forgets tenants without recent sign-ins. */
	#endMinutes(): void {
		for (const [tenantId, minute] of this.#minutes) {
			// The oldest come first.
			if (minute.until > Date.now()) return;
			this.#end(tenantId, minute);
		}
	}

	async #store(trx: DBTransactionAdapter, table: string, data: Record<string, unknown>) {
		type Stored = { id: string; createdAt: Date };
		const { id, createdAt } = await trx.create<typeof data, Stored>({ model: table, data });
		for (const hear of this.#instance.features.logged) await hear(trx, { table, id, createdAt });
	}

	async #write(entries: SignInEntry[]): Promise<void> {
		const { adapter, logger } = this.#instance.context;
		try {
			// Not in the scope of the call that happens to start the write.
			await acrossTenants(() =>
				adapter.transaction(async (trx) => {
					const ids = [...new Set(entries.map(({ tenantId }) => tenantId))];
					const found = await trx.findMany<TenantRow>({
						model: TENANT_MODEL,
						where: [withIds(ids)],
						limit: ids.length,
					});
					// A deleted tenant leaves no row. As it is now: a webhook may have been deleted meanwhile.
					const existing = new Map(found.filter(exists).map((tenant) => [tenant.id, tenant]));
					for (const { tenantId, rows, event } of entries) {
						const tenant = existing.get(tenantId);
						if (!tenant) continue;
						for (const { table, row } of rows) await this.#store(trx, table, row);
						if (event) await writeEvent(this.#instance, trx, tenant, event);
					}
				}),
			);
		} catch (error) {
			logger.error(`tenantAuth: ${entries.length} sign-ins could not be stored`, error);
		}
	}
}
