import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { formatTime } from "../../format";
import { providerOf } from "../../providers";
import { Button } from "../../ui/Button";
import { EmptyState, ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { Logo, ProviderIcon } from "../../ui/logos";
import { Table } from "../../ui/Table";
import { useApi } from "../api/context";
import type { Account, User } from "../api/users";
import {
	useMayInTenant,
	useReaches,
	useTenant,
	useTenantHome,
} from "../current-tenant/tenant-context";
import { DetailList, Email } from "../details";
import { BackLink } from "../layout";
import { titleOf } from "../product";
import { EditUserDialog } from "./EditUserDialog";
import { GrantsCard } from "./GrantsCard";
import { LastSignIn } from "./LastSignIn";
import { MetadataCard } from "./MetadataCard";
import { PasskeyItem } from "./PasskeyItem";
import { describeRole, roleOf } from "./roles";
import { sessionColumns } from "./SessionsTab";
import { TimelineCard } from "./TimelineCard";
import { UserActions } from "./UserActions";
import { UserBadges } from "./UsersTab";

export function UserPage() {
	const { userQuery } = useApi();
	const tenant = useTenant();
	const home = useTenantHome();
	const { userId = "" } = useParams();
	const [isEditing, setEditing] = useState(false);
	const may = useMayInTenant();
	const reaches = useReaches();
	const { data, error, refetch } = useQuery(userQuery(tenant.id, userId));
	const back = <BackLink to={`${home}/users`}>Users of {tenant.name}</BackLink>;
	if (!data) {
		return (
			<div className="stack">
				<title>{titleOf("User", tenant.name)}</title>
				{back}
				<h1 className="visually-hidden">User</h1>
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
	const { accounts, passkeys, sessions } = data;
	const user: User = data.user;
	const isReached = reaches(roleOf(user));
	return (
		<div className="stack">
			<title>{titleOf(user.email, tenant.name)}</title>
			{back}
			<div className="user-head">
				<Logo name={user.name || user.email} />
				<div className="grow">
					<h1 className="break">{user.name || user.email}</h1>
					<UserBadges user={user} />
				</div>
				{may("user:update") && isReached && <Button onClick={() => setEditing(true)}>Edit</Button>}
			</div>
			<Card>
				<DetailList
					details={[
						{ title: "Email", value: <Email>{user.email}</Email>, copy: user.email },
						{ title: "Role", value: describeRole(roleOf(user)) },
						...(user.disabledAt ? [{ title: "Disabled", value: formatTime(user.disabledAt) }] : []),
						{ title: "User ID", value: <code>{user.id}</code>, copy: user.id },
						{ title: "Created", value: formatTime(user.createdAt) },
						...(may("sign-in:list")
							? [
									{
										title: "Last sign-in",
										value: <LastSignIn tenantId={tenant.id} userId={user.id} />,
									},
								]
							: []),
					]}
				/>
			</Card>
			<Card title="Sign-in methods">
				{accounts.length + passkeys.length === 0 ? (
					<EmptyState title="No sign-in methods" />
				) : (
					<ul className="items">
						{accounts.map((account) => (
							<AccountItem key={account.id} account={account} />
						))}
						{passkeys.map((passkey) => (
							<PasskeyItem
								key={passkey.id}
								tenantId={tenant.id}
								user={user}
								passkey={passkey}
								canRemove={may("user:remove-passkeys") && isReached}
							/>
						))}
					</ul>
				)}
				{user.twoFactorEnabled && (
					<p className="muted small">A password also needs a code from an authenticator app.</p>
				)}
			</Card>
			{may("grant:list") && (
				<GrantsCard tenantId={tenant.id} user={user} canRevoke={may("grant:revoke") && isReached} />
			)}
			{may("user-metadata:get") && (
				<MetadataCard
					tenantId={tenant.id}
					user={user}
					canChange={may("user-metadata:update") && isReached}
				/>
			)}
			<section className="stack" aria-labelledby="sessions-of-user">
				<h2 id="sessions-of-user">Sessions</h2>
				<Table
					caption={`Sessions of ${user.email}`}
					columns={sessionColumns(tenant.id, {
						withUser: false,
						canRevoke: () => may("session:revoke") && isReached,
					}).filter(({ hidden }) => !hidden)}
					rows={sessions}
					rowKey={({ id }) => id}
					empty={
						<div className="card">
							<EmptyState title="No active sessions" />
						</div>
					}
				/>
			</section>
			{(may("sign-in:list") || may("audit:list")) && (
				<TimelineCard tenantId={tenant.id} userId={user.id} />
			)}
			<EditUserDialog
				tenantId={tenant.id}
				user={user}
				open={isEditing}
				onClose={() => setEditing(false)}
			/>
			{isReached && (
				<UserActions tenantId={tenant.id} user={user} hasSessions={sessions.length > 0} />
			)}
		</div>
	);
}

function AccountItem({ account: { providerId, accountId, createdAt } }: { account: Account }) {
	return (
		<li>
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
	);
}
