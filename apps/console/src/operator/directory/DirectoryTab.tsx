import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/Button";
import { Badge, EmptyState } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import type { Column } from "../../ui/Table";
import { useApi } from "../api/context";
import { type DirectoryToken, directoryKey } from "../api/directory";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { DetailList, Expiry, Time, Url } from "../details";
import { LoadedTable } from "../lists/Loaded";
import { RevokeButton } from "../RevokeButton";
import { describeRole } from "../users/roles";
import { GroupRolesCard } from "./GroupRolesCard";
import { NewTokenDialog } from "./NewTokenDialog";

/** The directory that creates, changes and disables the tenant's users. */
export function DirectoryTab() {
	const { serviceInfoQuery } = useApi();
	const { data: info } = useQuery(serviceInfoQuery);
	return (
		<div className="stack">
			{info?.scim === false ? (
				<>
					<TenantPageHeader title="Directory" />
					<EmptyState title="Not available in this service">
						The setting <code>SCIM</code> switches it on.
					</EmptyState>
				</>
			) : (
				<Connection />
			)}
		</div>
	);
}

function Connection() {
	const tenant = useTenant();
	const may = useMayInTenant();
	const { directoryQuery, revokeDirectoryToken } = useApi();
	const query = useQuery(directoryQuery(tenant.id));
	const tokens = useQuery({ ...directoryQuery(tenant.id), select: (data) => data.tokens });
	const [isOpen, setOpen] = useState(false);
	const columns: Column<DirectoryToken>[] = [
		{
			title: "Token",
			heading: true,
			cell: ({ name, createdBy }) => (
				<span>
					{name}
					<span className="muted small subtext">made by {createdBy ?? "an operator"}</span>
				</span>
			),
		},
		{ title: "Acts with the role", cell: ({ role }) => <Badge>{describeRole(role)}</Badge> },
		{ title: "Expires", cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> },
		{
			title: "Last used",
			cell: ({ lastUsedAt }) =>
				lastUsedAt ? <Time timestamp={lastUsedAt} /> : <span className="muted">Never</span>,
		},
		...(may("scim:revoke-token")
			? [
					{
						title: "Actions",
						hideTitle: true,
						align: "end",
						cell: ({ id, name }) => (
							<RevokeButton
								what="token"
								name={name}
								revoke={() => revokeDirectoryToken(tenant.id, id)}
								queryKey={directoryKey(tenant.id)}
							>
								The directory that uses it is refused at once. Its users stay, and nobody disables
								them any more when they leave.
							</RevokeButton>
						),
					} satisfies Column<DirectoryToken>,
				]
			: []),
	];
	const { data } = query;
	return (
		<>
			<TenantPageHeader
				title="Directory"
				hint="Okta, Entra ID or another directory creates, changes and disables the users of this tenant with SCIM 2.0. Enter the URL and a token there."
				actions={
					may("scim:create-token") && (
						<Button kind="primary" onClick={() => setOpen(true)}>
							New token
						</Button>
					)
				}
			/>
			{data && (
				<Card title="Connection">
					<DetailList
						details={[
							{ title: "SCIM URL", value: <Url>{data.url}</Url>, copy: data.url },
							{ title: "Users from it", value: String(data.users) },
							{ title: "Groups from it", value: String(data.groups) },
						]}
					/>
				</Card>
			)}
			<LoadedTable
				caption="Tokens"
				columns={columns}
				query={tokens}
				rowKey={({ id }) => id}
				empty={
					<EmptyState title="No tokens yet">
						Create a token, and copy it to the directory. Without one, no directory gets in.
					</EmptyState>
				}
			/>
			{data && <GroupRolesCard directory={data} />}
			<NewTokenDialog open={isOpen} onClose={() => setOpen(false)} />
		</>
	);
}
