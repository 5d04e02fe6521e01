import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { hasCode, type Page } from "../../api/client";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, Notice } from "../../ui/feedback";
import { SettingsIcon } from "../../ui/icons";
import { Pager, SearchBox } from "../../ui/lists";
import { Menu, type MenuItem } from "../../ui/Menu";
import { type Column, Table } from "../../ui/Table";
import { type BulkAction, BulkBar } from "./BulkBar";
import { useColumns } from "./columns";
import type { ListState } from "./list-state";
import { useSelection } from "./selection";

type DataListProps<Row> = {
	/** What is listed, in the plural. */
	what: string;
	caption: string;
	query: UseQueryResult<Page<Row>>;
	/** The same list with `totalParams`. */
	totalQuery: UseQueryResult<Page<Row>>;
	state: ListState;
	columns: Column<Row>[];
	rowKey: (row: Row) => string;
	/** Names a row in the labels of its checkbox and its menu. */
	rowName: (row: Row) => string;
	/** The label of the search box. Without it, the list has none. */
	search?: string;
	/** Above the table, after the search box. */
	filters?: ReactNode;
	/** Above the table, on the right. */
	actions?: ReactNode;
	/** The menu of each row. */
	rowActions?: (row: Row) => MenuItem[];
	/** What can be done with several rows at once. */
	bulkActions?: BulkAction<Row>[];
	/** Shown if the whole list is empty. */
	empty: ReactNode;
	/** Shown if no item matches the filters. */
	noMatches?: ReactNode;
};

/** One page of a list: search, filters, columns, selection, table and pager, in all states. */
export function DataList<Row>(props: DataListProps<Row>) {
	const { what, caption, query, totalQuery, state, rowKey, rowName, rowActions } = props;
	const { bulkActions = [], search, filters, actions } = props;
	const { data, error, isPlaceholderData } = query;
	const rows = data?.items;
	const chosen = useColumns(what, props.columns);
	const selection = useSelection({ rows, rowKey, nameOf: rowName });
	const columns = rowActions
		? [...chosen.columns, menuColumn(rowName, rowActions)]
		: chosen.columns;
	const hasFailed = error && !data;
	const next = data?.nextCursor;
	return (
		<div className="stack" data-stale={isPlaceholderData || undefined}>
			<div className="list-bar">
				{search && <SearchBox label={search} value={state.search} onSearch={state.setSearch} />}
				{filters}
				<div className="list-bar-end">
					<Menu
						label={`Columns of ${what}`}
						items={chosen.choices}
						className="button button-secondary"
						button={
							<>
								<SettingsIcon /> Columns
							</>
						}
					/>
					{actions}
				</div>
			</div>
			{selection.selected.length > 0 && (
				<BulkBar
					what={what}
					rows={selection.selected}
					rowName={rowName}
					actions={bulkActions}
					onClear={selection.clear}
				/>
			)}
			{state.search && data?.searchLimited && <SearchLimited what={what} />}
			{hasFailed ? (
				<ErrorState error={error} onRetry={() => retry(props)} />
			) : (
				<Table
					caption={caption}
					columns={columns}
					rows={rows}
					rowKey={rowKey}
					sorting={{
						order: state.order,
						onOrderChange: state.setOrder,
						sort: state.sort,
						onSortChange: state.setSort,
					}}
					selection={bulkActions.length > 0 ? selection : undefined}
					empty={<Empty {...props} />}
				/>
			)}
			{data && data.items.length > 0 && (
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

function retry<Row>({ query, totalQuery, state }: DataListProps<Row>): void {
	// The server's secret has changed, or somebody edited the URL.
	if (hasCode(query.error, "INVALID_CURSOR")) {
		state.showFirst();
		return;
	}
	void query.refetch();
	void totalQuery.refetch();
}

function Empty<Row>({ what, state, empty, noMatches }: DataListProps<Row>) {
	if (state.offset > 0) {
		return (
			<EmptyState
				title={`There are no ${what} on this page`}
				action={<Button onClick={state.showFirst}>Go to the first page</Button>}
			>
				The list is shorter than that, or some {what} were deleted.
			</EmptyState>
		);
	}
	if (state.search) return <NoMatches what={what} state={state} />;
	return noMatches || empty;
}

/** What is searched in the whole list, from its beginning. Sessions are found by the email of their user. */
const LIMITED_FIELDS: Record<string, string> = {
	tenants: "name or slug",
	users: "name or email",
};

/** Otherwise somebody would believe that what is not found does not exist. */
export function SearchLimited({ what }: { what: string }) {
	const name = LIMITED_FIELDS[what] ?? "email";
	return (
		<Notice kind="info">
			Only the newest 10,000 {what} were searched, and those whose {name} begins with the text. For
			older ones, enter the beginning of the {name}.
		</Notice>
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

const menuColumn = <Row,>(
	rowName: (row: Row) => string,
	rowActions: (row: Row) => MenuItem[],
): Column<Row> => ({
	title: "Actions",
	hideTitle: true,
	align: "end",
	cell: (row) => {
		const items = rowActions(row);
		return items.length > 0 && <Menu label={`Actions for ${rowName(row)}`} items={items} />;
	},
});
