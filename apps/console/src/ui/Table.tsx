import type { ReactNode } from "react";
import { Skeleton } from "./feedback";

export type Column<Row> = {
	title: string;
	cell: (row: Row) => ReactNode;
	/** Names the row. On a phone it is the heading of the card. */
	heading?: boolean;
	/** Hides the title from sight, for a column of buttons. */
	hideTitle?: boolean;
	align?: "end";
	/** The list is in the order of this column, which has times. */
	sorted?: boolean;
	/** The text by which the list can be sorted. */
	sortBy?: string;
	/** Shown only if the user chooses it. */
	hidden?: boolean;
};

type Order = "newest" | "oldest";

type Sorting = {
	order: Order;
	onOrderChange: (order: Order) => void;
	/** The text by which the list is sorted, with a minus from the end. `null`: by time. */
	sort: string | null;
	/** Without it, the list can be sorted by time only. */
	onSortChange?: ((sort: string) => void) | undefined;
};

/** The rows that the user has selected, for an action on all of them. */
export type Selection<Row> = {
	isSelected: (row: Row) => boolean;
	onToggle: (row: Row) => void;
	/** `null` if only some are selected. */
	areAllSelected: boolean | null;
	onToggleAll: () => void;
	/** Names the row in the label of its checkbox. */
	nameOf: (row: Row) => string;
};

export type TableProps<Row> = {
	/** The name of the table for screen readers. */
	caption: string;
	columns: Column<Row>[];
	/** `undefined` while they load. */
	rows: Row[] | undefined;
	rowKey: (row: Row) => string;
	/** Shown if there are no rows. */
	empty: ReactNode;
	sorting?: Sorting | undefined;
	selection?: Selection<Row> | undefined;
};

const SKELETON_ROWS = ["1", "2", "3", "4", "5"];

/** On a phone each row becomes a card, and each cell shows the title of its column. */
export function Table<Row>(props: TableProps<Row>) {
	const { caption, columns, rows, rowKey, empty, sorting, selection } = props;
	if (rows?.length === 0) return empty;
	return (
		<div className="table-frame">
			<table className="table" aria-busy={!rows || undefined}>
				<caption className="visually-hidden">{caption}</caption>
				<thead>
					<tr>
						{selection && (
							<th scope="col" className="table-select">
								<SelectAll {...selection} />
							</th>
						)}
						{columns.map((column) => (
							<ColumnTitle key={column.title} column={column} sorting={sorting} />
						))}
					</tr>
				</thead>
				<tbody>
					{rows
						? rows.map((row) => (
								<tr key={rowKey(row)} data-selected={selection?.isSelected(row) || undefined}>
									{selection && (
										<td className="table-select">
											<input
												type="checkbox"
												aria-label={`Select ${selection.nameOf(row)}`}
												checked={selection.isSelected(row)}
												onChange={() => selection.onToggle(row)}
											/>
										</td>
									)}
									{columns.map((column) => (
										<Cell key={column.title} column={column} row={row} />
									))}
								</tr>
							))
						: SKELETON_ROWS.map((key) => (
								<tr key={key}>
									{selection && <td className="table-select" />}
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

type ColumnTitleProps<Row> = { column: Column<Row>; sorting: Sorting | undefined };

function ColumnTitle<Row>({ column, sorting }: ColumnTitleProps<Row>) {
	const { title, hideTitle, align, sorted, sortBy } = column;
	if (sortBy && sorting?.onSortChange) {
		return <TextTitle column={column} sortBy={sortBy} sorting={sorting} />;
	}
	if (!sorted || !sorting) {
		return (
			<th scope="col" data-align={align}>
				<span className={hideTitle ? "visually-hidden" : undefined}>{title}</span>
			</th>
		);
	}
	if (sorting.sort !== null) {
		return (
			<th scope="col" data-align={align} aria-sort="none">
				<SortButton hint="Show the newest first" onClick={() => sorting.onOrderChange("newest")}>
					{title}
				</SortButton>
			</th>
		);
	}
	const isNewestFirst = sorting.order === "newest";
	return (
		<th scope="col" data-align={align} aria-sort={isNewestFirst ? "descending" : "ascending"}>
			<SortButton
				arrow={isNewestFirst ? "↓" : "↑"}
				hint={isNewestFirst ? "Show the oldest first" : "Show the newest first"}
				onClick={() => sorting.onOrderChange(isNewestFirst ? "oldest" : "newest")}
			>
				{title}
			</SortButton>
		</th>
	);
}

type TextTitleProps<Row> = { column: Column<Row>; sortBy: string; sorting: Sorting };

function TextTitle<Row>({ column: { title, align }, sortBy, sorting }: TextTitleProps<Row>) {
	const { sort, onSortChange } = sorting;
	const isAscending = sort === sortBy;
	const isSorted = isAscending || sort === `-${sortBy}`;
	return (
		<th
			scope="col"
			data-align={align}
			aria-sort={isSorted ? (isAscending ? "ascending" : "descending") : "none"}
		>
			<SortButton
				arrow={isSorted ? (isAscending ? "↑" : "↓") : undefined}
				hint={isAscending ? "Sort from Z to A" : "Sort from A to Z"}
				onClick={() => onSortChange?.(isAscending ? `-${sortBy}` : sortBy)}
			>
				{title}
			</SortButton>
		</th>
	);
}

type SortButtonProps = {
	hint: string;
	/** Points in the direction in which the list is sorted by this column. */
	arrow?: "↓" | "↑" | undefined;
	onClick: () => void;
	children: string;
};

const SortButton = ({ hint, arrow, onClick, children }: SortButtonProps) => (
	<button
		type="button"
		className="table-sort"
		data-sorted={arrow ? true : undefined}
		title={hint}
		onClick={onClick}
	>
		{children} <span aria-hidden="true">{arrow ?? "↕"}</span>
	</button>
);

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
	const { title, heading, hideTitle, align, cell } = column;
	const kind = heading ? "table-heading" : hideTitle ? "table-actions" : undefined;
	return (
		<td className={kind} data-title={heading || hideTitle ? undefined : title} data-align={align}>
			{cell(row)}
		</td>
	);
}

type SelectAllProps = Pick<Selection<never>, "areAllSelected" | "onToggleAll">;

function SelectAll({ areAllSelected, onToggleAll }: SelectAllProps) {
	return (
		<input
			type="checkbox"
			aria-label="Select all on this page"
			checked={areAllSelected === true}
			ref={(box) => {
				if (box) box.indeterminate = areAllSelected === null;
			}}
			onChange={onToggleAll}
		/>
	);
}
