import type { Where } from "@better-auth/core/db/adapter";
import { countRows, type DatedRow, findPage, type Listing } from "./pages";
import type { CountedPart, SearchedPage } from "./searched-list";

/** A part of a list, in the order that a request asks for. */
export interface OrderedPart extends CountedPart, Pick<Listing<never>, "first" | "fallingIds"> {}

/** A part of a log. */
export interface LogPart extends OrderedPart {
	since?: Date | undefined;
	until?: Date | undefined;
}

/** A part of a list that is not searched. */
export async function findCountedPage<Row extends DatedRow>(
	{ ctx, model, where }: Pick<Listing<Row>, "ctx" | "model" | "where">,
	part: OrderedPart,
): Promise<SearchedPage<Row>> {
	const { first, fallingIds, countsTotal } = part;
	const listing: Listing<Row> = { ctx, model, where, first, fallingIds };
	const page = await findPage(listing, part);
	return { ...page, total: countsTotal ? await countRows(listing) : null, isLimited: false };
}

/** The conditions for entries of a log with these values. One that is missing is not compared. */
export const inLog = (
	values: Record<string, Where["value"] | undefined>,
	{ since, until }: LogPart,
): Where[] => [
	...Object.entries(values).flatMap(([field, value]) =>
		value === undefined ? [] : [{ field, value }],
	),
	...(since ? [{ field: "createdAt", operator: "gte" as const, value: since }] : []),
	...(until ? [{ field: "createdAt", operator: "lt" as const, value: until }] : []),
];
