import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatTime } from "../../format";
import { Button } from "../../ui/Button";
import { Confirm } from "../../ui/Dialog";
import { EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import type { Grant } from "../api/grants";
import { type User, userKey } from "../api/users";

type GrantsCardProps = { tenantId: string; user: User; canRevoke: boolean };

/** The applications that have access to a user. */
export function GrantsCard({ tenantId, user, canRevoke }: GrantsCardProps) {
	const { grantsQuery } = useApi();
	const { data, error, refetch } = useQuery(grantsQuery(tenantId, user.id));
	return (
		<Card
			title="Applications with access"
			hint="The user signed in to these applications, or allowed them to use their data."
		>
			{error && <ErrorState error={error} onRetry={refetch} />}
			{!data && !error && (
				<div aria-busy="true">
					<Skeleton kind="control" />
				</div>
			)}
			{data?.length === 0 && <EmptyState title="No applications have access" />}
			<ul className="items">
				{data?.map((grant) => (
					<GrantItem
						key={grant.clientId}
						tenantId={tenantId}
						user={user}
						grant={grant}
						canRevoke={canRevoke}
					/>
				))}
			</ul>
		</Card>
	);
}

type GrantItemProps = GrantsCardProps & { grant: Grant };

function GrantItem({ tenantId, user, grant, canRevoke }: GrantItemProps) {
	const { revokeGrant } = useApi();
	const { clientId, name, scopes, usedAt, hasTokens } = grant;
	const [isOpen, setOpen] = useState(false);
	const revoke = useApiMutation({
		mutationFn: () => revokeGrant(tenantId, user.id, clientId),
		successMessage: "Access removed.",
		invalidate: [userKey(tenantId, user.id)],
		onSuccess: () => setOpen(false),
	});
	return (
		<li>
			<span>
				<strong>{name}</strong>
				<span className="muted small break subtext">
					{scopes.join(" ")}
					{hasTokens ? "" : " · consent only, without tokens"}
				</span>
			</span>
			<span className="row">
				<span className="muted small">last used {formatTime(usedAt)}</span>
				{canRevoke && (
					<Button
						size="small"
						aria-label={`Remove the access of ${name}`}
						onClick={() => setOpen(true)}
					>
						Remove access
					</Button>
				)}
			</span>
			<Confirm
				title={`Remove the access of ${name}?`}
				action="Remove access now"
				open={isOpen}
				mutation={revoke}
				onClose={() => setOpen(false)}
			>
				<p>
					All tokens that {name} has for {user.email} end. The application has to ask the user
					again.
				</p>
			</Confirm>
		</li>
	);
}
