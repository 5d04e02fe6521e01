import { type BetterAuthOptions, betterAuth } from "better-auth";
import * as plugin from "better-auth-tenant";
import * as imports from "better-auth-tenant/imports";
import { type AdoptTenantsReport, tenantImports } from "better-auth-tenant/imports";
import { planUpgrade } from "better-auth-tenant/upgrade";
import { runBlock } from "../../docs/code-blocks/run-block";
import type { OpenDatabase } from "../databases/databases";
import { cheapPasswords } from "./cheap-passwords";
import { ORIGIN, PASSWORD } from "./instance";
import { makePlainHost, runSql, spelling, sqlOf } from "./plain-host";

const PAGE = "docs/from-tenant-column.md";

const makeAuth = () => betterAuth({ plugins: [plugin.tenantAuth(), tenantImports()] });
type Auth = ReturnType<typeof makeAuth>;

interface OwnTenant {
	id: string;
	name: string;
	slug: string;
}

/** Runs the files of the guide on a database. */
export async function runGuide(on: OpenDatabase, readTenants: () => Promise<OwnTenant[]>) {
	const complete = (options: BetterAuthOptions) => ({
		...options,
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		emailAndPassword: { ...cheapPasswords, enabled: true },
	});
	const { auth: options } = await runBlock<{ auth: BetterAuthOptions }>(PAGE, "auth.ts", {
		"better-auth": { betterAuth: (it: BetterAuthOptions) => complete(it) },
		"better-auth-tenant": plugin,
		"better-auth-tenant/imports": imports,
		"./database.js": {
			database: on.pool ?? { db: sqlOf(on), type: on.type, transaction: true },
		},
	});
	if (on.prepare) Object.assign(options, { database: await on.prepare(options) });
	else await (await planUpgrade(options)).run();
	const auth = betterAuth(options) as unknown as Auth;
	const { adopt } = await runBlock<{ adopt(dryRun: boolean): Promise<AdoptTenantsReport> }>(
		PAGE,
		"adopt.ts",
		{
			"better-auth-tenant/imports": imports,
			"./auth.js": { auth },
			"./tenants.js": { readTenants },
		},
	);
	return { auth, adopt };
}

export type Guide = Awaited<ReturnType<typeof runGuide>>;

/** An app before it has the plugin, with a column and a table of its own for tenants. */
export async function makeOwnTenants(on: OpenDatabase) {
	const own = { type: "string", required: false } as const;
	const plain = await makePlainHost(on, { user: { additionalFields: { tenantId: own } } });
	const { short } = spelling(on);
	await runSql(
		on,
		`create table tenant (id ${short} primary key, name ${short} not null, slug ${short} not null)`,
	);
	return plain;
}

export async function signUpOnPlatform({ auth }: Pick<Guide, "auth">, email: string) {
	const { headers, response } = await auth.api.signUpEmail({
		body: { name: "User", email, password: PASSWORD },
		returnHeaders: true,
	});
	const cookie = headers.getSetCookie().map((it) => it.split(";")[0]);
	return { userId: response.user.id, cookie: cookie.join("; ") };
}

export function sessionAt({ auth }: Pick<Guide, "auth">, cookie: string) {
	const { host } = new URL(ORIGIN);
	return auth.api.getSession({ headers: new Headers({ cookie, host }) });
}
