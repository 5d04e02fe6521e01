import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Badge } from "../../ui/Badge";
import { EmptyState } from "../../ui/EmptyState";
import type { Column } from "../../ui/Table";
import { listUsers, type User } from "../api/users";
import { Time } from "../format/Time";
import { ListTable } from "../lists/ListTable";
import { useListState } from "../lists/list-state";
import { NothingFound } from "../lists/NothingFound";
import { Toolbar } from "../lists/Toolbar";
import { useTenant } from "../tenant/current-tenant";
import { useTenantAddresses } from "../tenant/tenant-addresses";

const COLUMNS: Column<User>[] = [
	{
		title: "Name",
		heading: true,
		cell: ({ id, name, email }) => (
			<Link to={id} className="break">
				{name || email}
			</Link>
		),
	},
	{ title: "E-mail", cell: ({ email }) => <span className="break">{email}</span> },
	{
		title: "State",
		cell: ({ emailVerified }) =>
			emailVerified ? <Badge kind="success">Verified</Badge> : <Badge>Not verified</Badge>,
	},
	{ title: "Since", cell: ({ createdAt }) => <Time moment={createdAt} withHour={false} /> },
];

export function UsersTab() {
	const tenant = useTenant();
	const state = useListState();
	const addresses = useTenantAddresses(tenant.slug);
	const query = useQuery({
		queryKey: ["users", tenant.id, state.window],
		queryFn: () => listUsers(tenant.id, state.window),
		placeholderData: keepPreviousData,
	});
	return (
		<div className="stack">
			<h2 className="visually-hidden">Users</h2>
			<Toolbar label="Search by name or address" state={state} />
			<ListTable
				what="users"
				caption={`Users of ${tenant.name}`}
				query={query}
				state={state}
				columns={COLUMNS}
				rowKey={({ id }) => id}
				empty={
					state.search ? (
						<NothingFound what="users" state={state} />
					) : (
						<EmptyState
							title="Nobody has signed up yet"
							action={
								addresses && (
									<a href={addresses.signIn} target="_blank" rel="noreferrer">
										Open the sign-in page
									</a>
								)
							}
						>
							Users appear here once they sign up or sign in with a provider.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}
