import type { BetterAuthOptions } from "better-auth";
import { nextCookies } from "better-auth/next-js";
import { tenantAuth, tenantHosts } from "better-auth-tenant";
import { database } from "./database";

/** `acme.localhost:3000` is the host of the tenant with the slug `acme`. */
export const hosts = tenantHosts({
	domain: process.env.DOMAIN ?? `localhost:${process.env.PORT ?? 3000}`,
});

export const options = {
	baseURL: hosts.baseURL,
	database,
	emailAndPassword: { enabled: true },
	// Rate limits count the addresses in `x-forwarded-for`, and Next.js takes it from the client. In
	// production, a proxy in front of the app must replace it.
	plugins: [tenantAuth({ hosts }), nextCookies()],
} satisfies BetterAuthOptions;
