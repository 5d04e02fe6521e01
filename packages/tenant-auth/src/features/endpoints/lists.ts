import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import * as z from "zod";
import type { OrderedPart } from "../../database/counted-page";
import { type Cursors, cursorsOf } from "../../database/cursor";
import type { ListOrder } from "../../database/pages";
import type { SearchedPage } from "../../database/searched-list";
import type { TextSort } from "../../database/sorted-pages";
import { tenantError } from "../../tenant-error";
import { tenantBody } from "./define";

export const integer = z.coerce.number<number | string>().int().max(Number.MAX_SAFE_INTEGER);

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL rejects NUL in a parameter
const NUL = /\u0000/;

/**
 * A part of a list, and how many items the whole list has.
 *
 * The body of a response is the array alone. The header `x-total-count` has the total, `x-next-cursor` has
 * the cursor of the next page, and `x-search-limited` says that not all items were searched. The typed
 * client reads them from there.
 */
export type ListPart<Item> = Item[] & {
	/** `NaN` if it was not counted. */
	total: number;
	/** The `cursor` of the next page. `null` if there is none. */
	nextCursor: string | null;
	/** Whether the list was too long to search all of it: what is not found may exist. */
	searchLimited: boolean;
};

export const listResponse = <Item>(item: z.ZodType<Item>) =>
	// JSON has no arrays with properties, so the schema is the array's.
	z.array(item) as z.ZodType<Item[]> as z.ZodType<ListPart<Item>>;

/** Which part of a list is returned. */
export const pageFields = {
	limit: integer
		.min(1)
		.max(1000)
		.meta({ description: "At most this many; default 100" })
		.optional(),
	offset: integer.min(0).meta({ description: "Skip this many; default 0" }).optional(),
	cursor: z
		.string()
		.min(1)
		.max(2048)
		.meta({ description: "The x-next-cursor of the page before; instead of offset" })
		.optional(),
	order: z
		.enum(["newest", "oldest"])
		.meta({ description: "Which ones come first; the other order begins with the last page" })
		.optional(),
	total: z
		.enum(["exact", "none"])
		.meta({ description: "Whether to count; default exact, and none with a cursor" })
		.optional(),
};

const timestamp = z.iso.datetime({ offset: true });

/** A part of a log. */
export const periodFields = {
	since: timestamp.meta({ description: "Only at or after this time" }).optional(),
	until: timestamp.meta({ description: "Only before this time" }).optional(),
};

/** Nothing happened before 1970, and not every driver can write the year 0. */
const dateOf = (text: string | undefined) =>
	text === undefined ? undefined : new Date(Math.max(0, Date.parse(text)));

export const periodOf = (query: { since?: string; until?: string } | undefined) => ({
	since: dateOf(query?.since),
	until: dateOf(query?.until),
});

export const searchSchema = z
	.string()
	.max(200)
	.refine((text) => !NUL.test(text), "search must not contain NUL");

/** The query of a searchable list of one tenant. */
export const tenantListQuery = (searched: string) =>
	tenantBody.extend({
		...pageFields,
		search: searchSchema.meta({ description: searched }).optional(),
	});

interface PageQuery {
	limit?: number | undefined;
	offset?: number | undefined;
	cursor?: string | undefined;
	order?: ListOrder | undefined;
	total?: "exact" | "none" | undefined;
}

/** What a list can be sorted by. A minus turns the order around. */
export const sortSchema = <const Field extends string>(...fields: Field[]) => {
	const values = fields.flatMap((field) => [field, `-${field}` as const]);
	return z.enum(values as [Field | `-${Field}`]);
};

/**
 * The order by a text. It is not for a search, whose matches are in the order of their creation.
 *
 * @throws `SORT_NOT_AVAILABLE`
 */
export function requestedSort(
	query: { sort?: string | undefined; search?: unknown; order?: unknown } | undefined,
): TextSort | undefined {
	const { sort, search, order } = query ?? {};
	if (sort === undefined) return undefined;
	if (search !== undefined || order !== undefined) {
		throw tenantError("SORT_NOT_AVAILABLE", { message: "Send sort without search and order" });
	}
	return { field: sort.replace(/^-/, ""), descending: sort.startsWith("-") };
}

/** The part of a list that a request asks for. */
export interface RequestedPart extends OrderedPart {
	cursors: Cursors;
}

/**
 * @param list Its name, and the tenant whose list it is. Together with the order and all filters of the
 *   query, they are what a cursor is bound to.
 */
export async function requestedPart(
	ctx: { query?: PageQuery | undefined; context: Pick<AuthContext, "secret"> },
	list: { name: string; tenantId: string | null; order: ListOrder },
): Promise<RequestedPart> {
	const { limit = 100, offset = 0, cursor, total, order = list.order, ...rest } = ctx.query ?? {};
	const filters = Object.entries(rest).filter(([field]) => field !== "tenantId");
	const bound = [list.name, list.tenantId, order, filters.sort(([a], [b]) => (a < b ? -1 : 1))];
	const cursors = cursorsOf(ctx.context.secret, bound);
	if (cursor !== undefined && offset > 0) {
		throw tenantError("INVALID_CURSOR", { message: "Send either a cursor or an offset" });
	}
	return {
		limit,
		offset,
		after: cursor === undefined ? undefined : await cursors.read(cursor),
		first: order,
		// The other order is this list backwards.
		fallingIds: order !== list.order,
		countsTotal: total === undefined ? cursor === undefined : total === "exact",
		cursors,
	};
}

type ResponseContext = Pick<GenericEndpointContext, "setHeader">;

/** Sets the headers of a list, and puts their values on the array. */
export async function listPart<Item>(
	ctx: ResponseContext,
	items: Item[],
	{ total, next, isLimited }: Omit<SearchedPage<unknown>, "rows">,
	{ cursors }: Pick<RequestedPart, "cursors">,
): Promise<ListPart<Item>> {
	const nextCursor = next ? await cursors.write(next) : null;
	if (total !== null) ctx.setHeader("x-total-count", String(total));
	if (nextCursor) ctx.setHeader("x-next-cursor", nextCursor);
	if (isLimited) ctx.setHeader("x-search-limited", "true");
	// Not enumerable: the list is still equal to any other list of the same items.
	return Object.defineProperties(items as ListPart<Item>, {
		total: { value: total ?? Number.NaN },
		nextCursor: { value: nextCursor },
		searchLimited: { value: isLimited },
	});
}
