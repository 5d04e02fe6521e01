import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";
import { listSessions } from "../api/users";
import { ListTable } from "../lists/ListTable";
import { useListState } from "../lists/list-state";
import { NothingFound } from "../lists/NothingFound";
import { Toolbar } from "../lists/Toolbar";
import { useTenant } from "../tenant/current-tenant";
import { sessionColumns } from "./session-columns";

export function SessionsTab() {
	const tenant = useTenant();
	const state = useListState();
	const query = useQuery({
		queryKey: ["sessions", tenant.id, state.window],
		queryFn: () => listSessions(tenant.id, state.window),
		placeholderData: keepPreviousData,
	});
	const columns = sessionColumns(tenant.id, {
		title: "User",
		heading: true,
		cell: ({ user }) => (
			<Link to={`/tenants/${tenant.id}/users/${user.id}`} className="break">
				{user.email}
			</Link>
		),
	});
	return (
		<div className="stack">
			<h2 className="visually-hidden">Sessions</h2>
			<Toolbar label="Search by user's name or address" state={state} />
			<ListTable
				what="sessions"
				caption={`Sessions of ${tenant.name}`}
				query={query}
				state={state}
				columns={columns}
				rowKey={({ id }) => id}
				empty={
					state.search ? (
						<NothingFound what="sessions" state={state} />
					) : (
						<EmptyState title="Nobody is signed in">
							Sessions that have not expired are listed here.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}
