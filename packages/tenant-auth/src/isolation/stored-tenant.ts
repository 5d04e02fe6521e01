import { PLATFORM_ID } from "../call/context/tenant";

/**
 * How an entry of a secondary storage names a tenant. It is JSON, as everything that core stores: a storage
 * may parse what it gets or gives. It is an object, so that an id of digits stays a text.
 */
export const storedTenant = (tenantId: string): string => JSON.stringify({ tenantId });

/** The tenant that an entry names, `""` for the platform; `null` if there is no such entry. */
export function findStoredTenant(entry: unknown): string | null {
	const value = typeof entry === "string" && entry.startsWith("{") ? parse(entry) : entry;
	if (typeof value === "object" && value !== null) {
		const tenantId: unknown = Reflect.get(value, "tenantId");
		return typeof tenantId === "string" ? tenantId : null;
	}
	// Earlier versions stored the bare id. Such an entry lives as long as the token that it is about.
	if (value === "platform") return PLATFORM_ID;
	return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
