import type { DBAdapter } from "@better-auth/core/db/adapter";
import { currentScope } from "../context/current-scope";
import { ACROSS, PLATFORM_ID, type TenantScope } from "../context/scope";
import type { AnyAdapter, Row, ScopedAdapterSettings } from "./raw-adapter";
import { keepOwn } from "./row-owners";

type Join = NonNullable<Parameters<DBAdapter["findOne"]>[0]["join"]>;

/** Screens what comes along with a row. */
export function screenedJoins(raw: AnyAdapter, { tables, modelKey }: ScopedAdapterSettings) {
	/** Joins follow foreign keys; a row of another tenant behind one is not shown. */
	async function screenJoins<T>(row: T, join: Join | undefined, scope: TenantScope): Promise<T> {
		if (!row || !join) return row;
		const screened = { ...row } as Row;
		for (const name of Object.keys(join)) {
			if (tables.keepingOf(name) === "shared") continue;
			// The adapter puts a joined row under the name that was asked for, or under the model's key.
			for (const key of [name, modelKey(name)].filter((key) => key in screened)) {
				screened[key] = await screen(modelKey(name), screened[key], scope);
			}
		}
		return screened as T;
	}

	/** A shared table may have foreign keys into tenant data all the same. */
	async function screenSharedJoins<T>(row: T, join: Join | undefined): Promise<T> {
		if (!row || !join) return row;
		const scope = await currentScope();
		return scope === ACROSS ? row : screenJoins(row, join, scope);
	}

	async function screen(model: string, joined: unknown, scope: TenantScope): Promise<unknown> {
		const own = await ownRowsOf(model, joined, scope);
		return Array.isArray(joined) ? own : (own[0] ?? null);
	}

	async function ownRowsOf(model: string, joined: unknown, scope: TenantScope): Promise<Row[]> {
		const rows = (Array.isArray(joined) ? joined : [joined]).filter(Boolean) as Row[];
		if (tables.keepingOf(model) === "register") return keepOwn(raw, model, rows, scope);
		return rows.filter((row) => (row.tenantId ?? PLATFORM_ID) === scope.tenantId);
	}

	return { screenJoins, screenSharedJoins };
}
