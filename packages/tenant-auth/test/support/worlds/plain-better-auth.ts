import type * as BetterAuth from "better-auth";
import type { BetterAuthOptions } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { vi } from "vitest";
import { cheapPasswords } from "./cheap-passwords";

// Not the fast one of `TEST_STATEMENTS=fast`.
const { betterAuth } = await vi.importActual<typeof BetterAuth>("better-auth");

export const ORIGIN = "http://localhost:3000";

/** Better Auth without our plugin. */
export async function makePlain(options: Partial<BetterAuthOptions> = {}) {
	const database = new Database(":memory:");
	const db = new Kysely({ dialect: new SqliteDialect({ database }) });
	const all = {
		baseURL: ORIGIN,
		secret: "a secret of the contract tests with 32 characters",
		database: { db, type: "sqlite" as const, transaction: true },
		emailAndPassword: { ...cheapPasswords, enabled: true },
		rateLimit: { enabled: false },
		...options,
	} satisfies BetterAuthOptions;
	await (await getMigrations(all)).runMigrations();
	const auth = betterAuth(all);
	const call = (path: string, init: RequestInit & { json?: object } = {}) => {
		const { json, ...rest } = init;
		return auth.handler(
			new Request(`${ORIGIN}/api/auth${path}`, {
				...rest,
				...(json ? { method: "POST", body: JSON.stringify(json) } : {}),
				headers: { "content-type": "application/json", origin: ORIGIN, ...rest.headers },
			}),
		);
	};
	return { auth, call, context: await auth.$context };
}

export const cookiesOf = ({ headers }: Response) =>
	headers
		.getSetCookie()
		.map((it) => it.split(";")[0])
		.join("; ");

export const user = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
