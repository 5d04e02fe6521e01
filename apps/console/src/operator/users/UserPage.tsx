import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { providerOf } from "../../providers";
import { EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { Table } from "../../ui/lists";
import { ProviderIcon } from "../../ui/logos";
import { type Account, userQuery } from "../api/users";
import { DetailList, formatTime } from "../details";
import { BackLink } from "../layout";
import { useTenant } from "../tenants/TenantPage";
import { sessionColumns } from "./SessionsTab";
import { UserActions } from "./UserActions";
import { EmailStatus } from "./UsersTab";

export function UserPage() {
	const tenant = useTenant();
	const { userId = "" } = useParams();
	const { data, error, refetch } = useQuery(userQuery(tenant.id, userId));
	const back = <BackLink to={`/tenants/${tenant.id}/users`}>Users of {tenant.name}</BackLink>;
	if (!data) {
		return (
			<div className="stack">
				{back}
				{error ? (
					<ErrorState title="Could not load this user" error={error} onRetry={refetch} />
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
				<DetailList
					details={[
						{
							title: "Email",
							value: (
								<>
									{user.email} <EmailStatus isVerified={user.emailVerified} />
								</>
							),
							copy: user.email,
						},
						{ title: "User ID", value: <code>{user.id}</code>, copy: user.id },
						{ title: "Created", value: formatTime(user.createdAt) },
					]}
				/>
			</Card>
			<Card title="Sign-in methods">
				<AccountList accounts={accounts} />
			</Card>
			<section className="stack" aria-labelledby="sessions-of-user">
				<h2 id="sessions-of-user">Sessions</h2>
				<Table
					caption={`Sessions of ${user.email}`}
					columns={sessionColumns(tenant.id, { withUser: false })}
					rows={sessions}
					rowKey={({ id }) => id}
					empty={
						<div className="card">
							<EmptyState title="No active sessions" />
						</div>
					}
				/>
			</section>
			<UserActions tenantId={tenant.id} user={user} hasSessions={sessions.length > 0} />
		</div>
	);
}

function AccountList({ accounts }: { accounts: Account[] }) {
	if (accounts.length === 0) return <EmptyState title="No sign-in methods" />;
	return (
		<ul className="items">
			{accounts.map(({ id, providerId, accountId, createdAt }) => (
				<li key={id}>
					{providerId === "credential" ? (
						<strong>Password</strong>
					) : (
						<span className="with-logo">
							<ProviderIcon providerId={providerId} />
							<span>
								<strong>{providerOf(providerId).name}</strong>
								<span className="muted small break subtext">Account {accountId}</span>
							</span>
						</span>
					)}
					<span className="muted small">added {formatTime(createdAt)}</span>
				</li>
			))}
		</ul>
	);
}
