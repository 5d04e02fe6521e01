import { type BetterAuthOptions, betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import { database } from "./database.js";
import { notes } from "./notes.js";

export const port = Number(process.env.PORT ?? 3000);
export const origin = process.env.BETTER_AUTH_URL ?? `http://localhost:${port}`;

export const options = {
	baseURL: origin,
	database,
	emailAndPassword: { enabled: true },
	// Without this, only if NODE_ENV is production.
	rateLimit: { enabled: true },
	plugins: [tenantAuth({ checkedPlugins: ["notes"] }), notes],
} satisfies BetterAuthOptions;

export const auth = betterAuth(options);
