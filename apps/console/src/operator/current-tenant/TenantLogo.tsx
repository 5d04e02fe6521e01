import { brandingOf } from "better-auth-tenant/rules";
import { Logo } from "../../ui/logos";
import type { Tenant } from "../api/tenants";

type TenantLogoProps = {
	tenant: Pick<Tenant, "name" | "metadata">;
	size?: "normal" | "small";
};

/** Ignores invalid logos and colors, as the tenant's own pages do. */
export function TenantLogo({ tenant, size = "normal" }: TenantLogoProps) {
	const { logoUrl, darkLogoUrl, primaryColor } = brandingOf(tenant.metadata);
	const color = primaryColor ?? colorOf(tenant.name);
	return <Logo name={tenant.name} url={logoUrl} darkUrl={darkLogoUrl} color={color} size={size} />;
}

/** White letters are readable on all of them. */
const COLORS = [
	"#4f46e5",
	"#0f766e",
	"#b45309",
	"#be123c",
	"#1d4ed8",
	"#7e22ce",
	"#15803d",
	"#475569",
];

/** Tenants without a color of their own are easier to tell apart. */
function colorOf(name: string): string | undefined {
	const sum = [...name].reduce(
		(hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 997,
		7,
	);
	return COLORS[sum % COLORS.length];
}
