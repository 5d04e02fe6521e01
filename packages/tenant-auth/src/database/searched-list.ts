import type { Where } from "@better-auth/core/db/adapter";
import { currentAdapter } from "./current-adapter";
import {
	countRows,
	type DatedRow,
	findPage,
	type Listing,
	type Page,
	type Part,
	toPage,
} from "./pages";
import { searchFor } from "./search";
import { findSortedPage, type TextSort } from "./sorted-pages";

/** In a longer list, a search looks through this many of the newest rows. */
const SEARCHED_ROWS = 10_000;

/** In a longer list, a search finds at most this many of the newest rows, and of the other ones. */
const MAX_MATCHES = 1000;

const BATCH = 250;

export interface Search<Field extends string> {
	text: string | undefined;
	/** The fields that may contain the text. */
	fields: readonly Field[];
	/** Those of them that have an index, so that their beginnings are found in the whole list. */
	indexed: readonly IndexedText<Field>[];
}

interface IndexedText<Field extends string> {
	field: Field;
	/** Whether no two rows have the same text. Such a text is stored in lowercase. */
	isUnique: boolean;
}

export interface SearchedPage<Row> extends Page<Row> {
	/** `null` if it was not counted. */
	total: number | null;
	/** Whether the list was too long to search all of it. */
	isLimited: boolean;
}

export interface CountedPart extends Part {
	countsTotal: boolean;
}

/** A part of a list of rows that may contain a text. */
export async function findSearchedPage<Field extends string, Row extends SearchedRow<Field>>(
	listing: Listing<Row> & { sort?: TextSort | undefined },
	search: Search<Field>,
	part: CountedPart,
): Promise<SearchedPage<Row>> {
	const { sort } = listing;
	if (sort) {
		return {
			...(await findSortedPage({ ...listing, sort }, part)),
			total: part.countsTotal ? await countRows(listing) : null,
			isLimited: false,
		};
	}
	const matches = await searchLongList(listing, search);
	if (matches) {
		return { ...sliceMatches(listing, matches, part), total: matches.length, isLimited: true };
	}
	const wanted = searchFor(search.text, search.fields);
	const found: Listing<Row> = {
		...listing,
		...wanted,
		// The memory adapter reads conditions from left to right, so those with OR come first.
		where: [...wanted.where, ...listing.where],
	};
	return {
		...(await findPage(found, part)),
		total: part.countsTotal ? await countRows(found) : null,
		isLimited: false,
	};
}

type SearchedRow<Field extends string> = DatedRow & Record<Field, string>;

/**
 * Searches a list of more than `SEARCHED_ROWS` rows, in the order of the list. For a shorter list, and
 * without a text, it returns `null`.
 *
 * No index finds a text in the middle of a column, so a search that finds little would read all rows.
 * This one reads the newest rows, and beyond them only those with an indexed field that begins with the text.
 */
async function searchLongList<Field extends string, Row extends SearchedRow<Field>>(
	listing: Listing<Row>,
	{ text, fields, indexed }: Search<Field>,
): Promise<Row[] | null> {
	if (!text) return null;
	const newest: Listing<Row> = { ...listing, first: "newest", fallingIds: false };
	const oldestSearched = await findNth(newest, SEARCHED_ROWS);
	if (!oldestSearched) return null;
	const { where, matches } = searchFor(text, fields);
	const recent = await findPage<Row>(
		// Not those of the same millisecond: a whole import may have the same creation time.
		{ ...newest, where: [...newest.where, newerThan(oldestSearched), ...where], matches },
		{ offset: 0, limit: MAX_MATCHES },
	);
	const all = new Map(recent.rows.map((row): [string, Row] => [row.id, row]));
	for (const it of indexed) {
		for (const row of await findBeginning(newest, it, text)) all.set(row.id, row);
	}
	return [...all.values()].sort(orderOf(listing));
}

async function findNth<Row extends DatedRow>(
	{ ctx, model, where }: Listing<Row>,
	offset: number,
): Promise<DatedRow | undefined> {
	const db = currentAdapter(ctx.adapter);
	const sortBy = { field: "createdAt", direction: "desc" } as const;
	const select = ["id", "createdAt"];
	const [row] = await db.findMany<DatedRow>({ model, where, select, sortBy, limit: 1, offset });
	return row;
}

