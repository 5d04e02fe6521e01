import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../ui/Button";
import { Badge, EmptyState } from "../../ui/feedback";
import type { Column } from "../../ui/Table";
import {
	type OperatorAccount,
	operatorsQuery,
	type PasswordLink,
	ROLE_LABELS,
} from "../api/operators";
import { Time } from "../details";
import { LoadedTable } from "../lists/Loaded";
import { ServicePageHeader } from "../ServicePageHeader";
import { useMay } from "../session/operator";
import { InviteDialog } from "./InviteDialog";
import { LinkDialog } from "./LinkDialog";
import { OperatorActions } from "./OperatorActions";

export function OperatorsPage() {
	const may = useMay();
	const [isInviting, setInviting] = useState(false);
	const [link, setLink] = useState<PasswordLink>();
	const columns: Column<OperatorAccount>[] = [
		{ title: "Operator", heading: true, cell: (operator) => <Who operator={operator} /> },
		{ title: "Role", cell: ({ role }) => <Badge>{ROLE_LABELS[role]}</Badge> },
		{ title: "Second factor", cell: ({ secondFactor }) => (secondFactor ? "Set up" : "Not yet") },
		{
			title: "Last used",
			cell: ({ lastUsedAt }) =>
				lastUsedAt ? <Time timestamp={lastUsedAt} /> : <span className="muted">Never</span>,
		},
		...(may("operator:update")
			? [
					{
						title: "Actions",
						hideTitle: true,
						align: "end",
						cell: (operator) => <OperatorActions operator={operator} onLink={setLink} />,
					} satisfies Column<OperatorAccount>,
				]
			: []),
	];
	return (
		<div className="stack">
			<ServicePageHeader
				title="Operators"
				hint="The people who may use this console. Each signs in with a password and a second factor."
				actions={
					may("operator:create") && (
						<Button kind="primary" onClick={() => setInviting(true)}>
							Invite operator
						</Button>
					)
				}
			/>
			<LoadedTable
				caption="Operators"
				columns={columns}
				query={useQuery(operatorsQuery)}
				rowKey={({ id }) => id}
				empty={
					<EmptyState title="No operators yet">
						You use a management key. Invite yourself as an owner, so that the audit log has your
						name.
					</EmptyState>
				}
			/>
			<InviteDialog
				open={isInviting}
				onClose={() => setInviting(false)}
				onInvited={(invited) => {
					setInviting(false);
					setLink(invited);
				}}
			/>
			<LinkDialog link={link} onClose={() => setLink(undefined)} />
		</div>
	);
}

function Who({ operator: { name, email, pending, fromSettings } }: { operator: OperatorAccount }) {
	return (
		<span>
			{name} {pending && <Badge kind="info">Invited</Badge>}
			{fromSettings && <Badge>ADMIN_USER_IDS</Badge>}
			<span className="muted small subtext break">{email}</span>
		</span>
	);
}
