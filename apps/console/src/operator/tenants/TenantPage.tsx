import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { useApi } from "../api/context";
import { titleOf } from "../product";
import { useMay } from "../session/operator";
import { BUILT_IN_ROLES } from "../users/roles";
import { TenantLayout } from "./TenantLayout";

/** The pages of one tenant, for operators. */
export function TenantPage() {
	const { tenantQuery, serviceInfoQuery } = useApi();
	const { tenantId = "" } = useParams();
	const may = useMay();
	const { data: tenant, error, refetch } = useQuery(tenantQuery(tenantId));
	const { data: info } = useQuery(serviceInfoQuery);
	if (tenant) {
		const roles = [...new Set([...BUILT_IN_ROLES, ...(info?.tenantRoles ?? [])])];
		return (
			<TenantLayout
				tenant={tenant}
				home={`/tenants/${tenant.id}`}
				caller={{ may, role: null, roles }}
			/>
		);
	}
	return (
		<div className="stack">
			<title>{titleOf("Tenant")}</title>
			<h1 className="visually-hidden">Tenant</h1>
			{error ? (
				<ErrorState title="Could not load this tenant" error={error} onRetry={refetch} />
			) : (
				<div className="stack" aria-busy="true">
					<Skeleton kind="title" />
					<Skeleton kind="block" />
				</div>
			)}
		</div>
	);
}
