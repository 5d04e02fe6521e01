import { useState } from "react";
import type { MenuItem } from "../../ui/Menu";
import type { Column } from "../../ui/Table";

/** What names a row, and the buttons of a row, are always there. */
const isFixed = ({ heading, hideTitle }: Column<never>) => heading || hideTitle;

/** The columns that the user has chosen. The browser remembers them for each list. */
export function useColumns<Row>(list: string, all: Column<Row>[]) {
	const storageKey = `console.columns.${list}`;
	const [changed, setChanged] = useState(() => readChanged(storageKey));
	const isShown = (column: Column<Row>) =>
		isFixed(column) || (changed[column.title] ?? !column.hidden);
	const toggle = (column: Column<Row>) => {
		const next = { ...changed, [column.title]: !isShown(column) };
		setChanged(next);
		try {
			localStorage.setItem(storageKey, JSON.stringify(next));
		} catch {
			// Without storage the choice lasts until the page is left.
		}
	};
	const choices = all
		.filter((column) => !isFixed(column))
		.map(
			(column): MenuItem => ({
				label: column.title,
				checked: Boolean(isShown(column)),
				onSelect: () => toggle(column),
			}),
		);
	return { columns: all.filter(isShown), choices };
}

/** What is not a choice is ignored: the storage can have anything, also what an older console has written. */
function readChanged(storageKey: string): Record<string, boolean> {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
		const isChoice = (entry: [string, unknown]): entry is [string, boolean] =>
			typeof entry[1] === "boolean";
		return Object.fromEntries(Object.entries(Object(stored)).filter(isChoice));
	} catch {
		return {};
	}
}
