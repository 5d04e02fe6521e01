import { createAuthClient } from "better-auth/react";
import { type TenantAuthClientOptions, tenantAuthClient } from "better-auth-tenant/client";

/** The typed client of this service, on whichever host the page is. */
export function authClient(options: TenantAuthClientOptions = {}) {
	return createAuthClient({
		baseURL: `${location.origin}/api/auth`,
		plugins: [tenantAuthClient(options)],
	});
}

export type AuthClient = ReturnType<typeof authClient>;