const newerThan = ({ createdAt }: DatedRow): Where => ({
	field: "createdAt",
	operator: "gt",
	value: createdAt,
	connector: "AND",
});

/**
 * The rows whose field begins with a text, in the forms in which people write it: an index of PostgreSQL
 * and SQLite tells `ada` and `Ada` apart.
 */
async function findBeginning<Field extends string, Row extends SearchedRow<Field>>(
	listing: Listing<Row>,
	{ field, isUnique }: IndexedText<Field>,
	text: string,
): Promise<Row[]> {
	if (isUnique) return findRange(listing, field, text.toLowerCase(), BATCH);
	const found = new Map<string, Row>();
	for (const form of formsOf(text)) {
		// At once: a next batch would begin behind the last text, and miss rows with the same one.
		for (const row of await findRange<Field, Row>(listing, field, form, MAX_MATCHES)) {
			found.set(row.id, row);
		}
	}
	return [...found.values()].slice(0, MAX_MATCHES);
}

/** As the caller wrote it, in lowercase, and as a name is written. */
function formsOf(text: string): string[] {
	const lower = text.toLowerCase();
	const asName = lower.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
	return [...new Set([text, lower, asName])];
}

/**
 * The rows whose field begins with a text, from the index. Not by LIKE: PostgreSQL and SQLite would
 * not use the index. A collation may have other texts among these, so the rows are compared here.
 */
async function findRange<Field extends string, Row extends SearchedRow<Field>>(
	{ ctx, model, where: ofList }: Listing<Row>,
	field: Field,
	text: string,
	batch: number,
): Promise<Row[]> {
	const db = currentAdapter(ctx.adapter);
	const sortBy = { field, direction: "asc" } as const;
	const wanted = text.toLowerCase();
	const begins = (row: Row) => row[field].toLowerCase().startsWith(wanted);
	const found: Row[] = [];
	const end = endOfRange(text);
	const where: Where[] = end
		? [...ofList, { field, operator: "lt", value: end, connector: "AND" }]
		: ofList;
	let range: Where[] = [{ field, operator: "gte", value: text, connector: "AND" }];
	while (found.length < MAX_MATCHES) {
		const all = [...where, ...range];
		const rows = await db.findMany<Row>({ model, where: all, sortBy, limit: batch });
		found.push(...rows.filter(begins));
		const last = rows.at(-1);
		if (!last || !begins(last) || rows.length < batch) break;
		range = [{ field, operator: "gt", value: last[field], connector: "AND" }];
	}
	return found.slice(0, MAX_MATCHES);
}

/**
 * A text that comes after all texts that begin with this one. Without an end, MariaDB reads the index
 * from its start. Letters and digits have the same order in most collations, other characters do not.
 */
function endOfRange(text: string): string | null {
	const begin = /^[a-z0-9]+/i.exec(text)?.[0].replace(/z+$/i, "");
	if (!begin) return null;
	const last = begin.slice(-1);
	const next = last === "9" ? "a" : String.fromCodePoint(last.charCodeAt(0) + 1);
	return begin.slice(0, -1) + next;
}

type Compare = (one: DatedRow, other: DatedRow) => number;

/** Matches are all in memory, so their ids need no order of the database. */
function orderOf({ first, fallingIds }: Pick<Listing<never>, "first" | "fallingIds">): Compare {
	const byTime = first === "oldest" ? 1 : -1;
	const byId = fallingIds ? -1 : 1;
	return (one, other) =>
		byTime * (one.createdAt.getTime() - other.createdAt.getTime()) ||
		byId * (one.id < other.id ? -1 : Number(one.id > other.id));
}

function sliceMatches<Row extends DatedRow>(
	listing: Listing<Row>,
	matches: Row[],
	{ offset, limit, after }: Part,
): Page<Row> {
	if (!after) return toPage(matches.slice(offset), limit);
	const compare = orderOf(listing);
	const last = { id: after.id, createdAt: new Date(Number(after.key)) };
	return toPage(
		matches.filter((row) => compare(last, row) < 0),
		limit,
	);
}
