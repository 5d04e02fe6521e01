import { type BetterAuthOptions, betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import { database } from "./database";

export const options = {
	baseURL: process.env.BETTER_AUTH_URL ?? `http://localhost:${process.env.PORT ?? 3000}`,
	database,
	emailAndPassword: { enabled: true },
	plugins: [tenantAuth()],
} satisfies BetterAuthOptions;

export const auth = betterAuth(options);
