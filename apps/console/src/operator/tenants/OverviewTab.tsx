import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatTime } from "../../format";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { useTenantUrls } from "../current-tenant/tenant-urls";
import { DetailList } from "../details";
import { Figure } from "../overview/charts";

/** Only the total is needed. */
const ONE_ITEM = { limit: 1, offset: 0 };

export function OverviewTab() {
	const { id, slug, createdAt, updatedAt } = useTenant();
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
			<Card title="Sign-in page" hint="Where users of this tenant sign up and sign in.">
				<DetailList
					details={[
						{
							title: "URL",
							value: urls ? (
								<a href={urls.signIn} target="_blank" rel="noreferrer">
									{urls.signIn}
								</a>
							) : (
								<Skeleton />
							),
							...(urls ? { copy: urls.signIn } : {}),
						},
					]}
				/>
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
