import { TextField } from "../../ui/fields";
import type { ListState } from "./list-state";

/** The first and the last day of a list. */
export function PeriodFilter({ state }: { state: ListState }) {
	const day = (name: "since" | "until", label: string) => (
		<TextField
			label={label}
			type="date"
			value={state.filter(name)}
			onValueChange={(value) => state.setFilter(name, value)}
		/>
	);
	return (
		<>
			{day("since", "From")}
			{day("until", "To")}
		</>
	);
}
