import { createAuthClient } from "better-auth/react";
import { tenantAuthClient } from "better-auth-tenant/client";

/** Calls the host of the page, which decides the tenant. */
export const authClient = createAuthClient({ plugins: [tenantAuthClient()] });
