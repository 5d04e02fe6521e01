import type { AuthContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { PLATFORM, PLATFORM_ID } from "../../call/context/tenant";
import { isPossibleId } from "../../call/context/tenant-id";
import type { AnyAdapter, IsolationSettings, Row } from "../../isolation/raw-adapter";
import { idOf, inBatches, keepOwn } from "../../isolation/row-owners";
import { findPrefix, prefixWhere } from "../../isolation/tenant-prefix";
import { findReferences, type Reference } from "./references";

/** The rows of a move, by model and id. Values of unique fields have no tenant prefix here. */
export class OwnedRows {
	readonly #models = new Map<string, Map<string, Row>>();

	/** Adds rows, and returns those that are new. */
	add(model: string, rows: readonly Row[]): Row[] {
		const known = this.#models.get(model) ?? new Map<string, Row>();
		this.#models.set(model, known);
		const added = rows.filter((row) => !known.has(idOf(row)));
		for (const row of added) known.set(idOf(row), row);
		return added;
	}

	has = (model: string, id: string): boolean => this.#models.get(model)?.has(id) === true;

	of = (model: string): Row[] => [...(this.#models.get(model)?.values() ?? [])];

	ids = (model: string): string[] => [...(this.#models.get(model)?.keys() ?? [])];

	models = (): string[] => [...this.#models.keys()].filter((model) => this.ids(model).length > 0);
}

/** A row that cannot move, because it also belongs to a user who stays. */
interface SharedRow {
	model: string;
	id: string;
	userId: string;
}

export interface Collected {
	rows: OwnedRows;
	shared: SharedRow[];
}

export interface Reading {
	ctx: AuthContext;
	raw: AnyAdapter;
	settings: IsolationSettings;
}

/**
 * A condition for rows of the platform. No text is less than the empty one. If it asked for equality,
 * SQLite would read all rows of the platform for each batch of ids, and not the rows with these ids.
 */
export const ON_PLATFORM: Where = { field: "tenantId", operator: "lte", value: PLATFORM_ID };

/** All rows, not the first hundred. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** A value that can name a row. */
export const textOf = (value: unknown) =>
	typeof value === "string" || typeof value === "number" ? String(value) : null;

/**
 * Finds everything on the platform that belongs to some users: rows that reference them, rows that
 * reference those, and so on. A row of another plugin takes along the row that it references, for example
 * a member its organization, and with it all members. Only users are never taken along: a row of a user
 * who is not in the list is shared.
 *
 * @param newUserIds users of the tenant, to whom some of the rows belong already
 */
export async function collectOwnedRows(
	reading: Reading,
	start: Readonly<Record<string, readonly Row[]>>,
	newUserIds: readonly string[] = [],
): Promise<Collected> {
	const { ctx, settings } = reading;
	const isTenantData = (model: string) => settings.tables.strategyOf(model) !== "shared";
	const references = findReferences(ctx.tables).filter(
		({ model, target }) => isTenantData(model) && isTenantData(target.model),
	);
	const rows = new OwnedRows();
	const queue: { model: string; added: Row[] }[] = [];
	const add = (model: string, found: readonly Row[]) => {
		const added = rows.add(model, found);
		if (added.length > 0) queue.push({ model, added });
	};
	for (const [model, found] of Object.entries(start)) add(model, found);
	for (let next = queue.shift(); next; next = queue.shift()) {
		const { model, added } = next;
		for (const reference of references.filter(({ target }) => target.model === model)) {
			const values = valuesOf(added, reference.target.name);
			add(
				reference.model,
				await findPlatformRows(reading, reference.model, reference.name, values),
			);
		}
		for (const { name, target } of references.filter((it) => pullsParent(it, model, settings))) {
			const values = valuesOf(added, name);
			add(target.model, await findPlatformRows(reading, target.model, target.name, values));
		}
	}
	const shared = findShared(rows, references, settings);
	return { rows, shared: shared.filter(({ userId }) => !newUserIds.includes(userId)) };
}

/** Sessions and accounts belong to their user alone, and users are never taken along. */
function pullsParent(
	{ model, target, isAmbiguous }: Reference,
	of: string,
	{ tables }: IsolationSettings,
): boolean {
	if (model !== of || isAmbiguous) return false;
	return tables.strategyOf(model) === "owners" && tables.strategyOf(target.model) === "owners";
}

const valuesOf = (rows: readonly Row[], field: string): string[] => [
	...new Set(rows.flatMap((row) => textOf(row[field]) ?? [])),
];

/** The platform's rows in which a field has one of these values. */
async function findPlatformRows(
	{ ctx, raw, settings }: Reading,
	model: string,
	field: string,
	values: string[],
): Promise<Row[]> {
	const { tables } = settings;
	// A field that is no foreign key may contain anything, and PostgreSQL fails on a text that is no UUID.
	const possible = field === "id" ? values.filter((id) => isPossibleId(ctx.options, id)) : values;
	const prefix = await findPrefix(PLATFORM_ID, tables.prefixedFieldsOf(model));
	const hasColumn = tables.strategyOf(model) === "column";
	const found: Row[] = [];
	for (const batch of inBatches(possible)) {
		const where: Where[] = [
			{ field, operator: "in", value: batch },
			...(hasColumn ? [ON_PLATFORM] : []),
		];
		const rows = await raw.findMany<Row>({
			model,
			where: prefixWhere(prefix, where),
			limit: NO_LIMIT,
		});
		// MySQL ignores case, so an id may find the row of another one.
		const exact = rows.filter((row) => batch.includes(String(row[field])));
		found.push(...(hasColumn ? exact : await keepOwn(raw, model, exact, PLATFORM)));
	}
	return found;
}

function findShared(
	rows: OwnedRows,
	references: readonly Reference[],
	{ tables }: IsolationSettings,
): SharedRow[] {
	const toUsers = references.filter(
		({ model, target, isAmbiguous }) =>
			target.model === "user" && tables.strategyOf(model) === "owners" && !isAmbiguous,
	);
	return toUsers.flatMap(({ model, name }) =>
		rows.of(model).flatMap((row) => {
			const userId = textOf(row[name]);
			const isShared = userId !== null && !rows.has("user", userId);
			return isShared ? [{ model, id: idOf(row), userId }] : [];
		}),
	);
}
