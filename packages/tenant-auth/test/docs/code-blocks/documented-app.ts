import { type BetterAuthOptions, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import * as plugin from "better-auth-tenant";
import { tenantAuth } from "better-auth-tenant";
import * as pluginClient from "better-auth-tenant/client";
import * as invitations from "better-auth-tenant/invitations";
import { tenantInvitations } from "better-auth-tenant/invitations";
import * as rules from "better-auth-tenant/rules";
import { Kysely, SqliteDialect } from "kysely";
import Database from "libsql";
import { onTestFinished, vi } from "vitest";
import { CookieJar } from "../../support/http/cookie-jar";
import { cheapPasswords } from "../../support/worlds/cheap-passwords";
import { runBlock } from "./run-block";

/** The package from its sources, for what a page imports. */
export const packages = {
	"better-auth-tenant": plugin,
	"better-auth-tenant/client": pluginClient,
	"better-auth-tenant/invitations": invitations,
	"better-auth-tenant/rules": rules,
};

const makeAuth = () =>
	betterAuth({
		emailAndPassword: { enabled: true },
		plugins: [tenantAuth(), tenantInvitations()],
	});
type Auth = ReturnType<typeof makeAuth>;

/** Runs a file of a page that exports `auth`, with a database in memory that has its tables. */
export async function startApp<More extends object>(
	page: string,
	file: string,
): Promise<{ auth: Auth } & More> {
	const dialect = new SqliteDialect({ database: new Database(":memory:") });
	const database = { db: new Kysely({ dialect }), type: "sqlite" as const, transaction: true };
	const quiet = (options: BetterAuthOptions) =>
		betterAuth({
			...options,
			secret: "a secret of thirty-two characters or more",
			logger: { disabled: true },
			emailAndPassword: { ...options.emailAndPassword, ...cheapPasswords },
		});
	const exported = await runBlock<{ auth: Auth } & More>(page, file, {
		...packages,
		"better-auth": { betterAuth: quiet },
		"./database.js": { database },
	});
	await (await getMigrations(exported.auth.options)).runMigrations();
	return exported;
}

/** As in a browser, calls have an origin and cookies. */
export function openBrowser(handler: (request: Request) => Promise<Response>) {
	const jar = new CookieJar();
	vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
		const request = new Request(input, init);
		const url = new URL(request.url);
		const cookie = jar.header(url, { crossSite: false, method: request.method });
		request.headers.set("origin", url.origin);
		if (cookie) request.headers.set("cookie", cookie);
		const response = await handler(request);
		jar.store(url, response);
		return response;
	});
	onTestFinished(() => void vi.unstubAllGlobals());
}
