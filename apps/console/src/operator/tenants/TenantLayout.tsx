import { Link, Outlet, useMatch } from "react-router";
import { formatTime } from "../../format";
import { Badge, Notice } from "../../ui/feedback";
import type { Tenant } from "../api/tenants";
import { type TenantCaller, TenantContext } from "../current-tenant/tenant-context";
import { titleOf } from "../product";

type TenantLayoutProps = { tenant: Tenant; home: string; caller: TenantCaller };

/** Says on all pages of a tenant which one it is. The first page has its name as the title. */
export function TenantLayout({ tenant, home, caller }: TenantLayoutProps) {
	const isFirstPage = useMatch(home || "/") !== null;
	return (
		<div className="stack">
			<title>{titleOf(tenant.name)}</title>
			{!isFirstPage && (
				<p className="tenant-crumb small">
					<Link to={home || "/"}>{tenant.name}</Link>
					{tenant.suspendedAt && <Badge kind="warning">Suspended</Badge>}
				</p>
			)}
			{tenant.suspendedAt && (
				<Notice kind="warning">
					Suspended since {formatTime(tenant.suspendedAt)}. Users cannot sign in, and their sessions
					are rejected. No data is deleted.
				</Notice>
			)}
			<TenantContext value={{ tenant, home, caller }}>
				<Outlet key={tenant.id} />
			</TenantContext>
		</div>
	);
}
