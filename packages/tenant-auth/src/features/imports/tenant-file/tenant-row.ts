import type { AuthContext } from "@better-auth/core";
import type { DBFieldAttribute } from "@better-auth/core/db";
import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import * as z from "zod";
import { requireInstance } from "../../../call/context/current-state";
import { findTenantRow, TENANT_MODEL } from "../../../call/context/tenant";
import { policyIn } from "../../../call/policy/tenant-policy";
import { isUniqueViolation } from "../../../database/errors";
import { type AnyAdapter, inTransaction } from "../../../isolation/raw-adapter";
import { releaseSlug, requireOwnSlug, reserveSlug } from "../../../management/tenants/former-slugs";
import { requireOwnId, requireUsableSlug } from "../../../management/tenants/store";
import { metadataSchema, nameSchema } from "../../../management/tenants/tenant";
import { tenantError } from "../../../tenant-error";
import { type FirstLine, refuseFile } from "./file-lines";

/**
 * The row of a tenant while its other rows are imported. It is suspended, and its metadata names the file:
 * so an import that was interrupted finds the tenant that it has made, and takes no other tenant for it.
 */
export class ImportedTenantRow {
	readonly #row: Record<string, unknown> & { id: string; slug: string };
	readonly #mark: string;
	readonly #suspendedAt: Date;

	/** @param digest of the first line of the file */
	constructor(
		readonly ctx: AuthContext,
		readonly first: FirstLine,
		digest: string,
	) {
		this.#row = rowOf(ctx, first.tenant);
		this.#mark = JSON.stringify({ importedFrom: digest });
		this.#suspendedAt = new Date(first.exportedAt);
	}

	/** @throws APIError `TENANT_ALREADY_EXISTS` */
	async start(raw: AnyAdapter, options: { releaseSlug?: boolean }): Promise<void> {
		const { id, slug } = this.#row;
		const { reservedSlugs } = requireInstance(this.ctx).options;
		requireOwnId(this.ctx.options, id);
		requireUsableSlug(slug, reservedSlugs);
		const existing = await findTenantRow(this.ctx, "id", id);
		if (existing?.metadata === this.#mark) return;
		if (existing) throw taken("A tenant with this id exists. Only an interrupted import continues");
		const suspended = { suspendedAt: this.#suspendedAt, erasingSince: null };
		const data = { ...this.#row, ...suspended, metadata: this.#mark };
		await inTransaction(raw, async (trx) => {
			if (options.releaseSlug) await releaseSlug(trx, slug);
			await trx
				.create({ model: TENANT_MODEL, data, forceAllowId: true })
				.catch((error: unknown) => {
					throw isUniqueViolation(error) ? taken("Another tenant has this slug") : error;
				});
			await requireOwnSlug(trx, { id, slug });
			for (const former of this.first.formerSlugs) {
				requireUsableSlug(former, reservedSlugs);
				const where = [{ field: "slug", value: former }];
				// Where another tenant has it, it is that tenant's.
				if (await trx.findOne({ model: TENANT_MODEL, where })) continue;
				await reserveSlug(trx, { id, slug: former });
			}
		});
	}

	/** Call it in each transaction: the tenant may have been deleted or resumed meanwhile. */
	async lock(trx: DBTransactionAdapter): Promise<void> {
		await this.#update(trx, { updatedAt: new Date() });
	}

	/** Gives the row the metadata and the date of the file. The tenant stays suspended. */
	async finish(trx: DBTransactionAdapter): Promise<void> {
		const { metadata, updatedAt } = this.#row;
		await this.#update(trx, { metadata, updatedAt });
	}

	async #update(trx: DBTransactionAdapter, update: Record<string, unknown>): Promise<void> {
		const where: Where[] = [
			{ field: "id", value: this.#row.id },
			{ field: "metadata", value: this.#mark },
			{ field: "erasingSince", value: null },
			{ field: "suspendedAt", operator: "ne", value: null },
		];
		if ((await trx.updateMany({ model: TENANT_MODEL, where, update })) > 0) return;
		// MySQL does not count a row whose values stay the same.
		if (await trx.findOne({ model: TENANT_MODEL, where })) return;
		throw refuseFile("the tenant was changed, resumed or deleted while it was imported");
	}
}

const taken = (message: string) => tenantError("TENANT_ALREADY_EXISTS", { message });

function rowOf({ tables }: AuthContext, tenant: FirstLine["tenant"]) {
	const { fields = {} } = tables[TENANT_MODEL] ?? {};
	const columns = Object.entries(tenant).filter(([name]) => name !== "id");
	const unknown = columns.find(([name]) => !fields[name]);
	if (unknown) throw refuseFile(`this app has no column tenant.${unknown[0]}`);
	if (!nameSchema.safeParse(tenant.name).success) throw refuseFile("the name is not valid");
	const values = columns.map(([name, value]): [string, unknown] => [
		name,
		toStored(fields[name] as DBFieldAttribute, value, name),
	]);
	const row = { ...Object.fromEntries(values), id: tenant.id, slug: tenant.slug };
	requireReadable(row);
	return row;
}

/** Types of columns that JavaScript has too. */
const PLAIN_TYPES = ["string", "number", "boolean"];

function toStored({ type, validator }: DBFieldAttribute, value: unknown, name: string): unknown {
	if (value === null || value === undefined) return null;
	const stored = type === "date" ? new Date(typeof value === "string" ? value : Number.NaN) : value;
	const result = validator?.input?.["~standard"].validate(stored);
	const isWrong =
		(stored instanceof Date && Number.isNaN(stored.getTime())) ||
		(PLAIN_TYPES.includes(String(type)) && typeof stored !== type) ||
		(result && (result instanceof Promise || result.issues));
	if (isWrong) throw refuseFile(`tenant.${name} is not valid`);
	return stored;
}

const subscriptions = z.record(z.string(), z.array(z.string()));

/** A row that cannot be read would fail every list that it is in. */
function requireReadable(row: object): void {
	const { metadata = null, policy = null, webhooks = null } = row as Partial<TenantColumns>;
	const readers = {
		metadata: () => metadata === null || metadataSchema.parse(JSON.parse(metadata)),
		policy: () => policyIn({ policy }),
		webhooks: () => webhooks === null || subscriptions.parse(JSON.parse(webhooks)),
	};
	for (const [name, read] of Object.entries(readers)) {
		try {
			read();
		} catch {
			throw refuseFile(`tenant.${name} is not valid`);
		}
	}
}

type TenantColumns = Record<"metadata" | "policy" | "webhooks", string | null>;
