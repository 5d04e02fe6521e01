import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "react-router";
import { formatTime } from "../../format";
import { Badge, ErrorState, Notice, Skeleton } from "../../ui/feedback";
import { PageHeader } from "../../ui/layout";
import { useApi } from "../api/context";
import { titleOf } from "../product";
import { useMay } from "../session/operator";
import { TenantLogo } from "./TenantLogo";
import { TenantContext } from "./tenant-context";

export function TenantPage() {
	const { tenantQuery } = useApi();
	const { tenantId = "" } = useParams();
	const may = useMay();
	const { data: tenant, error, refetch } = useQuery(tenantQuery(tenantId));
	if (!tenant) {
		return (
			<div className="stack">
				<title>{titleOf("Tenant")}</title>
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
			<TenantContext value={{ tenant, home: `/tenants/${tenant.id}`, may }}>
				<Outlet key={tenant.id} />
			</TenantContext>
		</div>
	);
}
