import { Outlet } from "react-router";
import { formatTime } from "../../format";
import { Badge, Notice } from "../../ui/feedback";
import { PageHeader } from "../../ui/layout";
import type { Tenant } from "../api/tenants";
import { TenantLogo } from "../current-tenant/TenantLogo";
import { type TenantCaller, TenantContext } from "../current-tenant/tenant-context";
import { titleOf } from "../product";

type TenantLayoutProps = { tenant: Tenant; home: string; caller: TenantCaller };

/** The head of all pages of a tenant, and the page that is open. */
export function TenantLayout({ tenant, home, caller }: TenantLayoutProps) {
	return (
		<div className="stack">
			<title>{titleOf(tenant.name)}</title>
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
			<TenantContext value={{ tenant, home, caller }}>
				<Outlet key={tenant.id} />
			</TenantContext>
		</div>
	);
}
