import { useQuery } from "@tanstack/react-query";
import { brandingOf } from "better-auth-tenant/rules";
import { Link } from "react-router";
import { Logo } from "../../ui/logos";
import { type Tenant, tenantQuery } from "../api/tenants";
import { Id } from "../details";

type TenantLogoProps = { tenant: Pick<Tenant, "name" | "metadata">; size?: "normal" | "small" };

/** Ignores invalid logos and colors, as the tenant's own pages do. */
export function TenantLogo({ tenant, size = "normal" }: TenantLogoProps) {
	const { logoUrl, primaryColor } = brandingOf(tenant.metadata);
	return <Logo name={tenant.name} url={logoUrl} color={primaryColor} size={size} />;
}

/** A link with the tenant's name. The id if the tenant was deleted. */
export function TenantName({ tenantId }: { tenantId: string }) {
	const { data: tenant } = useQuery({
		...tenantQuery(tenantId),
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
