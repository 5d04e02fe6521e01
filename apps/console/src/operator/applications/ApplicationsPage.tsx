import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { Badge, EmptyState } from "../../ui/feedback";
import { PageHeader } from "../../ui/layout";
import type { Column } from "../../ui/Table";
import type { Application } from "../api/applications";
import { useApi } from "../api/context";
import { Id, Time } from "../details";
import { LoadedTable } from "../lists/Loaded";
import { type ApplicationOwner, useApplicationOwner } from "./application-owner";
import { TYPES } from "./application-types";

export function ApplicationsPage() {
	const { applicationsQuery } = useApi();
	const { tenantId, titleOf, home, may } = useApplicationOwner();
	const query = useQuery(applicationsQuery(tenantId));
	const create = may("application:create") && (
		<Link to={`${home}/new`} className="button button-primary">
			New application
		</Link>
	);
	return (
		<div className="stack">
			<title>{titleOf("Applications")}</title>
			<PageHeader
				title="Applications"
				focus={false}
				hint={
					tenantId === null
						? "Your own apps. Each works for all tenants, also for those that are created later."
						: "Apps in which users of this tenant sign in, and programs that call your APIs."
				}
				actions={query.data && query.data.length > 0 && create}
			/>
			<LoadedTable
				caption="Applications"
				columns={columnsOf({ tenantId, home })}
				query={query}
				rowKey={({ clientId }) => clientId}
				empty={
					<EmptyState title="No applications yet" action={create}>
						Register an app, and copy the code that signs users in.
					</EmptyState>
				}
			/>
		</div>
	);
}

const columnsOf = ({
	tenantId,
	home,
}: Pick<ApplicationOwner, "tenantId" | "home">): Column<Application>[] => [
	{
		title: "Application",
		heading: true,
		cell: ({ clientId, name, disabled, firstParty, tenantId: owner }) => (
			<span className="badges">
				<Link to={`${home}/${clientId}`} className="break">
					{name}
				</Link>
				{owner === null && tenantId !== null && <Badge kind="info">All tenants</Badge>}
				{disabled && <Badge kind="warning">Disabled</Badge>}
				{firstParty && <Badge>First party</Badge>}
			</span>
		),
	},
	{ title: "Type", cell: ({ type }) => TYPES[type].title },
	{ title: "Client ID", cell: ({ clientId }) => <Id>{clientId}</Id> },
	{ title: "Created", cell: ({ createdAt }) => <Time timestamp={createdAt} dateOnly /> },
];
