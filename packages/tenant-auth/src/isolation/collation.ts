import type { Where } from "@better-auth/core/db/adapter";
import {
	type AnyAdapter,
	around,
	call,
	type FindMany,
	type Methods,
	type Query,
	type Row,
} from "./raw-adapter";
import { withoutTenantPrefix } from "./tenant-prefix";

const BATCH = 100;

type Text = { field: string; value: string };

const WRITES = [
	"update",
	"updateMany",
	"delete",
	"deleteMany",
	"consumeOne",
	"incrementOne",
] as const;

/** Databases whose default collations ignore case, accents and trailing spaces. */
const LENIENT = new Set<unknown>(["mysql", "mssql", "sqlserver"]);

function isLenient({ options }: AnyAdapter): boolean {
	return LENIENT.has(options?.type) || LENIENT.has(options?.provider);
}

/**
 * Makes an adapter find and change only rows whose identifying texts are equal to the letter.
 *
 * To MySQL "josé@example.com" equals "jose@example.com". A code that was sent to the one email would
 * open the account of the other, and so would an identity provider that asserts it.
 */
export function withExactText<Adapter extends AnyAdapter>(
	adapter: Adapter,
	identifyingFieldsOf: (model: string) => readonly string[],
): Adapter {
	if (!isLenient(adapter)) return adapter;
	const textsOf = (query: Query) => findTexts(query.where ?? [], identifyingFieldsOf(query.model));

	const exact: Pick<Methods, "findOne" | "findMany"> = {
		findOne: async <T>(query: FindMany) => {
			const texts = textsOf(query);
			const row = await adapter.findOne<T>(
				selecting({ ...query, where: query.where ?? [] }, texts),
			);
			if (!row || isExact(row, texts)) return row;
			return (await findExact<T>(adapter, { ...query, limit: 1 }, texts))[0] ?? null;
		},
		findMany: async <T>(query: FindMany) => {
			const texts = textsOf(query);
			const rows = await adapter.findMany<T>(selecting(query, texts));
			return rows.every((row) => isExact(row, texts)) ? rows : findExact(adapter, query, texts);
		},
	};
	const writes = around(WRITES, async (name, query) => {
		const own = await narrow(query);
		if (own) return call(adapter, name, own);
		return name.endsWith("Many") ? 0 : null;
	});
	return { ...adapter, ...exact, ...writes };

	/** Adds the ids of the rows that a write concerns; `null` if there are none. */
	async function narrow<Q extends Query & { where: Where[] }>(query: Q): Promise<Q | null> {
		const texts = textsOf(query);
		if (texts.length === 0 || query.where.some(namesRow)) return query;
		const { model, where } = query;
		const found = { model, where, select: ["id"], limit: Number.MAX_SAFE_INTEGER };
		const ids = (await findExact<Row>(adapter, found, texts)).map(({ id }) => String(id));
		if (ids.length === 0) return null;
		return { ...query, where: [...where, { field: "id", operator: "in", value: ids }] };
	}
}

function findTexts(where: Where[], fields: readonly string[]): Text[] {
	return where.flatMap(({ field, value, operator = "eq", connector = "AND", mode }) =>
		fields.includes(field) &&
		typeof value === "string" &&
		operator === "eq" &&
		connector === "AND" &&
		mode !== "insensitive"
			? [{ field, value: withoutTenantPrefix(value) }]
			: [],
	);
}

const isExact = (row: unknown, texts: Text[]) =>
	texts.every(({ field, value }) => (row as Row)[field] === value);

const namesRow = ({ field, operator = "eq", connector = "AND" }: Where) =>
	field === "id" && operator === "eq" && connector === "AND";

/** Also reads the fields that are compared. */
function selecting<Q extends { select?: string[] | undefined }>(query: Q, texts: Text[]): Q {
	if (!query.select || texts.length === 0) return query;
	return { ...query, select: [...new Set([...query.select, ...texts.map(({ field }) => field)])] };
}

async function findExact<T>(
	database: Pick<Methods, "findMany">,
	query: FindMany,
	texts: Text[],
): Promise<T[]> {
	const { limit = BATCH, offset = 0 } = query;
	const exact: T[] = [];
	for (let start = 0; ; start += BATCH) {
		const page = { ...selecting(query, texts), limit: BATCH, offset: start };
		const rows = await database.findMany<T>(page);
		exact.push(...rows.filter((row) => isExact(row, texts)));
		if (rows.length < BATCH || exact.length >= offset + limit) break;
	}
	return exact.slice(offset, offset + limit);
}
