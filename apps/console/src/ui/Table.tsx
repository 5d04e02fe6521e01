import type { ReactNode } from "react";
import { Skeleton } from "./Skeleton";

export type Column<Row> = {
	title: string;
	cell: (row: Row) => ReactNode;
	/** Names the row: on a phone it stands above the rest, without its title. */
	heading?: boolean;
	/** Hides the title from sight, for a column of buttons. */
	hideTitle?: boolean;
	align?: "end";
};

type TableProps<Row> = {
	/** Read out as the table's name. */
	caption: string;
	columns: Column<Row>[];
	/** `undefined` while they are loading. */
	rows: Row[] | undefined;
	rowKey: (row: Row) => string;
	/** In place of the rows when there are none. */
	empty: ReactNode;
	skeletonRows?: number;
};

/** On a phone each row becomes a card in which every cell bears its column's title. */
export function Table<Row>(props: TableProps<Row>) {
	const { caption, columns, rows, rowKey, empty, skeletonRows = 5 } = props;
	if (rows?.length === 0) return empty;
	return (
		<div className="table-frame">
			<table className="table" aria-busy={!rows || undefined}>
				<caption className="visually-hidden">{caption}</caption>
				<thead>
					<tr>
						{columns.map(({ title, hideTitle, align }) => (
							<th key={title} scope="col" data-align={align}>
								<span className={hideTitle ? "visually-hidden" : undefined}>{title}</span>
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows
						? rows.map((row) => (
								<tr key={rowKey(row)}>
									{columns.map(({ title, heading, hideTitle, align, cell }) => (
										<td
											key={title}
											className={heading ? "table-heading" : undefined}
											data-title={heading || hideTitle ? undefined : title}
											data-align={align}
										>
											{cell(row)}
										</td>
									))}
								</tr>
							))
						: Array.from({ length: skeletonRows }, (_, index) => (
								// biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
								<tr key={index}>
									{columns.map(({ title }) => (
										<td key={title}>
											<Skeleton />
										</td>
									))}
								</tr>
							))}
				</tbody>
			</table>
		</div>
	);
}
