import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Badge, EmptyState, ErrorState } from "../../ui/feedback";
import { SearchBox } from "../../ui/lists";
import { type Column, Table } from "../../ui/Table";
import { useApi } from "../api/context";
import { type FoundUser, MIN_USER_SEARCH_LENGTH } from "../api/service";
import { Email } from "../details";
import { NoMatches, SearchLimited } from "../lists/DataList";
import { useListState } from "../lists/list-state";
import { ServicePageHeader } from "../ServicePageHeader";

const COLUMNS: Column<FoundUser>[] = [
	{
		title: "Name",
		heading: true,
		cell: ({ id, name, email, tenant }) =>
			tenant ? (
				<Link to={`/tenants/${tenant.id}/users/${id}`} className="break">
					{name || email}
				</Link>
			) : (
				<span className="break">{name || email}</span>
			),
	},
	{ title: "Email", cell: ({ email }) => <Email>{email}</Email> },
	{
		title: "Tenant",
		cell: ({ tenant }) =>
			tenant ? (
				<Link to={`/tenants/${tenant.id}`} className="break">
					{tenant.name}
				</Link>
			) : (
				<Badge>Platform</Badge>
			),
	},
];

/** Users of all tenants, by name or email. */
export function FindUserPage() {
	const { userSearchQuery } = useApi();
	const state = useListState();
	const search = state.search;
	const { data, error, refetch } = useQuery(userSearchQuery(search));
	const isShort = search.length < MIN_USER_SEARCH_LENGTH;
	return (
		<div className="stack">
			<ServicePageHeader
				title="Find a user"
				hint="Searches the users of all tenants. It shows up to 20."
			/>
			<div className="row">
				<SearchBox label="Search by name or email" value={search} onSearch={state.setSearch} />
			</div>
			{isShort && (
				<EmptyState title="Who are you looking for?">
					Enter at least {MIN_USER_SEARCH_LENGTH} letters of the name or email.
				</EmptyState>
			)}
			{!isShort && data?.searchLimited && <SearchLimited what="users" />}
			{!isShort && error && <ErrorState error={error} onRetry={refetch} />}
			{!isShort && !error && (
				<Table
					caption="Users found"
					columns={COLUMNS}
					rows={data?.items}
					rowKey={({ id }) => id}
					empty={<NoMatches what="users" state={state} />}
				/>
			)}
		</div>
	);
}
