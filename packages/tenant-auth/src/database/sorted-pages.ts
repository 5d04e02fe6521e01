import type { Where } from "@better-auth/core/db/adapter";
import { currentAdapter } from "./current-adapter";
import { type DatedRow, findRows, type Listing, type Page, type Part, toPage } from "./pages";

/** The order of a list by one of its texts, in place of the time of creation. */
export interface TextSort {
	field: string;
	descending: boolean;
}

type Sorted<Row> = Pick<Listing<Row>, "ctx" | "model" | "where"> & { sort: TextSort };

/**
 * A part of a list in the order of a text. Two parts never have a row in common, and together they have all
 * rows.
 *
 * Only the database knows which texts are equal in its order: some do not care about case or accents. And it
 * orders equal ones as it likes. So a page never ends between equal texts in the order of such a query: the
 * rows with the last text of the page come from a query of their own, in the order of their ids. It takes
 * at most four statements, or six with an offset.
 */
export async function findSortedPage<Row extends DatedRow>(
	listing: Sorted<Row>,
	{ offset, limit, after }: Part,
): Promise<Page<Row>> {
	const start = after
		? { text: String(after.key), after: after.id }
		: await findStart(listing, offset);
	const found = start ? await findEqual(listing, start, limit + 1) : [];
	if (found.length <= limit && (start || offset === 0)) {
		const wanted = limit + 1 - found.length;
		const behind = start ? [is(listing, "behind", start.text)] : [];
		found.push(...(await findBehind(listing, behind, wanted)));
	}
	return toPage(found, limit, (row) => textOf(listing, row));
}

/** The rows behind a text, in order up to the last but one. */
async function findBehind<Row extends DatedRow>(
	listing: Sorted<Row>,
	behind: Where[],
	wanted: number,
): Promise<Row[]> {
	const rows = await findByText(listing, behind, wanted);
	// One more than the page has: it is not shown.
	const last = rows.length < wanted ? undefined : rows.at(-2);
	if (!last) return rows;
	const text = textOf(listing, last);
	const before = await findByText(listing, [...behind, is(listing, "before", text)], wanted);
	const equal = await findEqual(listing, { text }, wanted - before.length);
	const all = [...before, ...equal];
	return all.length < wanted ? [...all, ...rows.slice(-1)] : all;
}

interface Start {
	text: string;
	/** Starts behind this id, among the rows with this text. */
	after?: string;
	/** How many rows with this text come before. */
	skip?: number;
}

/** Where the row at `offset` is. `null` for the first row of all, and for an offset behind the last one. */
async function findStart<Row extends DatedRow>(
	listing: Sorted<Row>,
	offset: number,
): Promise<Start | null> {
	if (offset === 0) return null;
	const [before] = await findByText(listing, [], 1, offset - 1);
	if (!before) return null;
	const text = textOf(listing, before);
	const db = currentAdapter(listing.ctx.adapter);
	const where = [...listing.where, is(listing, "before", text)];
	return { text, skip: offset - (await db.count({ model: listing.model, where })) };
}

function findEqual<Row extends DatedRow>(
	listing: Sorted<Row>,
	{ text, after, skip = 0 }: Start,
	limit: number,
): Promise<Row[]> {
	const where: Where[] = [{ field: listing.sort.field, value: text, connector: "AND" }];
	if (after !== undefined)
		where.push({ field: "id", operator: "gt", value: after, connector: "AND" });
	return findRows<Row>(listing, where, { field: "id", direction: "asc" }, limit, skip);
}

function findByText<Row extends DatedRow>(
	listing: Sorted<Row>,
	more: Where[],
	limit: number,
	offset = 0,
): Promise<Row[]> {
	const { field, descending } = listing.sort;
	const direction = descending ? "desc" : "asc";
	return findRows<Row>(listing, more, { field, direction }, limit, offset);
}

function is({ sort }: Sorted<never>, where: "before" | "behind", value: string): Where {
	const operator = (where === "behind") === sort.descending ? "lt" : "gt";
	return { field: sort.field, operator, value, connector: "AND" };
}

const textOf = <Row extends DatedRow>({ sort }: Sorted<Row>, row: Row): string =>
	String((row as Record<string, unknown>)[sort.field] ?? "");
