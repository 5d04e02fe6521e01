import { isOwnProviderId } from "../../providers";

/**
 * The path that a provider sends the user back to.
 *
 * That of a tenant's own provider contains the tenant. The provider of a hostile tenant could otherwise
 * pass a user on to the provider of another tenant, with that tenant's client and the state of its own
 * flow ("mix-up"). The code would come back to the same path, and the hostile provider would get it. With
 * a path of its own, the code comes to the other tenant's path, where the state is not valid.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9700#section-4.4.2.2
 */
export function callbackPathOf(providerId: string, tenantId: string): string {
	const target = isOwnProviderId(providerId) ? `${providerId}:${tenantId}` : providerId;
	return `/tenant/callback/${target.split(":").map(encodeURIComponent).join(":")}`;
}

/** What the last part of such a path names. */
export interface CallbackTarget {
	providerId: string;
	/** `null` in the path of a built-in provider, which all tenants share. */
	tenantId: string | null;
}

const OWN_TARGET = /^(oidc:[^:]*)(?::(.+))?$/s;

export function readCallbackTarget(part: string): CallbackTarget {
	const decoded = decode(part);
	const [, providerId = decoded, tenantId = null] = OWN_TARGET.exec(decoded) ?? [];
	return { providerId, tenantId };
}

/** Some providers write `%3A` for a colon. */
function decode(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}
