import * as z from "zod";

/** The roles of a service. */
type ServiceRoles = { tenantRoles: Readonly<Record<string, unknown>> };

/** The tenant role for each group. The first one that fits a user is used. */
export type GroupRoles = Readonly<Record<string, string>>;

export const MEMBER = "member";
const MAX_GROUPS = 100;
/** A column of MySQL has room for it, beside other values. */
const MAX_BYTES = 32_768;

/** Groups of a directory are looked up by name, and not every database accepts any text. */
const groupName = z
	.string()
	.trim()
	.min(1)
	.max(255)
	.regex(/^[^\p{Cc}\p{Cs}]*$/u, "must not contain control characters");

/** JavaScript puts such names first, whatever the order of an object is. */
const isWholeNumber = (group: string) => /^(0|[1-9]\d*)$/.test(group);

/** The roles that a group may give. Only people make owners. */
export const mappableRoles = ({ tenantRoles }: ServiceRoles): string[] => [
	...new Set([MEMBER, "admin", ...Object.keys(tenantRoles)]),
];

export const groupRolesSchema = (settings: ServiceRoles) =>
	z
		.record(groupName, z.enum(mappableRoles(settings)))
		.refine((roles) => Object.keys(roles).length <= MAX_GROUPS, {
			message: `There are at most ${MAX_GROUPS} groups`,
		})
		.refine((roles) => !Object.keys(roles).some(isWholeNumber), {
			message: "A group whose name is a whole number cannot have a role: its place would be lost",
		})
		.refine((roles) => Buffer.byteLength(JSON.stringify(roles)) <= MAX_BYTES, {
			message: "The names of the groups are too long",
		})
		.meta({ description: "The tenant role for each group, the strongest first" });

/**
 * The role of somebody in these groups; `null` if none of them has one.
 *
 * @param known the roles of the service, which may have lost one since the roles were saved
 */
export function findGroupRole(
	roles: GroupRoles,
	groups: ReadonlySet<string>,
	known: readonly string[],
): string | null {
	const [, role] = Object.entries(roles).find(([group]) => groups.has(group)) ?? [];
	if (role === undefined) return null;
	return known.includes(role) ? role : MEMBER;
}
