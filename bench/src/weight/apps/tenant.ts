import { betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";

export const auth = betterAuth({ emailAndPassword: { enabled: true }, plugins: [tenantAuth()] });

export const findSession = (headers: Headers) => auth.api.getSession({ headers });
