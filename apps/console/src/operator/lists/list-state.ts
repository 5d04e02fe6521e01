import { useLocation, useSearchParams } from "react-router";
import type { ListOrder, PageParams, TextSort } from "../../api/client";

const PAGE_SIZE = 50;

export type OrderParams<Field extends string = never> =
	| { sort: TextSort<Field> }
	| { order: ListOrder };

/** The cursors of the pages that were open before, by page. */
type Cursors = Record<number, string>;

/**
 * The page, order, search and filters of a list. They are in the URL, so a reload keeps them.
 *
 * A list can also be sorted by some texts. The matches of a search cannot: they are in the order of time.
 *
 * A page is read with its cursor. The cursors of earlier pages are in the history of the tab. A page
 * whose cursor is not known, as after a link was opened in another tab, is read with an offset.
 */
export function useListState<Field extends string = never>(fields: readonly Field[] = []) {
	const [params, setParams] = useSearchParams();
	const { state } = useLocation() as { state: { cursors?: Cursors } | null };
	const page = Math.max(1, Math.trunc(Number(params.get("page"))) || 1);
	const cursor = page > 1 ? params.get("cursor") : null;
	const search = params.get("q") ?? "";
	const offset = (page - 1) * PAGE_SIZE;
	const order: ListOrder = params.get("order") === "oldest" ? "oldest" : "newest";
	const filters = search ? { search } : {};
	const isSort = (text: string | null): text is TextSort<Field> =>
		fields.some((field) => text === field || text === `-${field}`);
	const wantedSort = params.get("sort");
	const sort = !search && isSort(wantedSort) ? wantedSort : null;

	const change = (changes: Record<string, string>, cursors: Cursors = {}) =>
		setParams(
			(current) => {
				const next = new URLSearchParams(current);
				for (const [name, value] of Object.entries({ page: "", cursor: "", ...changes })) {
					if (value) next.set(name, value);
					else next.delete(name);
				}
				return next;
			},
			{ replace: true, preventScrollReset: true, state: { cursors } },
		);

	const setPage = (wanted: number, known: Cursors) =>
		change(wanted > 1 ? { page: String(wanted), cursor: known[wanted] ?? "" } : {}, known);
	const known: Cursors = { ...state?.cursors, ...(cursor ? { [page]: cursor } : {}) };

	/** Either by a text, or by time. */
	const orderParams: OrderParams<Field> = sort ? { sort } : { order };
	const pageParams: PageParams & { sort?: TextSort<Field> } = {
		limit: PAGE_SIZE,
		total: "none",
		...orderParams,
		...filters,
		...(cursor ? { cursor } : { offset }),
	};
	/** Counts the list once for all pages. */
	const totalParams: PageParams = { limit: 1, offset: 0, ...filters };
	return {
		search,
		order,
		sort,
		orderParams,
		offset,
		pageParams,
		totalParams,
		filter: (name: string) => params.get(name) ?? "",
		/** Starts again at the first page, as all filters do. */
		setSearch: (text: string) => change({ q: text.trim() }),
		setOrder: (wanted: ListOrder) => change({ order: wanted === "newest" ? "" : wanted, sort: "" }),
		/** Missing if the list cannot be sorted by a text now. */
		setSort:
			fields.length > 0 && !search
				? (wanted: string) => change({ sort: wanted, order: "" })
				: undefined,
		setFilter: (name: string, value: string) => change({ [name]: value }),
		clearFilters: (names: readonly string[]) =>
			change(Object.fromEntries(names.map((name) => [name, ""]))),
		showFirst: () => change({}),
		showPrevious: () => setPage(page - 1, known),
		showNext: (nextCursor: string) => setPage(page + 1, { ...known, [page + 1]: nextCursor }),
	};
}

export type ListState = Omit<
	ReturnType<typeof useListState<string>>,
	"pageParams" | "orderParams"
> & { pageParams: PageParams };
