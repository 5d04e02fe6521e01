import type { BetterAuthOptions } from "better-auth";
import { tenantAuth } from "better-auth-tenant";

export interface Env {
	DB: NonNullable<BetterAuthOptions["database"]>;
	MIGRATION_KEY: string;
}

export const authOptions = ({ DB }: Env) => ({ database: DB, plugins: [tenantAuth()] });
