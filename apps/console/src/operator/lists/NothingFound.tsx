import { Button } from "../../ui/Button";
import { EmptyState } from "../../ui/EmptyState";
import type { ListState } from "./list-state";

type NothingFoundProps = { what: string; state: ListState };

export function NothingFound({ what, state }: NothingFoundProps) {
	return (
		<EmptyState
			title={`No ${what} match “${state.search}”`}
			action={<Button onClick={() => state.setSearch("")}>Clear the search</Button>}
		/>
	);
}
