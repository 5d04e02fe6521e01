import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState } from "../../ui/ErrorState";
import { Pager } from "../../ui/Pager";
import { type Column, Table } from "../../ui/Table";
import type { Page } from "../api/answer";
import { type ListState, PAGE_SIZE } from "./list-state";

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

/** A page of a list, in whichever state it is: loading, failed, empty, or there. */
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
				offset={state.window.offset}
				limit={PAGE_SIZE}
				total={query.data?.total}
				onOffset={state.setOffset}
			/>
		</div>
	);
}
