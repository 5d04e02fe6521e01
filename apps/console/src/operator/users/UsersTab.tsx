import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Badge, EmptyState } from "../../ui/feedback";
import type { Column } from "../../ui/lists";
import { type User, usersQuery } from "../api/users";
import { Time } from "../details";
import { ListSearch, ListTable, NoMatches, useListState } from "../lists";
import { useTenant } from "../tenants/TenantPage";
import { useTenantUrls } from "../tenants/tenant-urls";

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
	{ title: "Email", cell: ({ email }) => <span className="break">{email}</span> },
	{
		title: "Status",
		cell: ({ emailVerified }) => <EmailStatus isVerified={emailVerified} />,
	},
	{ title: "Created", cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly /> },
];

export function EmailStatus({ isVerified }: { isVerified: boolean }) {
	return isVerified ? <Badge kind="success">Verified</Badge> : <Badge>Not verified</Badge>;
}

export function UsersTab() {
	const tenant = useTenant();
	const state = useListState();
	const urls = useTenantUrls(tenant.slug);
	const query = useQuery(usersQuery(tenant.id, state.pageParams));
	const totalQuery = useQuery(usersQuery(tenant.id, state.totalParams));
	return (
		<div className="stack">
			<h2 className="visually-hidden">Users</h2>
			<ListSearch label="Search by name or email" state={state} />
			<ListTable
				what="users"
				caption={`Users of ${tenant.name}`}
				query={query}
				totalQuery={totalQuery}
				state={state}
				columns={COLUMNS}
				rowKey={({ id }) => id}
				empty={
					state.search ? (
						<NoMatches what="users" state={state} />
					) : (
						<EmptyState
							title="No users yet"
							action={
								urls && (
									<a href={urls.signIn} target="_blank" rel="noreferrer">
										Open the sign-in page
									</a>
								)
							}
						>
							Users appear here after they sign up or sign in with a provider.
						</EmptyState>
					)
				}
			/>
		</div>
	);
}
