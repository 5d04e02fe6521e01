import type { BetterAuthOptions } from "better-auth";

/** What `wrangler.jsonc` binds to the worker. */
export interface Bindings {
	DB: NonNullable<BetterAuthOptions["database"]>;
	BETTER_AUTH_URL: string;
	BETTER_AUTH_SECRET: string;
	/** For the migration, and to create tenants over HTTP. */
	MANAGEMENT_KEY: string;
}
