import { SearchBox } from "../../ui/SearchBox";
import { Select } from "../../ui/Select";
import { TextField } from "../../ui/TextField";
import type { ListState } from "../lists/list-state";
import { ACTIONS } from "./actions";

type AuditFiltersProps = { state: ListState; ofOneTenant: boolean };

const actions = [
	{ value: "", label: "Anything" },
	...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
];

export function AuditFilters({ state, ofOneTenant }: AuditFiltersProps) {
	const search = (name: string, label: string) => (
		<SearchBox
			label={label}
			labelled
			placeholder="Any"
			value={state.filter(name)}
			onSearch={(value) => state.setFilter(name, value.trim())}
		/>
	);
	const day = (name: string, label: string) => (
		<TextField
			label={label}
			type="date"
			value={state.filter(name)}
			onChange={(event) => state.setFilter(name, event.target.value)}
		/>
	);
	return (
		<div className="filters">
			<Select
				label="What was done"
				options={actions}
				value={state.filter("action")}
				onChange={(event) => state.setFilter("action", event.target.value)}
			/>
			{!ofOneTenant && search("tenant", "Tenant id")}
			{search("target", "User id or provider")}
			{search("actor", "Id of who did it")}
			{day("since", "From")}
			{day("until", "To")}
		</div>
	);
}
