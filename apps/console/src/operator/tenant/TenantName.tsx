import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { getTenant } from "../api/tenants";
import { Id } from "../audit/Id";
import { tenantKey } from "./current-tenant";

/** A tenant's name, or its id where it is gone. */
export function TenantName({ tenantId }: { tenantId: string }) {
	const { data: tenant } = useQuery({
		queryKey: tenantKey(tenantId),
		queryFn: () => getTenant(tenantId),
		staleTime: 60_000,
		retry: false,
	});
	if (!tenant) return <Id>{tenantId}</Id>;
	return (
		<Link to={`/tenants/${tenantId}`} className="break">
			{tenant.name}
		</Link>
	);
}
