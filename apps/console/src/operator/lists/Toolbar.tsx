import { SearchBox } from "../../ui/SearchBox";
import type { ListState } from "./list-state";

type ToolbarProps = { label: string; state: ListState };

/** The search above a list. */
export function Toolbar({ label, state }: ToolbarProps) {
	return (
		<div className="row">
			<SearchBox label={label} value={state.search} onSearch={state.setSearch} />
		</div>
	);
}
