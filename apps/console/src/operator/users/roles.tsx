import { Select } from "../../ui/fields";

const ROLES: Record<string, string> = { member: "Member", admin: "Admin", owner: "Owner" };

/** A user without a role is a member. */
export const roleOf = ({ tenantRole }: { tenantRole?: string | null }): string =>
	tenantRole ?? "member";

export const describeRole = (role: string): string => ROLES[role] ?? role;

type RoleFieldProps = { value: string; onValueChange: (role: string) => void };

export function RoleField({ value, onValueChange }: RoleFieldProps) {
	// The app may have roles of its own.
	const roles = Object.hasOwn(ROLES, value) ? ROLES : { ...ROLES, [value]: value };
	return (
		<Select
			label="Role"
			hint="Admins manage the tenant's users and settings. Only owners can change other owners."
			options={Object.entries(roles).map(([role, label]) => ({ value: role, label }))}
			value={value}
			onValueChange={onValueChange}
		/>
	);
}
