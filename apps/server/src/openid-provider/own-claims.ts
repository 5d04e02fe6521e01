import type { Tenant } from "better-auth-tenant";
import { isClaimName, mayComeFrom, SOURCE } from "./applications/claim-mapping";
import { userMetadataOf } from "./user-metadata/user-metadata";

/** Tokens are sent in headers. */
const MAX_VALUE_LENGTH = 2000;

/** @param user a row of the tenant; none in tokens of programs without users */
type Subject = { tenant: Tenant; user: object | null | undefined };

/** The claims of an application that have a value. */
export function ownClaims(
	mapping: Record<string, string>,
	subject: Subject,
): Record<string, unknown> {
	const found = Object.entries(mapping)
		// What is stored may be older than the rule.
		.filter(([name, source]) => isClaimName(name) && mayComeFrom(name, source))
		.map(([name, source]) => [name, findValue(source, subject)] as const)
		.filter(([, value]) => value != null && JSON.stringify(value).length <= MAX_VALUE_LENGTH);
	return Object.fromEntries(found);
}

function findValue(source: string, { tenant, user }: Subject): unknown {
	const [, root, path = "", property] = SOURCE.exec(source) ?? [];
	if (property === "slug" || property === "name") return tenant[property];
	if (root === "tenant.metadata") return findIn(tenant.metadata, path);
	// A user of another tenant is nobody here.
	if (!user || !("tenantId" in user) || user.tenantId !== tenant.id) return undefined;
	const { metadata, preferences } = userMetadataOf(user);
	if (root === "user.metadata") return findIn(metadata, path);
	return root === "user.preferences" ? findIn(preferences, path) : undefined;
}

function findIn(object: unknown, path: string): unknown {
	let found = object;
	for (const key of path.split(".").slice(1)) {
		if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
		found = (found as Record<string, unknown>)[key];
	}
	return found;
}
