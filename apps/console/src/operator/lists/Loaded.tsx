import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { Table, type TableProps } from "../../ui/Table";

type LoadedProps<Data> = {
	query: UseQueryResult<Data>;
	/** Shown in place of an empty list. */
	empty?: ReactNode;
	children: (data: Data) => ReactNode;
};

/** Content that has to load: a placeholder, an error with a button to try again, or the content. */
export function Loaded<Data>({ query, empty, children }: LoadedProps<Data>) {
	const { data, error, refetch } = query;
	if (data !== undefined) {
		return empty !== undefined && Array.isArray(data) && data.length === 0 ? empty : children(data);
	}
	if (error) return <ErrorState error={error} onRetry={refetch} />;
	return (
		<div aria-busy="true">
			<Skeleton kind="block" />
		</div>
	);
}

type LoadedTableProps<Row> = Omit<TableProps<Row>, "rows"> & { query: UseQueryResult<Row[]> };

/** A table of a list that is short enough for one page. */
export function LoadedTable<Row>({ query, ...table }: LoadedTableProps<Row>) {
	const { data, error, refetch } = query;
	if (error && !data) return <ErrorState error={error} onRetry={refetch} />;
	return <Table {...table} rows={data} />;
}
