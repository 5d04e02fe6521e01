import type { Settings } from "../settings/settings";
import type { StoredProvider } from "./provider-store";

const MEMBER = "member";

/** The roles that an identity provider may give. Only people make owners. */
export const mappableRoles = ({ tenantRoles }: Pick<Settings, "tenantRoles">): string[] => [
	...new Set([MEMBER, "admin", ...Object.keys(tenantRoles)]),
];

/** What an assertion says about a user. */
type Attributes = Readonly<Record<string, string | readonly string[]>>;

/**
 * The role of the user at this sign-in; `null` if the identity provider does not decide it. Somebody who
 * left all groups is a member.
 */
export function findRole(
	{ attributes, roles }: Pick<StoredProvider, "attributes" | "roles">,
	asserted: Attributes,
	known: readonly string[],
): string | null {
	if (attributes.role === undefined) return null;
	const own = Object.hasOwn(asserted, attributes.role) ? asserted[attributes.role] : undefined;
	const groups = new Set([own ?? []].flat());
	const [, role] = Object.entries(roles).find(([group]) => groups.has(group)) ?? [];
	// The service may have lost a role since the mapping was saved.
	return role !== undefined && known.includes(role) ? role : MEMBER;
}
