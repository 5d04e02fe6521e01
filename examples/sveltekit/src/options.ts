import type { BetterAuthOptions } from "better-auth";
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
	plugins: [tenantAuth({ hosts })],
} satisfies BetterAuthOptions;
