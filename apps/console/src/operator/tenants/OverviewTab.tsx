import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatTime } from "../../format";
import { Badge, ErrorState, Skeleton } from "../../ui/feedback";
import { Card, PageHeader } from "../../ui/layout";
import { useApi } from "../api/context";
import { RecentEvents } from "../audit/RecentEvents";
import { TenantLogo } from "../current-tenant/TenantLogo";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { type TenantUrls, useTenantUrls } from "../current-tenant/tenant-urls";
import { type Detail, DetailList, Url } from "../details";
import { Figure } from "../overview/charts";
import { NextSteps } from "./NextSteps";
import { SignInActivity } from "./SignInActivity";

const LOADING_URLS: Detail[] = [{ title: "Sign-in page", value: <Skeleton /> }];

const detailsOf = ({ signIn, issuer }: TenantUrls): Detail[] => {
	const discovery = `${issuer}/.well-known/openid-configuration`;
	return [
		{
			title: "Sign-in page",
			value: (
				<a href={signIn} target="_blank" rel="noreferrer">
					{signIn}
				</a>
			),
			copy: signIn,
		},
		{ title: "Issuer", value: <Url>{issuer}</Url>, copy: issuer },
		{ title: "Discovery", value: <Url>{discovery}</Url>, copy: discovery },
	];
};

/** Only the total is needed. */
const ONE_ITEM = { limit: 1, offset: 0 };

export function OverviewTab() {
	const tenant = useTenant();
	const { id, name, slug, createdAt, updatedAt, suspendedAt } = tenant;
	const { usersQuery, sessionsQuery, effectiveProvidersQuery } = useApi();
	const urls = useTenantUrls(slug);
	const may = useMayInTenant();
	const users = useQuery({ ...usersQuery(id, ONE_ITEM), enabled: may("user:list") });
	const sessions = useQuery({ ...sessionsQuery(id, ONE_ITEM), enabled: may("session:list") });
	const providers = useQuery({
		...effectiveProvidersQuery(id),
		enabled: may("oauth-config:effective"),
	});
	const failed = [users, sessions, providers].filter(({ data, error }) => error && !data);
	const [first] = failed;
	return (
		<div className="stack">
			<div className="tenant-head">
				<TenantLogo tenant={tenant} />
				<PageHeader
					title={name}
					focus={false}
					hint={
						<>
							<code>{slug}</code> {suspendedAt && <Badge kind="warning">Suspended</Badge>}
						</>
					}
				/>
			</div>
			{users.data && <NextSteps users={users.data.total} />}
			<div className="figures">
				{may("user:list") && (
					<Figure title="Users" query={users} count={({ total }) => total} to="users" />
				)}
				{may("session:list") && (
					<Figure title="Sessions" query={sessions} count={({ total }) => total} to="sessions" />
				)}
				{may("oauth-config:effective") && (
					<Figure
						title="Enabled providers"
						query={providers}
						count={(all) => all.filter(({ source }) => source !== "none").length}
						to="providers"
					/>
				)}
			</div>
			{first?.error && (
				<ErrorState
					error={first.error}
					onRetry={() => {
						for (const { refetch } of failed) void refetch();
					}}
				/>
			)}
			{may("sign-in:list") && <SignInActivity tenantId={id} />}
			{may("audit:list") && <RecentEvents filters={{ tenantId: id }} all="audit" />}
			<Card title="URLs" hint="Users sign in at the first one. Apps are set up with the others.">
				<DetailList details={urls ? detailsOf(urls) : LOADING_URLS} />
			</Card>
			{may("tenant:get") && (
				<Card
					title="Details"
					actions={
						may("tenant:update") && (
							<Link to="settings" className="button button-secondary button-small">
								Edit
							</Link>
						)
					}
				>
					<DetailList
						details={[
							{ title: "Tenant ID", value: <code>{id}</code>, copy: id },
							{ title: "Slug", value: <code>{slug}</code>, copy: slug },
							{ title: "Created", value: formatTime(createdAt) },
							{ title: "Updated", value: formatTime(updatedAt) },
						]}
					/>
				</Card>
			)}
		</div>
	);
}
