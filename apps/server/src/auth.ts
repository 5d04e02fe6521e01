import { type BetterAuthOptions, betterAuth } from "better-auth";
import { openAPI } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import { clientAddressHeader } from "./client-address";
import { migrate } from "./database/migrate";
import type { AuthDatabase } from "./database/open-database";
import { passwordHashing } from "./password-hashing";

/** What Better Auth is set up with. */
export type AuthConfig = {
	/** The origin callers see. */
	baseUrl: string;
	/** Further origins whose pages may call. */
	alsoTrusted?: string[];
	secret: string;
	managementKeys: string[];
	/** Whether to limit how often one address may call; else Better Auth does so in production only. */
	limitsRates: boolean;
};

/** The part of a Better Auth instance that the server uses. */
export type Auth = { handler: (request: Request) => Promise<Response> };

/** Migrates the database, then sets Better Auth up on it. */
export async function createAuth(config: AuthConfig, database: AuthDatabase): Promise<Auth> {
	const options = authOptions(config, database);
	// In this order, or Better Auth reports tables that do not match.
	await migrate(options, database);
	const auth = betterAuth(options);
	// It initializes in the background: what is wrong should stop the start, not the first request.
	await auth.$context;
	return auth;
}

function authOptions(config: AuthConfig, database: AuthDatabase) {
	return {
		baseURL: config.baseUrl,
		basePath: "/api/auth",
		secret: config.secret,
		database,
		trustedOrigins: [config.baseUrl, ...(config.alsoTrusted ?? [])],
		emailAndPassword: { enabled: true, password: passwordHashing() },
		rateLimit: { storage: "memory", ...(config.limitsRates ? { enabled: true } : {}) },
		advanced: { ipAddress: { ipAddressHeaders: [clientAddressHeader] } },
		plugins: [tenantAuth({ managementKeys: config.managementKeys }), openAPI()],
	} satisfies BetterAuthOptions;
}
