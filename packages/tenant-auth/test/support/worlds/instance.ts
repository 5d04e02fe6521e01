import { kyselyAdapter } from "@better-auth/kysely-adapter";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { defineTenantPlugin, type TenantAuthOptions, tenantAuth } from "better-auth-tenant";
import { tenantChooser } from "better-auth-tenant/chooser";
import { type TenantDomainsOptions, tenantDomains } from "better-auth-tenant/domains";
import { type TenantImportsOptions, tenantImports } from "better-auth-tenant/imports";
import { type TenantInvitationsOptions, tenantInvitations } from "better-auth-tenant/invitations";
import { tenantLinks } from "better-auth-tenant/links";
import { tenantOpenId } from "better-auth-tenant/openid";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { Kysely, SqliteDialect } from "kysely";
import { openMemorySqlite } from "../databases/memory-sqlite";
import { createTables } from "../databases/new-tables";
import { cheapPasswords } from "./cheap-passwords";

export const MANAGEMENT_KEY = "management-key-of-the-tests";
export const ORIGIN = "http://localhost:3000";

/** What users sign up with, unless a test says otherwise. */
export const EMAIL = "ada@example.com";
export const PASSWORD = "correct horse battery";
export const CREDENTIALS = { email: EMAIL, password: PASSWORD };

/** Rows of any table. */
export type Rows = Record<string, Record<string, unknown>>;

export interface HostDatabase {
	db: Kysely<Rows>;
	type: "sqlite" | "postgres" | "mysql";
	/** What the app passes to Better Auth, if it is not `db`. */
	pool?: BetterAuthOptions["database"];
	/** Creates the tables without migrations, and returns what the app passes to Better Auth. */
	prepare?(options: BetterAuthOptions): Promise<BetterAuthOptions["database"]>;
}

export interface InstanceOptions extends Omit<BetterAuthOptions, "database" | "baseURL"> {
	tenants?: TenantAuthOptions;
	/** @default a new SQLite database in memory */
	on?: HostDatabase;
	/** @default true */
	transactions?: boolean;
	/** Lists the other plugins before `tenantAuth()`. */
	pluginsFirst?: boolean;
	/** The options of `tenantInvitations()`. */
	invitations?: TenantInvitationsOptions;
	/** The options of `tenantImports()`. */
	imports?: TenantImportsOptions;
	/** Whether the app has `tenantOpenId()`. @default true */
	openId?: boolean;
	/** Whether sign-ins are stored. @default false */
	signInLog?: boolean;
	/** @default DNS records are those that a test has published */
	domains?: TenantDomainsOptions;
	/** Whether the app has all plugins that add features to tenants. @default true */
	features?: boolean;
	/** Uses plural table names, by the option of the adapter. */
	usePlural?: boolean;
}

interface Call {
	body?: unknown;
	query?: Record<string, string>;
	headers?: Record<string, string>;
	cookie?: string;
	tenant?: string;
	method?: string;
}

interface SignIn extends Omit<Call, "body"> {
	email?: string;
	password?: string;
}

export interface Answer {
	status: number;
	// biome-ignore lint/suspicious/noExplicitAny: tests assert on what came back, whatever it is
	body: any;
	headers: Headers;
	/** The cookies that a browser would send back. */
	cookie: string;
}

/** The sign-in log without its writes, which most tests do not look at. */
function silentLog() {
	const { tenant, ...plugin } = tenantSignIns();
	const { signIns: _, ...silent } = tenant;
	return defineTenantPlugin({ ...plugin, tenant: silent });
}

