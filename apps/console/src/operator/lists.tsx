import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { Page, PageParams } from "../api/client";
import { Button } from "../ui/Button";
import { EmptyState, ErrorState } from "../ui/feedback";
import { type Column, Pager, SearchBox, Table } from "../ui/lists";

const PAGE_SIZE = 50;

/** The page, search and filters of a list. They are in the URL, so a reload keeps them. */
export function useListState() {
	const [params, setParams] = useSearchParams();
	const page = Math.max(1, Math.trunc(Number(params.get("page"))) || 1);
	const search = params.get("q") ?? "";
	const pageParams: PageParams = {
		limit: PAGE_SIZE,
		offset: (page - 1) * PAGE_SIZE,
		...(search ? { search } : {}),
	};

	const change = (changes: Record<string, string>) =>
		setParams(
			(current) => {
				const next = new URLSearchParams(current);
				for (const [name, value] of Object.entries(changes)) {
					if (value) next.set(name, value);
					else next.delete(name);
				}
				return next;
			},
			{ replace: true, preventScrollReset: true },
		);

	return {
		search,
		pageParams,
		filter: (name: string) => params.get(name) ?? "",
		/** Starts again at the first page, as all filters do. */
		setSearch: (text: string) => change({ q: text.trim(), page: "" }),
		setFilter: (name: string, value: string) => change({ [name]: value, page: "" }),
		clearFilters: (names: readonly string[]) =>
			change({ ...Object.fromEntries(names.map((name) => [name, ""])), page: "" }),
		setOffset: (offset: number) =>
			change({ page: offset > 0 ? String(Math.floor(offset / PAGE_SIZE) + 1) : "" }),
	};
}

export type ListState = ReturnType<typeof useListState>;

type ListTableProps<Row> = {
	/** What is listed, in the plural. */
	what: string;
	caption: string;
	query: UseQueryResult<Page<Row>>;
	state: ListState;
	columns: Column<Row>[];
	rowKey: (row: Row) => string;
	empty: ReactNode;
};

/** One page of a list, with its loading, error and empty states. */
export function ListTable<Row>(props: ListTableProps<Row>) {
	const { what, caption, query, state, columns, rowKey, empty } = props;
	if (query.error && !query.data) return <ErrorState error={query.error} onRetry={query.refetch} />;
	return (
		<div className="stack" data-stale={query.isPlaceholderData || undefined}>
			<Table
				caption={caption}
				columns={columns}
				rows={query.data?.items}
				rowKey={rowKey}
				empty={empty}
			/>
			<Pager
				what={what}
				offset={state.pageParams.offset}
				limit={PAGE_SIZE}
				total={query.data?.total}
				onOffset={state.setOffset}
			/>
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
