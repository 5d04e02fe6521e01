import type { Where } from "@better-auth/core/db/adapter";
import { findState } from "../call/context/current-state";
import { enterTenantOfToken } from "../call/context/gate";
import type { RequestState } from "../call/context/request-state";
import { PLATFORM, type TenantScope, tenantIdOf } from "../call/context/tenant";
import { EXCLUSIVE_FIELDS } from "../call/foreign";
import { tenantError } from "../tenant-error";
import type { AnyAdapter, FindMany, IsolationSettings, Query, Row } from "./raw-adapter";
import { findOwners, idOf } from "./row-owners";

/**
 * Finds the tenant of a call by the row that it names: the row of a token that the request presents, or
 * the row that a webhook is about. The declarations of `foreign` say which fields name a row.
 *
 * The row is looked up in all tenants, and its tenant must pass the gate. From then on the call is in
 * that tenant. If there is no such row, the query finds nothing.
 */
export function namedRows(raw: AnyAdapter, { tables, modelKey, instance }: IsolationSettings) {
	/** The state of a call whose tenant this query decides; `null` for any other query. */
	function findDecidedState({ model, where }: Query): RequestState | null {
		const state = findState(instance);
		if (!state || tables.strategyOf(model) === "shared") return null;
		const fields = state.namingFieldsOf(modelKey(model));
		const isNamed = fields.some((field) => where?.some((condition) => isExact(condition, field)));
		return isNamed ? state : null;
	}

	/** The rows that a query names, after their tenant was entered. */
	async function findNamed<T>(state: RequestState, query: FindMany): Promise<T[]> {
		const { limit, select } = query;
		const found = await raw.findMany<T & Row>({
			...query,
			...(limit ? { limit: Math.max(limit, 2) } : {}),
			...(select ? { select: [...new Set([...select, ...ownerFields(query.model)])] } : {}),
		});
		const [tenantId, another] = new Set(await ownersOf(query.model, found));
		if (tenantId === undefined) return [];
		if (another !== undefined) {
			// It is unknown which of the tenants is meant. A random value is never in two of them.
			const error = tenantError("TENANT_MISMATCH");
			state.refuse(error, "row", PLATFORM);
			throw error;
		}
		// As one that does not exist: core then sends the user to the page for errors.
		if (!state.admitsTokenOf(tenantId)) return [];
		await enterTenantOfToken(state, tenantId);
		return limit ? found.slice(0, limit) : found;
	}

	/** The same for a query that does not read the row. */
	async function enterNamed(state: RequestState, { model, where }: Query): Promise<void> {
		await findNamed(state, { model, where, limit: 2, select: ["id"] });
	}

	/** Refuses to write an id that belongs to another tenant. */
	async function requireExclusive(model: string, values: Row, scope: TenantScope): Promise<void> {
		for (const field of EXCLUSIVE_FIELDS[modelKey(model)] ?? []) {
			const value = values[field];
			if (typeof value !== "string") continue;
			const query = { model, where: [{ field, value }], select: ["id", ...ownerFields(model)] };
			const owners = await ownersOf(model, await raw.findMany<Row>(query));
			if (owners.some((tenantId) => tenantId !== scope.tenantId)) {
				throw tenantError("TENANT_MISMATCH", {
					message: `${field} belongs to another tenant`,
				});
			}
		}
	}

	const hasOwners = (model: string) => tables.strategyOf(model) === "owners";
	const ownerFields = (model: string) => (hasOwners(model) ? ["id"] : ["tenantId"]);

	async function ownersOf(model: string, rows: Row[]): Promise<string[]> {
		if (!hasOwners(model)) return rows.map(tenantIdOf);
		const ownerOf = await findOwners(raw, modelKey(model), rows.map(idOf));
		return rows.map((row) => ownerOf(idOf(row)));
	}

	return { findDecidedState, findNamed, enterNamed, requireExclusive };
}

/** Whether a condition asks for one exact value of a field. */
export function isExact(
	{ field, operator = "eq", connector = "AND", value }: Where,
	wanted: string,
): boolean {
	if (field !== wanted || operator !== "eq" || connector !== "AND") return false;
	return value !== null && value !== undefined;
}
