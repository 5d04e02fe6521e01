import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { Badge } from "../../ui/Badge";
import { Card } from "../../ui/Card";
import { EmptyState } from "../../ui/EmptyState";
import { ErrorState } from "../../ui/ErrorState";
import { Skeleton } from "../../ui/Skeleton";
import { Table } from "../../ui/Table";
import { getUser } from "../api/users";
import { formatMoment } from "../format/moment";
import { BackLink } from "../layout/BackLink";
import { Facts } from "../lists/Facts";
import { useTenant } from "../tenant/current-tenant";
import { AccountList } from "./AccountList";
import { sessionColumns } from "./session-columns";
import { UserActions } from "./UserActions";
import { userKey } from "./user-key";

export function UserPage() {
	const tenant = useTenant();
	const { userId = "" } = useParams();
	const { data, error, refetch } = useQuery({
		queryKey: userKey(tenant.id, userId),
		queryFn: () => getUser(tenant.id, userId),
	});
	const back = <BackLink to={`/tenants/${tenant.id}/users`}>Users of {tenant.name}</BackLink>;
	if (!data) {
		return (
			<div className="stack">
				{back}
				{error ? (
					<ErrorState title="This user cannot be shown" error={error} onRetry={refetch} />
				) : (
					<div aria-busy="true">
						<Skeleton kind="block" />
					</div>
				)}
			</div>
		);
	}
	const { user, accounts, sessions } = data;
	return (
		<div className="stack">
			<title>{`${user.email} · ${tenant.name} · Console`}</title>
			{back}
			<Card title={user.name || user.email}>
				<Facts
					facts={[
						{
							title: "E-mail address",
							value: (
								<>
									{user.email}{" "}
									{user.emailVerified ? (
										<Badge kind="success">Verified</Badge>
									) : (
										<Badge>Not verified</Badge>
									)}
								</>
							),
							copy: user.email,
						},
						{ title: "User id", value: <code>{user.id}</code>, copy: user.id },
						{ title: "Since", value: formatMoment(user.createdAt) },
					]}
				/>
			</Card>
			<Card title="Ways to sign in">
				<AccountList accounts={accounts} />
			</Card>
			<section className="stack" aria-labelledby="sessions-of-user">
				<h2 id="sessions-of-user">Sessions</h2>
				<Table
					caption={`Sessions of ${user.email}`}
					columns={sessionColumns(tenant.id)}
					rows={sessions}
					rowKey={({ id }) => id}
					empty={
						<div className="card">
							<EmptyState title="Not signed in anywhere" />
						</div>
					}
				/>
			</section>
			<UserActions tenantId={tenant.id} user={user} hasSessions={sessions.length > 0} />
		</div>
	);
}
