import { findGroupRole, MEMBER } from "../group-roles";
import type { StoredProvider } from "./provider-store";

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
	return findGroupRole(roles, new Set([own ?? []].flat()), known) ?? MEMBER;
}
