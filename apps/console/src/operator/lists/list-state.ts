import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation, useSearchParams } from "react-router";
import { hasCode, type Page, type PageParams } from "../api/client";
import { Button } from "../ui/Button";
import { EmptyState, ErrorState } from "../ui/feedback";
import { type Column, Pager, SearchBox, Table } from "../ui/lists";

const PAGE_SIZE = 50;

/** The cursors of the pages that were open before, by page. */
type Cursors = Record<number, string>;

/**
 * The page, search and filters of a list. They are in the URL, so a reload keeps them.
 *
 * A page is read with its cursor. The cursors of earlier pages are in the history of the tab. A page
 * whose cursor is not known, as after a link was opened in another tab, is read with an offset.
 */
export function useListState() {
	const [params, setParams] = useSearchParams();
	const { state } = useLocation() as { state: { cursors?: Cursors } | null };
	const page = Math.max(1, Math.trunc(Number(params.get("page"))) || 1);
	const cursor = page > 1 ? params.get("cursor") : null;
	const search = params.get("q") ?? "";
	const offset = (page - 1) * PAGE_SIZE;
	const filters = search ? { search } : {};

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

	const pageParams: PageParams = {
		limit: PAGE_SIZE,
		total: "none",
		...filters,
		...(cursor ? { cursor } : { offset }),
	};
	/** Counts the list once for all pages. */
	const totalParams: PageParams = { limit: 1, offset: 0, ...filters };
	return {
		search,
		offset,
		pageParams,
		totalParams,
		filter: (name: string) => params.get(name) ?? "",
		/** Starts again at the first page, as all filters do. */
		setSearch: (text: string) => change({ q: text.trim() }),
		setFilter: (name: string, value: string) => change({ [name]: value }),
		clearFilters: (names: readonly string[]) =>
			change(Object.fromEntries(names.map((name) => [name, ""]))),
		showFirst: () => change({}),
		showPrevious: () => setPage(page - 1, known),
		showNext: (nextCursor: string) => setPage(page + 1, { ...known, [page + 1]: nextCursor }),
	};
}

export type ListState = ReturnType<typeof useListState>;

type ListTableProps<Row> = {
	/** What is listed, in the plural. */
	what: string;
	caption: string;
	query: UseQueryResult<Page<Row>>;
	/** The same list with `totalParams`. */
	totalQuery: UseQueryResult<Page<Row>>;
	state: ListState;
	columns: Column<Row>[];
	rowKey: (row: Row) => string;
	/** Shown if the whole list is empty. */
	empty: ReactNode;
};

/** One page of a list, with its loading, error and empty states. */
export function ListTable<Row>(props: ListTableProps<Row>) {
	const { what, caption, query, totalQuery, state, columns, rowKey, empty } = props;
	const { data, error, isPlaceholderData } = query;
	if (error && !data) {
		const retry = () => {
			// The server's secret has changed, or somebody edited the URL.
			if (hasCode(error, "INVALID_CURSOR")) return state.showFirst();
			void query.refetch();
			void totalQuery.refetch();
		};
		return <ErrorState error={error} onRetry={retry} />;
	}
	const next = data?.nextCursor;
	return (
		<div className="stack" data-stale={isPlaceholderData || undefined}>
			<Table
				caption={caption}
				columns={columns}
				rows={data?.items}
				rowKey={rowKey}
				empty={state.offset > 0 ? <EmptyState title={`No more ${what}`} /> : empty}
			/>
			{data && (
				<Pager
					what={what}
					offset={state.offset}
					count={isPlaceholderData ? undefined : data.items.length}
					total={totalQuery.data?.total}
					onPrevious={state.offset > 0 ? state.showPrevious : undefined}
					// The cursor of the page before leads to this one, which is still loading.
					onNext={next ? () => isPlaceholderData || state.showNext(next) : undefined}
				/>
			)}
		</div>
	);
}

export function ListSearch({ label, state }: { label: string; state: ListState }) {
	return (
		<div className="row">
			<SearchBox label={label} value={state.search} onSearch={state.setSearch} />
		</div>
	);
}

export function NoMatches({ what, state }: { what: string; state: ListState }) {
	return (
		<EmptyState
			title={`No ${what} match “${state.search}”`}
			action={<Button onClick={() => state.setSearch("")}>Clear search</Button>}
		/>
	);
}