/** An app with the plugin and a real database in memory. Tests call its handler. */
export async function makeInstance(options: InstanceOptions = {}) {
	const { on, tenants, transactions = true, usePlural = false, pluginsFirst, ...more } = options;
	const {
		features = true,
		openId = true,
		signInLog = false,
		invitations,
		imports,
		domains,
		...others
	} = more;
	const { plugins = [], ...rest } = others;
	/** The texts of TXT records by their names. */
	const dns = new Map<string, string[]>();
	const resolveTxt = async (name: string) => (dns.get(name) ?? []).map((text) => [text]);
	const added = features
		? [
				tenantChooser({ chooserURL: "/choose-tenant" }),
				tenantDomains({ resolveTxt, ...domains }),
				tenantInvitations(invitations),
				signInLog ? tenantSignIns() : silentLog(),
				tenantWebhooks(),
				tenantLinks(),
				...(openId ? [tenantOpenId()] : []),
				tenantImports(imports),
			]
		: [];
	const own = tenantAuth({ managementKeys: [MANAGEMENT_KEY], ...tenants });
	const database = openMemorySqlite();
	const statements: string[] = [];
	const ownDb = new Kysely<Rows>({
		dialect: new SqliteDialect({ database }),
		log: (event) => {
			statements.push(event.query.sql);
		},
	});
	const { db, type, pool, prepare }: HostDatabase = on ?? { db: ownDb, type: "sqlite" };
	const complete = {
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		telemetry: { enabled: false },
		...rest,
		// A test that needs Better Auth's own hash, which is slow, says so: `password: {}`.
		emailAndPassword: { ...cheapPasswords, ...rest.emailAndPassword },
		baseURL: tenants?.hosts?.baseURL ?? ORIGIN,
		database: usePlural
			? kyselyAdapter(db, { type, transaction: transactions, usePlural })
			: (pool ?? { db, type, transaction: transactions }),
		plugins: [...(pluginsFirst ? [...plugins, own] : [own, ...plugins]), ...added],
		advanced: {
			// In tests, Better Auth checks origins only if these are set.
			disableOriginCheck: false,
			disableCSRFCheck: false,
			// The tables were made a moment ago. Looking at them takes a third of a new instance.
			...(on ? {} : { database: { validateSchema: false } }),
			...rest.advanced,
		},
	} satisfies BetterAuthOptions;
	const migrating = usePlural ? inPlural({ ...complete, database: { db, type } }) : complete;
	if (prepare) Object.assign(complete, { database: await prepare(complete) });
	else if (on) await (await getMigrations(migrating)).runMigrations();
	else await createTables(migrating, { database });
	const auth = betterAuth(complete);

	/** @param path of an endpoint, or a whole URL */
	async function call(path: string, { body, query, headers, cookie, tenant, method }: Call = {}) {
		const url = new URL(path.startsWith("/") ? `${ORIGIN}/api/auth${path}` : path);
		for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
		const response = await auth.handler(
			new Request(url, {
				method: method ?? (body === undefined ? "GET" : "POST"),
				headers: {
					...(body === undefined ? {} : { "content-type": "application/json" }),
					...(cookie ? { cookie, origin: ORIGIN } : {}),
					...(tenant ? { "x-tenant-id": tenant } : {}),
					...headers,
				},
				...(body === undefined
					? {}
					: { body: typeof body === "string" ? body : JSON.stringify(body) }),
			}),
		);
		return readAnswer(response);
	}

	const manage = (path: string, options: Call = {}) =>
		call(path, {
			...options,
			headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, ...options.headers },
		});

	let made = 0;
	async function makeTenant(slug = `tenant-${++made}-${Math.random().toString(36).slice(2, 8)}`) {
		const { id } = await auth.api.createTenant({ body: { name: slug, slug } });
		return id;
	}

	async function signUp(tenantId: string, email = EMAIL, password = PASSWORD) {
		return call("/tenant/sign-up/email", { body: { tenantId, name: "User", email, password } });
	}

	async function signIn(
		tenantId: string,
		{ email = EMAIL, password = PASSWORD, ...rest }: SignIn = {},
	): Promise<Answer> {
		return call("/tenant/sign-in/email", { ...rest, body: { tenantId, email, password } });
	}

	/** Adds a domain, publishes its record and verifies it. */
	async function addDomain(tenantId: string, host: string, purpose: "login" | "email" = "login") {
		const { id, record } = await auth.api.addTenantDomain({ body: { tenantId, host, purpose } });
		dns.set(record.name, [...(dns.get(record.name) ?? []), record.value]);
		return { body: await auth.api.verifyTenantDomain({ body: { tenantId, domainId: id } }) };
	}

	return {
		auth,
		dns,
		addDomain,
		options: complete,
		db,
		database,
		statements,
		call,
		manage,
		makeTenant,
		signUp,
		signIn,
	};
}

export type Instance = Awaited<ReturnType<typeof makeInstance>>;

/** Migrations do not support plural names, so each table gets its name. */
function inPlural(options: BetterAuthOptions): BetterAuthOptions {
	const plural = (schema: BetterAuthPlugin["schema"] = {}) =>
		Object.fromEntries(
			Object.entries(schema).map(([key, table]) => [key, { ...table, modelName: `${key}s` }]),
		);
	return {
		...options,
		user: { ...options.user, modelName: "users" },
		session: { ...options.session, modelName: "sessions" },
		account: { ...options.account, modelName: "accounts" },
		verification: { ...options.verification, modelName: "verifications" },
		plugins: (options.plugins ?? []).map((it) => ({ ...it, schema: plural(it.schema) })),
	};
}

async function readAnswer(response: Response): Promise<Answer> {
	const text = await response.text();
	return {
		status: response.status,
		body: text && isJson(response, text) ? JSON.parse(text) : text,
		headers: response.headers,
		cookie: cookieOf(response.headers),
	};
}

function isJson({ status, headers }: Response, text: string): boolean {
	const type = headers.get("content-type");
	if (type?.includes("json")) return true;
	// Better Auth 1.7.3 names no type for the errors of its rate limit and of the captcha plugin.
	return status >= 400 && type === "text/plain;charset=UTF-8" && text.startsWith("{");
}

function cookieOf(headers: Headers): string {
	const cookies = new Map<string, string>();
	for (const cookie of headers.getSetCookie()) {
		const [pair = ""] = cookie.split(";");
		const name = pair.slice(0, pair.indexOf("="));
		if (/max-age=0/i.test(cookie)) cookies.delete(name);
		else cookies.set(name, pair);
	}
	return [...cookies.values()].join("; ");
}
