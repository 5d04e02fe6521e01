import { Logo } from "../../ui/Logo";
import type { Tenant } from "../api/tenants";
import { brandingOf, findBrandingProblems } from "./branding";

type TenantLogoProps = { tenant: Pick<Tenant, "name" | "metadata">; size?: "normal" | "small" };

/** A tenant in its own colours, as far as they are valid. */
export function TenantLogo({ tenant, size = "normal" }: TenantLogoProps) {
	const branding = brandingOf(tenant.metadata);
	const problems = findBrandingProblems(branding);
	const valid = (name: "logoUrl" | "primaryColor") =>
		(!problems[name] && branding[name].trim()) || undefined;
	return (
		<Logo name={tenant.name} url={valid("logoUrl")} color={valid("primaryColor")} size={size} />
	);
}
