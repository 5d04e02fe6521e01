import type { BetterAuthOptions } from "better-auth";
import { tenantAuth, tenantHosts } from "better-auth-tenant";
import { database } from "./database.js";
import { notes } from "./notes.js";

export const port = Number(process.env.PORT ?? 3000);

/** `acme.localhost:3000` is the host of the tenant with the slug `acme`. */
export const hosts = tenantHosts({ domain: process.env.DOMAIN ?? `localhost:${port}` });

export const options = {
	baseURL: hosts.baseURL,
	database,
	emailAndPassword: { enabled: true },
	// Without this, only if NODE_ENV is production.
	rateLimit: { enabled: true },
	plugins: [tenantAuth({ hosts, checkedPlugins: ["notes"] }), notes],
} satisfies BetterAuthOptions;
