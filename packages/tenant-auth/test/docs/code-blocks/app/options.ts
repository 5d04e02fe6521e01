import { tenantAuth } from "better-auth-tenant";

export const options = { plugins: [tenantAuth()] };
