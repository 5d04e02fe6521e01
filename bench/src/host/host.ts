import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { admin, bearer, jwt, openAPI, organization, twoFactor } from "better-auth/plugins";
import { fastStatements } from "better-auth-fast";
import { type TenantAuthOptions, tenantAuth } from "better-auth-tenant";
import { type TenantImportsOptions, tenantImports } from "better-auth-tenant/imports";
import type { OpenDatabase } from "./database";

export const ORIGIN = "http://localhost:3000";
export const SECRET = "k3Wq9-Zt7Lm2Xv5Rb8Nc1Hd6Jf4Gs0Py";
export const MANAGEMENT_KEY = "management-key-of-the-benchmark";
export const PROVIDER = "gitlab";

/** Plain Better Auth, or Better Auth with the plugin. */
export type Subject = "plain" | "tenant";

/** A hash that costs nothing, or Better Auth's own scrypt. */
export type Hash = "cheap" | "scrypt";

/**
 * What else the app has: nothing, rate limits, or also eight usual plugins. By default, `jwt()` signs a token
 * in each request for the session, which costs more than all the rest. So it is measured with and without.
 */
export type Setting = "bare" | "limits" | "limits, 8 plugins" | "limits, 8 plugins, JWT";

export interface HostOptions {
	subject: Subject;
	/** @default "bare" */
	setting?: Setting;
	hash?: Hash;
	/** The plugin's options. */
	tenants?: TenantAuthOptions;
	/** Without it, the app has no `tenantImports()`. */
	imports?: TenantImportsOptions;
}

export const cheapHash = (password: string) => `hash of ${password}`;

/** A host on tables that are there already: see {@link migrate}. */
export function makeHost({ db, type }: OpenDatabase, options: HostOptions) {
	return betterAuth({ ...settingsOf(options), database: { db, type, transaction: true } });
}

/** Makes the tables as Better Auth does for a host with these settings. */
export async function migrate(database: OpenDatabase, options: HostOptions): Promise<void> {
	const { db, type } = database;
	await (await getMigrations({ ...settingsOf(options), database: { db, type } })).runMigrations();
}

function settingsOf({ subject, setting = "bare", hash = "cheap", tenants, imports }: HostOptions) {
	return {
		baseURL: ORIGIN,
		secret: SECRET,
		logger: { level: "error" },
		telemetry: { enabled: false },
		// One client makes all the calls, so the limit is high.
		rateLimit: {
			enabled: setting !== "bare",
			customRules: { "/**": { window: 60, max: 1_000_000_000 } },
		},
		// It would run beside the first calls.
		advanced: { database: { validateSchema: false } },
		emailAndPassword: { enabled: true, ...(hash === "cheap" ? { password: cheapPassword } : {}) },
		socialProviders: { [PROVIDER]: { clientId: "client of the host", clientSecret: "secret" } },
		plugins: [
			...(subject === "tenant"
				? [
						fastStatements(),
						tenantAuth({ managementKeys: [MANAGEMENT_KEY], ...tenants }),
						...(imports ? [tenantImports(imports)] : []),
					]
				: []),
			...usualPlugins(setting),
		],
	} satisfies BetterAuthOptions;
}

function usualPlugins(setting: Setting): BetterAuthPlugin[] {
	if (!setting.includes("8 plugins")) return [];
	const disableSettingJwtHeader = !setting.endsWith("JWT");
	return [
		...[organization(), admin(), twoFactor(), apiKey(), passkey()],
		...[jwt({ disableSettingJwtHeader }), bearer(), openAPI()],
	] as unknown as BetterAuthPlugin[];
}

const cheapPassword = {
	hash: async (password: string) => cheapHash(password),
	verify: async ({ hash, password }: { hash: string; password: string }) =>
		hash === cheapHash(password),
};
