import type { DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { currentScope } from "../call/context/current-scope";
import { findState } from "../call/context/current-state";
import {
	ALL_TENANTS,
	PLATFORM_ID,
	type Scope,
	type TenantScope,
	tenantIdOf,
} from "../call/context/tenant";
import { lockOpenTenant } from "../call/context/tenant-locks";
import { digest } from "../database/digest";
import { tenantError } from "../tenant-error";
import { namedRows } from "./named-rows";
import {
	type AnyAdapter,
	type Create,
	type FindMany,
	type FindOne,
	type IsolationSettings,
	inTransaction,
	type Query,
	type Row,
} from "./raw-adapter";
import {
	deleteWithOwners,
	findById,
	findOwnIds,
	findOwnRows,
	forgetOwners,
	idOf,
	inBatches,
	keepOwn,
	recordOwner,
	withIds,
} from "./row-owners";
import { noteUser } from "./session-policy";
import { findPrefix, prefixValues, prefixWhere, type TenantPrefix } from "./tenant-prefix";
import { insertAdmitted } from "./user-policy";

type Owned = { model: string; where: Where[] };

/** The rows of a scope: how they are found, created and changed. */
export function ownRows(raw: AnyAdapter, settings: IsolationSettings) {
	const { tables, modelKey, instance } = settings;
	const { findDecidedState, enterNamed } = namedRows(raw, settings);

	/** The scope that a query keeps to; `null` for all rows. It is known at once in most calls. */
	function scopeFor(query: Query): TenantScope | null | Promise<TenantScope | null> {
		if (tables.strategyOf(query.model) === "shared") return null;
		const decided = findDecidedState(query);
		if (decided) return enterNamed(decided, query).then(() => scopeOfCall(query));
		return scopeOfCall(query);
	}

	function scopeOfCall({ model }: Query): TenantScope | null | Promise<TenantScope | null> {
		const state = findState(instance);
		// A token that is not stored in the tenant opens nothing there, whatever tenant is named.
		if (state?.requiresRow) throw tenantError("TENANT_MISMATCH");
		const refused = state?.refusedScope("oauth-state");
		if (refused && modelKey(model) === "verification") return refused;
		const scope = currentScope(instance);
		return scope instanceof Promise ? scope.then(orAllRows) : orAllRows(scope);
	}

	const orAllRows = (scope: Scope) => (scope === ALL_TENANTS ? null : scope);

	const prefixOf = (model: string, tenantId: string) =>
		findPrefix(tenantId, tables.prefixedFieldsOf(model));

	/**
	 * Narrows a query to the scope. It becomes one query, or for a table with row owners as many as the
	 * ids of its rows need.
	 */
	async function narrow<Q extends Query>(query: Q, scope: TenantScope) {
		const { model } = query;
		const prefix = await prefixOf(model, scope.tenantId);
		const where = prefixWhere(prefix, query.where ?? []);
		const narrowed = (own: Where[], ids: string[]) => ({
			own: { ...query, where: [...where, ...own] },
			prefix,
			ids,
		});
		if (tables.strategyOf(model) === "owners") {
			const ids = await findOwnIds(raw, modelKey(model), { model, where }, scope);
			return inBatches(ids).map((batch) => narrowed([withIds(batch)], batch));
		}
		const foreign = findForeignTenantId(where, scope);
		if (foreign !== undefined) settings.reportConflict(modelKey(model), foreign);
		return [narrowed([inScope(scope)], [])];
	}

	/** As {@link narrow}, for a table with a tenant column. */
	async function narrowColumn<Q extends Query>(query: Q, scope: TenantScope) {
		const [narrowed] = await narrow(query, scope);
		if (!narrowed) throw new Error("a table with a tenant column can always be narrowed");
		return narrowed;
	}

	async function find<T>(query: FindMany, scope: TenantScope): Promise<T[]> {
		const { model } = query;
		if (tables.strategyOf(model) !== "owners") {
			return raw.findMany<T>((await narrowColumn(query, scope)).own);
		}
		const where = prefixWhere(await prefixOf(model, scope.tenantId), query.where ?? []);
		return findOwnRows<T>(raw, modelKey(model), { ...query, where }, scope);
	}

	async function create<T extends Row, R>(
		query: Create & { data: Omit<T, "id"> },
		scope: TenantScope | null,
	): Promise<R> {
		if (!scope) {
			// Across tenants, a row belongs to the tenant that its column names, or else to the platform.
			const hasColumn = tables.strategyOf(query.model) === "column";
			const tenantId = hasColumn ? tenantIdOf(query.data) : PLATFORM_ID;
			const named = await prefixOf(query.model, tenantId);
			return raw.create<T, R>({ ...query, data: prefixValues(named, query.data) });
		}
		const prefix = await prefixOf(query.model, scope.tenantId);
		const data = prefixValues(prefix, query.data as Row);
		if (tables.strategyOf(query.model) === "column") {
			const id = await ownReservation(modelKey(query.model), data.id, scope);
			const own = { ...query, data: { ...data, ...id, tenantId: scope.tenantId } };
			// Sessions and accounts need a user, so a lock for users is enough.
			const needsLock = modelKey(query.model) === "user" && scope.tenantId !== PLATFORM_ID;
			if (!needsLock) return raw.create<Row, R>(own);
			return withTenantLock(scope, (trx) =>
				insertAdmitted(instance, trx, scope, own.data, async (data) => {
					const user = await trx.create<Row, R>({ ...own, data });
					noteUser(user);
					return user;
				}),
			);
		}
		return withTenantLock(scope, async (trx) => {
			const row = await trx.create<Row, Row>({ ...query, data });
			await setOwner(trx, query.model, row, scope);
			return row as R;
		});
	}

	/** The tenant is open when the work starts, and stays open until it ends. */
	function withTenantLock<R>(scope: TenantScope, work: (trx: DBTransactionAdapter) => Promise<R>) {
		return inTransaction(raw, async (trx) => {
			if (scope.tenantId !== PLATFORM_ID) {
				await lockOpenTenant(trx, scope.tenantId).catch(refuseSignUp);
			}
			return work(trx);
		});
	}

	/** Core may take the error for an email that is taken, and hide it. */
	function refuseSignUp(error: unknown): never {
		const reason = settings.translateError("", error);
		const state = findState(instance);
		if (state) state.signUpRejection = reason as Error;
		throw reason;
	}

	async function setOwner(trx: DBTransactionAdapter, model: string, row: Row, scope: TenantScope) {
		const key = modelKey(model);
		try {
			// An owner of this id belongs to a row that was deleted with its user.
			if (settings.reusesIds) await forgetOwners(trx, key, [String(row.id)]);
			await recordOwner(trx, key, row.id, scope);
		} catch (error) {
			// Without an owner it would belong to the platform. A transaction would undo it anyway.
			await trx.delete({ model, where: [{ field: "id", value: String(row.id) }] }).catch(() => {});
			throw error;
		}
	}

	/** Acts on the rows of the scope. `ids` are theirs in a table with row owners. */
	async function* onOwnRows<Q extends Query, R>(
		query: Q,
		act: (own: Q & { where: Where[] }, prefix: TenantPrefix | null, ids: string[]) => Promise<R>,
	): AsyncGenerator<R> {
		const scope = await scopeFor(query);
		if (!scope) yield act({ ...query, where: query.where ?? [] }, null, []);
		else {
			for (const { own, prefix, ids } of await narrow(query, scope)) {
				yield await act(own, prefix, ids);
			}
		}
	}

	/**
	 * Deletes rows of the scope. Across tenants, the records of row owners go with the rows too. Returns
	 * how many rows were deleted.
	 */
	async function remove(query: Query, plain: (own: Owned) => Promise<number>): Promise<number> {
		const { model, where = [] } = query;
		let total = 0;
		const act = async (own: Owned, ids: string[]) => {
			total +=
				ids.length > 0 ? await deleteWithOwners(raw, modelKey(model), own, ids) : await plain(own);
		};
		if (tables.strategyOf(model) === "owners" && !(await scopeFor(query))) {
			for await (const found of findById(raw, { model, where, select: ["id"] })) {
				const ids = found.map(idOf);
				await act({ model, where: [...where, withIds(ids)] }, ids);
			}
			return total;
		}
		for await (const _ of onOwnRows({ model, where }, (own, __, ids) => act(own, ids)));
		return total;
	}

	const forget = (model: string, ids: string[]) => forgetOwners(raw, modelKey(model), ids);

	return { scopeFor, narrowColumn, find, create, onOwnRows, remove, forget };
}

/**
 * Core reserves a verification by an id that it derives from the identifier. The identifier may be the
 * same in several tenants, so each tenant has another id. Core's id has 43 characters, which does not
 * fit into a column of MySQL: ours has the length and the form of a UUID, also on the platform.
 */
async function ownReservation(model: string, id: unknown, { tenantId }: TenantScope) {
	if (model !== "verification" || typeof id !== "string" || id.length < RESERVATION) return {};
	const hex = await digest(`${tenantId} ${id}`);
	return { id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5") };
}

/** The length of core's id: a SHA-256 in base64. */
const RESERVATION = 43;

/** Comes last and with AND, so that it holds whatever ORs come before. */
function inScope(scope: TenantScope): Where {
	return { field: "tenantId", operator: "eq", value: scope.tenantId, connector: "AND" };
}

function findForeignTenantId(where: Where[], scope: TenantScope): string | undefined {
	const named = where.find(
		({ field, operator = "eq", connector = "AND", value }) =>
			field === "tenantId" &&
			operator === "eq" &&
			connector === "AND" &&
			(value ?? PLATFORM_ID) !== scope.tenantId,
	);
	return named && String(named.value ?? PLATFORM_ID);
}

type Join = NonNullable<FindOne["join"]>;

/** Filters the rows that a query joins: a row of another tenant is not shown. */
export function joinedRows(raw: AnyAdapter, { tables, modelKey, instance }: IsolationSettings) {
	async function filterJoins<T>(row: T, join: Join | undefined, scope: TenantScope): Promise<T> {
		if (!row || !join) return row;
		const filtered = { ...row } as Row;
		for (const name of Object.keys(join)) {
			if (tables.strategyOf(name) === "shared") continue;
			// The adapter puts a joined row under the name that was asked for, or under the model's key.
			for (const key of [name, modelKey(name)].filter((key) => key in filtered)) {
				filtered[key] = await filter(modelKey(name), filtered[key], scope);
			}
		}
		return filtered as T;
	}

	/** A shared table may have foreign keys into tenant data. */
	async function filterJoinsOfShared<T>(row: T, join: Join | undefined): Promise<T> {
		if (!row || !join) return row;
		const scope = await currentScope(instance);
		return scope === ALL_TENANTS ? row : filterJoins(row, join, scope);
	}

	async function filter(model: string, joined: unknown, scope: TenantScope): Promise<unknown> {
		const own = await ownRowsOf(model, joined, scope);
		return Array.isArray(joined) ? own : (own[0] ?? null);
	}

	async function ownRowsOf(model: string, joined: unknown, scope: TenantScope): Promise<Row[]> {
		const rows: Row[] = (Array.isArray(joined) ? joined : [joined]).filter(Boolean);
		if (tables.strategyOf(model) === "owners") return keepOwn(raw, model, rows, scope);
		return rows.filter((row) => tenantIdOf(row) === scope.tenantId);
	}

	return { filterJoins, filterJoinsOfShared };
}
