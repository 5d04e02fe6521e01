import { Select } from "../../ui/fields";
import { useTenantCaller } from "../current-tenant/tenant-context";

const LABELS: Record<string, string> = { member: "Member", admin: "Admin", owner: "Owner" };

export const BUILT_IN_ROLES = Object.keys(LABELS);

/** A user without a role is a member. */
export const roleOf = ({ tenantRole }: { tenantRole?: string | null }): string =>
	tenantRole ?? "member";

export const describeRole = (role: string): string => LABELS[role] ?? role;

type RoleFieldProps = { value: string; onValueChange: (role: string) => void };

/** Offers the roles that the caller may give, and the one that the user has. */
export function RoleField({ value, onValueChange }: RoleFieldProps) {
	const { roles } = useTenantCaller();
	const offered = roles.includes(value) ? roles : [...roles, value];
	return (
		<Select
			label="Role"
			hint="Admins manage the tenant's users and settings. Only owners can change other owners."
			options={offered.map((role) => ({ value: role, label: describeRole(role) }))}
			value={value}
			onValueChange={onValueChange}
		/>
	);
}
