import { createAuthClient } from "better-auth/vue";
import { tenantAuthClient } from "better-auth-tenant/client";

/** A client whose calls name this tenant. */
export const createTenantClient = (tenantId: string) =>
	createAuthClient({ plugins: [tenantAuthClient({ tenant: tenantId })] });
