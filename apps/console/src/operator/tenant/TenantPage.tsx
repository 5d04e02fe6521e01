import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Outlet, useLocation, useParams } from "react-router";
import { Badge } from "../../ui/Badge";
import { ErrorState } from "../../ui/ErrorState";
import { Notice } from "../../ui/Notice";
import { PageHeader } from "../../ui/PageHeader";
import { Skeleton } from "../../ui/Skeleton";
import { Tabs } from "../../ui/Tabs";
import { getTenant } from "../api/tenants";
import { formatMoment } from "../format/moment";
import { BackLink } from "../layout/BackLink";
import { TenantLogo } from "../tenants/TenantLogo";
import { tenantKey } from "./current-tenant";

/** What all pages of one tenant have in common. */
export function TenantPage() {
	const { tenantId = "" } = useParams();
	const {
		data: tenant,
		error,
		refetch,
	} = useQuery({
		queryKey: tenantKey(tenantId),
		queryFn: () => getTenant(tenantId),
	});
	const { pathname } = useLocation();
	// On a phone the tabs are wider than the screen.
	useEffect(() => {
		const tab = tenant && document.querySelector(`.tab[aria-current="page"]`);
		if (tab && pathname) tab.scrollIntoView({ block: "nearest", inline: "center" });
	}, [pathname, tenant]);
	const back = <BackLink to="/tenants">Tenants</BackLink>;
	if (!tenant) {
		return (
			<div className="stack">
				<title>Tenant · Console</title>
				{back}
				{error ? (
					<>
						<h1 className="visually-hidden">Tenant</h1>
						<ErrorState title="This tenant cannot be shown" error={error} onRetry={refetch} />
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
					Suspended since {formatMoment(tenant.suspendedAt)}: nobody can sign in, and no session
					counts. Nothing is deleted.
				</Notice>
			)}
			<Tabs
				label="Parts of the tenant"
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
