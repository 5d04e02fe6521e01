import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Outlet, useLocation, useOutletContext, useParams } from "react-router";
import { Badge, ErrorState, Notice, Skeleton } from "../../ui/feedback";
import { PageHeader, Tabs } from "../../ui/layout";
import { type Tenant, tenantQuery } from "../api/tenants";
import { formatTime } from "../details";
import { BackLink } from "../layout";
import { TenantLogo } from "./TenantLogo";

/** The tenant of the page, for the tabs below `TenantPage`. */
export const useTenant = () => useOutletContext<Tenant>();

export function TenantPage() {
	const { tenantId = "" } = useParams();
	const { data: tenant, error, refetch } = useQuery(tenantQuery(tenantId));
	useScrollToCurrentTab(tenant !== undefined);
	const back = <BackLink to="/tenants">Tenants</BackLink>;
	if (!tenant) {
		return (
			<div className="stack">
				<title>Tenant · Console</title>
				{back}
				{error ? (
					<>
						<h1 className="visually-hidden">Tenant</h1>
						<ErrorState title="Could not load this tenant" error={error} onRetry={refetch} />
					</>
				) : (
					<div className="stack" aria-busy="true">
						<Skeleton kind="title" />
						<Skeleton kind="block" />
					</div>
				)}
			</div>
		);
	}
	const home = `/tenants/${tenant.id}`;
	return (
		<div className="stack">
			<title>{`${tenant.name} · Console`}</title>
			{back}
			<div className="tenant-head">
				<TenantLogo tenant={tenant} />
				<PageHeader
					title={tenant.name}
					focus={false}
					hint={
						<>
							<code>{tenant.slug}</code>{" "}
							{tenant.suspendedAt && <Badge kind="warning">Suspended</Badge>}
						</>
					}
				/>
			</div>
			{tenant.suspendedAt && (
				<Notice kind="warning">
					Suspended since {formatTime(tenant.suspendedAt)}. Users cannot sign in, and their sessions
					are rejected. No data is deleted.
				</Notice>
			)}
			<Tabs
				label="Tenant"
				tabs={[
					{ to: home, title: "Overview", end: true },
					{ to: `${home}/providers`, title: "Providers" },
					{ to: `${home}/users`, title: "Users" },
					{ to: `${home}/sessions`, title: "Sessions" },
					{ to: `${home}/audit`, title: "Audit log" },
					{ to: `${home}/settings`, title: "Settings" },
				]}
			/>
			<Outlet context={tenant} key={tenant.id} />
		</div>
	);
}

/** On a phone the tabs are wider than the screen. */
function useScrollToCurrentTab(hasTabs: boolean): void {
	const { pathname } = useLocation();
	useEffect(() => {
		const tab = hasTabs && document.querySelector(`.tab[aria-current="page"]`);
		if (tab && pathname) tab.scrollIntoView({ block: "nearest", inline: "center" });
	}, [pathname, hasTabs]);
}
