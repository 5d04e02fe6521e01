import type { DBAdapter } from "@better-auth/core/db/adapter";
import { currentScope } from "../context/current-scope";
import { ALL_TENANTS, type TenantScope, tenantIdOf } from "../context/scope";
import type { AnyAdapter, IsolationSettings, Row } from "./raw-adapter";
import { keepOwn } from "./row-owners";

type Join = NonNullable<Parameters<DBAdapter["findOne"]>[0]["join"]>;

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
