import { PLATFORM_ID, type TenantScope } from "../../call/context/tenant";
import { ACTIVE_FIELDS, IMPERSONATOR_FIELD, LASTING_VERIFICATIONS } from "../../call/foreign";
import type { Row } from "../../isolation/raw-adapter";
import { forgetOwners, idOf, inBatches, recordOwner, withIds } from "../../isolation/row-owners";
import { keepsVerificationsInDatabase } from "../../isolation/storage";
import { findPrefix, prefixValues } from "../../isolation/tenant-prefix";
import { tenantError } from "../../tenant-error";
import { findAppIssuer } from "./account-issuers";
import { ON_PLATFORM, type OwnedRows, type Reading } from "./owned-rows";

/**
 * Moves the users' own rows. It comes first, because it locks them: what others add to a user waits for
 * the end of the transaction.
 *
 * @param roleOf the role in the tenant; `undefined` leaves it as it is
 */
export async function moveUserRows(
	{ raw, settings }: Reading,
	{ tenantId }: TenantScope,
	users: readonly Row[],
	roleOf: (userId: string) => string | null | undefined,
): Promise<void> {
	const prefix = await findPrefix(tenantId, settings.tables.prefixedFieldsOf("user"));
	/** Users with the same changes, mostly all of them. */
	const groups = new Map<string, { update: Row; ids: string[] }>();
	for (const user of users) {
		const id = idOf(user);
		const role = roleOf(id);
		const update = {
			...prefixValues(prefix, textsOf(user, prefix?.fields ?? [])),
			...(role === undefined ? {} : { tenantRole: role }),
			tenantId,
		};
		const key = JSON.stringify(update);
		const group = groups.get(key);
		if (group) group.ids.push(id);
		else groups.set(key, { update, ids: [id] });
	}
	for (const { update, ids } of groups.values()) {
		for (const batch of inBatches(ids)) {
			const where = [ON_PLATFORM, withIds(batch)];
			const moved = await raw.updateMany({ model: "user", where, update });
			// Another call has moved or deleted a user since they were read.
			if (moved !== batch.length) throw tenantError("WRITE_CONFLICT");
		}
	}
}

const textsOf = (row: Row, fields: readonly string[]): Row =>
	Object.fromEntries(
		fields.flatMap((field) => (typeof row[field] === "string" ? [[field, row[field]]] : [])),
	);

/** Moves all rows but the users' own. */
export async function moveOtherRows(
	reading: Reading,
	scope: TenantScope,
	rows: OwnedRows,
): Promise<void> {
	const { raw, settings } = reading;
	for (const model of rows.models().filter((model) => model !== "user")) {
		if (settings.tables.strategyOf(model) === "owners")
			await moveOwned(reading, scope, model, rows);
		else {
			const update = { tenantId: scope.tenantId };
			for (const batch of inBatches(rows.ids(model))) {
				await raw.updateMany({ model, where: [withIds(batch)], update });
			}
		}
	}
	await nameIssuers(reading, rows);
	await forgetActive(reading, rows);
}

/** In a tenant, a sign-in finds an account only by its issuer. */
async function nameIssuers({ ctx, raw }: Reading, rows: OwnedRows): Promise<void> {
	const accounts = rows.of("account");
	for (const providerId of new Set(accounts.map((account) => String(account.providerId)))) {
		const authority = findAppIssuer(ctx, providerId);
		if (authority === null) continue;
		const ids = accounts.filter((account) => account.providerId === providerId).map(idOf);
		for (const batch of inBatches(ids)) {
			await raw.updateMany({ model: "account", where: [withIds(batch)], update: { authority } });
		}
	}
}

async function moveOwned(
	{ raw, settings }: Reading,
	scope: TenantScope,
	model: string,
	rows: OwnedRows,
): Promise<void> {
	const prefix = await findPrefix(scope.tenantId, settings.tables.prefixedFieldsOf(model));
	if (settings.reusesIds) await forgetOwners(raw, model, rows.ids(model));
	for (const row of rows.of(model)) {
		const texts = textsOf(row, prefix?.fields ?? []);
		if (Object.keys(texts).length > 0) {
			const where = [{ field: "id", value: idOf(row) }];
			await raw.updateMany({ model, where, update: prefixValues(prefix, texts) });
		}
		await recordOwner(raw, model, row.id, scope);
	}
}

/** An organization that stays cannot be the active one any more. */
async function forgetActive({ raw }: Reading, rows: OwnedRows): Promise<void> {
	for (const [field, model] of Object.entries(ACTIVE_FIELDS)) {
		const lost = rows
			.of("session")
			.filter((session) => isLost(session[field], model, rows))
			.map(idOf);
		for (const batch of inBatches(lost)) {
			await raw.updateMany({
				model: "session",
				where: [withIds(batch)],
				update: { [field]: null },
			});
		}
	}
}

const isLost = (id: unknown, model: string, rows: OwnedRows) =>
	typeof id === "string" && !rows.has(model, id);

/** A session as it is after the move; `null` if it ends. For sessions in a secondary storage. */
export function movedSession<S extends Row>(
	session: S,
	{ tenantId }: TenantScope,
	rows: OwnedRows,
): S | null {
	if (session[IMPERSONATOR_FIELD]) return null;
	const lost = Object.entries(ACTIVE_FIELDS).filter(([field, model]) =>
		isLost(session[field], model, rows),
	);
	return { ...session, tenantId, ...Object.fromEntries(lost.map(([field]) => [field, null])) };
}

/**
 * Ends the sessions in which a platform admin impersonates one of the users. An admin acts in a tenant
 * by other rules.
 *
 * @returns how many there were
 */
export async function endImpersonations({ raw }: Reading, rows: OwnedRows): Promise<number> {
	const ids = rows
		.of("session")
		.filter((session) => session[IMPERSONATOR_FIELD])
		.map(idOf);
	for (const batch of inBatches(ids)) {
		await raw.deleteMany({ model: "session", where: [withIds(batch)] });
	}
	return ids.length;
}

/** Adds the verifications that stay valid in the tenant. All others are left to expire. */
export async function addVerifications({ ctx, raw }: Reading, rows: OwnedRows): Promise<void> {
	if (!keepsVerificationsInDatabase(ctx)) return;
	for (const batch of inBatches(rows.ids("user"))) {
		const found = await raw.findMany<Row>({
			model: "verification",
			where: [
				{ field: "tenantId", value: PLATFORM_ID },
				{ field: "value", operator: "in", value: batch },
			],
			limit: Number.MAX_SAFE_INTEGER,
		});
		const kept = found.filter(({ identifier, value }) =>
			LASTING_VERIFICATIONS.some(
				(start) => String(identifier).startsWith(start) && batch.includes(String(value)),
			),
		);
		rows.add("verification", kept);
	}
}
