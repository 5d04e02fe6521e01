import { useState } from "react";
import type { Selection } from "../../ui/Table";

type SelectionProps<Row> = {
	/** The rows of the page. Only these can be selected. */
	rows: Row[] | undefined;
	rowKey: (row: Row) => string;
	nameOf: (row: Row) => string;
};

export function useSelection<Row>({ rows = [], rowKey, nameOf }: SelectionProps<Row>) {
	const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
	const isSelected = (row: Row) => keys.has(rowKey(row));
	// Rows that are not on the page any more are not selected.
	const selected = rows.filter(isSelected);
	const areAllSelected = selected.length === 0 ? false : selected.length === rows.length || null;
	const selection: Selection<Row> = {
		isSelected,
		onToggle: (row) => {
			const others = selected.filter((other) => rowKey(other) !== rowKey(row));
			setKeys(new Set((isSelected(row) ? others : [...selected, row]).map(rowKey)));
		},
		areAllSelected,
		onToggleAll: () => setKeys(new Set(areAllSelected === true ? [] : rows.map(rowKey))),
		nameOf,
	};
	return { ...selection, selected, clear: () => setKeys(new Set()) };
}
