import { twoFactor } from "better-auth/plugins";
import { tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { encryptCredential } from "../../src/management/oauth-clients/cipher";
import { makeFaultyStorage, makeMemoryStorage } from "../support/databases/memory-storage";
import { ROUTES, type RouteName } from "../support/http/all-routes";
import {
	makeTargetWorld,
	PASSWORD,
	routeNames,
	type Target,
	validCall,
} from "../support/http/endpoint-calls";
import { errorsOf, inputsOf, usualApp } from "../support/http/openapi-document";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { heldPasswords } from "../support/worlds/held-passwords";
import { type Instance, type InstanceOptions, MANAGEMENT_KEY } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

const unknown = "unknown";

const chief = tenantAccess.newRole({
	"link-settings": ["update"],
	tenant: ["update"],
	user: [
		"create",
		"update",
		"disable",
		"enable",
		"impersonate",
		"delete",
		"revoke-sessions",
		"send-password-reset",
		"remove-second-factor",
		"remove-passkeys",
	],
	session: ["revoke"],
	domain: ["verify", "update"],
	policy: ["update"],
	"oauth-config": ["register", "update"],
});

const passwords = heldPasswords();
const faulty = makeFaultyStorage();

/** The endpoint whose writes the hooks of an app refuse. */
let refusedPath: string | undefined;
const refuse = async (_: unknown, ctx: { path?: string } | null) =>
	ctx?.path !== undefined && ctx.path === refusedPath ? false : undefined;
const refusing = { create: { before: refuse }, update: { before: refuse } };

/** What differs from the usual app. Tests of an app share it. */
const APPS = {
	"usual options": {},
	"a role that may do nearly everything": { tenants: { roles: { chief } } },
	"a second factor": { plugins: [twoFactor()] },
	"breached passwords": { tenants: { isBreachedPassword: () => true } },
	"no list of breached passwords": {
		tenants: { isBreachedPassword: () => Promise.reject(new Error("outage")) },
	},
	"limits for policies": { tenants: { canManageTenants: () => true, limitPolicy: () => "No." } },
	"no OpenID Connect": { openId: false },
	"tenants by path": {
		tenants: {
			resolveTenantId: ({ path }) => (path.startsWith("/tenant/chooser/") ? unknown : undefined),
		},
	},
	"hooks that refuse writes": {
		databaseHooks: { user: refusing, session: { ...refusing, delete: { before: refuse } } },
	},
	"hooks that refuse deletions": {
		databaseHooks: { user: { delete: { before: async () => false } } },
	},
	"no transactions": { transactions: false },
	"a secondary storage": { secondaryStorage: makeMemoryStorage() },
	"a secondary storage that fails": { secondaryStorage: faulty.storage },
	"email verification": {
		emailAndPassword: { ...cheapPasswords, enabled: true, requireEmailVerification: true },
	},
	"a queue of passwords": {
		emailAndPassword: passwords.emailAndPassword,
		tenants: { passwordQueue: { concurrency: 1, maxWaitingPerTenant: 0 } },
	},
} satisfies Record<string, InstanceOptions>;

type AppName = keyof typeof APPS;

/** How to provoke an error: what differs from a valid call of the usual app. */
interface Provocation {
	/** @default "usual options" */
	app?: AppName;
	input?: Record<string, unknown>;
	search?: string;
	/** `null` for none; by default the management key. */
	authorization?: string | null;
	/** Calls as a user of the tenant with this role. */
	role?: string;
	/** Without the session that the call has. */
	isSignedOut?: true;
	/** May give back what ends it. */
	prepare?: (instance: Instance, target: Target) => Promise<unknown>;
}

const setRole = ({ db }: Instance, userId: string, tenantRole: string) =>
	db.updateTable("user").set({ tenantRole }).where("id", "=", userId).execute();

async function signUpAs(instance: Instance, tenantId: string, role: string) {
	const { body, cookie } = await instance.signUp(tenantId, "caller@example.com");
	await setRole(instance, body.user.id, role);
	return cookie;
}

const withPolicy = (policy: object): Provocation => ({
	prepare: ({ manage }, { tenantId }) =>
		manage("/tenant/policy/update", { body: { tenantId, ...policy } }),
});
/** A config whose provider was there when it was registered. */
async function addOwnProvider(
	db: Instance["db"],
	tenantId: string,
	providerId: string,
	credentials: object = { clientId: "sealed", clientSecret: "sealed" },
) {
	const now = new Date().toISOString();
	const options = JSON.stringify({ issuer: "https://idp.example.com" });
	const row = { id: `${tenantId} ${providerId}`, tenantId, providerId, ...credentials, options };
	await db
		.insertInto("tenantOauthConfig")
		.values({ ...row, enabled: 1, createdAt: now, updatedAt: now })
		.execute();
}

/** A config of a provider that gives its users a role. */
function mapsRoles(name: RouteName, role: string): Pick<Provocation, "input" | "prepare"> {
	if (!name.endsWith("OAuthConfig")) return {};
	const providerId = "oidc:mapped";
	const options = {
		issuer: "https://idp.example.com",
		claims: { role: "groups" },
		roles: { staff: role },
	};
	return {
		input: { providerId, options },
		prepare: ({ db }, { tenantId }) =>
			name === "updateTenantOAuthConfig"
				? addOwnProvider(db, tenantId, providerId)
				: Promise.resolve(),
	};
}

const PROVOCATIONS: Record<string, (name: RouteName, status: number) => Provocation> = {
	VALIDATION_ERROR: (name) => {
		const [first] = inputsOf(name).map((input) => input.name);
		if (ROUTES[name].method === "GET") return { search: `?${first}=1&${first}=2` };
		return { input: { [String(first)]: [] } };
	},
	TENANT_MANAGEMENT_NOT_ALLOWED: (_, status) => ({
		authorization: status === 401 ? null : "Bearer wrong",
	}),
	UNAUTHORIZED: () => ({ isSignedOut: true }),
	INVALID_CURSOR: (name) =>
		name === "listTenants" ? { search: `?cursor=${unknown}` } : { input: { cursor: unknown } },
	SORT_NOT_AVAILABLE: (name) =>
		name === "listTenants"
			? { search: "?sort=name&search=a" }
			: { input: { sort: "email", search: "a" } },
	TENANT_NOT_DELETED: () => ({}),
	TENANT_ID_REQUIRED: () => ({ input: { tenantId: undefined, id: undefined } }),
	TENANT_NOT_FOUND: (name) => ({
		input: name === "getTenant" ? { id: unknown } : { tenantId: unknown },
	}),
	TENANT_SUSPENDED: () => ({
		prepare: ({ manage }, { tenantId }) => manage("/tenant/suspend", { body: { tenantId } }),
	}),
	SIGN_UP_NOT_ALLOWED: () => withPolicy({ signUp: { mode: "closed" } }),
	INVITATION_REQUIRED: () => withPolicy({ signUp: { mode: "invite" } }),
	EMAIL_DOMAIN_NOT_ALLOWED: () => withPolicy({ signUp: { emailDomains: ["acme.com"] } }),
	SIGN_IN_METHOD_NOT_ALLOWED: () =>
		withPolicy({ signIn: { methods: ["social"], providers: ["zoom"] } }),
	SECOND_FACTOR_REQUIRED: () => ({
		app: "a second factor",
		...withPolicy({ secondFactor: { required: true } }),
	}),
	SECOND_FACTOR_MISSING: () => ({
		app: "a second factor",
		...withPolicy({ secondFactor: { required: true } }),
	}),
	PASSWORD_COMPROMISED: () => ({
		app: "breached passwords",
		...withPolicy({ password: { rejectBreached: true } }),
	}),
	PASSWORD_CHECK_UNAVAILABLE: () => ({
		app: "no list of breached passwords",
		...withPolicy({ password: { rejectBreached: true } }),
	}),
	USER_DISABLED: () => ({
		prepare: ({ db }) =>
			db.updateTable("user").set({ disabledAt: new Date().toISOString() }).execute(),
	}),
	INVALID_POLICY: () => ({ input: { signIn: { methods: ["passkey"] } } }),
	POLICY_NOT_ALLOWED: () => ({
		app: "limits for policies",
		authorization: "Bearer wrong",
	}),
	TENANT_ALREADY_EXISTS: () => ({
		input: { slug: "taken" },
		prepare: ({ makeTenant }) => makeTenant("taken"),
	}),
	INVALID_SLUG: () => ({ input: { slug: "A" } }),
	SLUG_RESERVED: () => ({ input: { slug: "admin" } }),
	UNSUPPORTED_PROVIDER: () => ({ input: { providerId: unknown } }),
	TENANT_OPENID_REQUIRED: () => ({
		app: "no OpenID Connect",
		input: { providerId: "oidc:okta", options: { issuer: "https://idp.example.com" } },
	}),
	INVALID_PROVIDER_OPTIONS: () => ({
		input: { options: { unknown }, trustEmails: ["acme.com"] },
	}),
	TOO_MANY_OWN_PROVIDERS: () => ({
		input: { providerId: "oidc:one-more", options: { issuer: "https://idp.example.com" } },
		prepare: async ({ db }, { tenantId }) => {
			for (let n = 0; n < 20; n += 1) await addOwnProvider(db, tenantId, `oidc:number-${n}`);
		},
	}),
	PROVIDER_UNAVAILABLE: () => ({
		input: { provider: "oidc:down" },
		prepare: async ({ auth, db }, { tenantId }) => {
			const binding = { tenantId, providerId: "oidc:down" };
			const context = await auth.$context;
			const encrypt = (field: "clientId" | "clientSecret") =>
				encryptCredential(context, { ...binding, field }, "anything");
			await addOwnProvider(db, tenantId, "oidc:down", {
				clientId: await encrypt("clientId"),
				clientSecret: await encrypt("clientSecret"),
			});
		},
	}),
	LINKS_NOT_ALLOWED: (name) =>
		/^(list|end)/.test(name)
			? {
					// A user of the platform.
					input: { tenantId: undefined },
					prepare: async ({ db }, { userId }) => {
						const tenantId = "";
						await db.updateTable("user").set({ tenantId }).where("id", "=", userId).execute();
						await db
							.updateTable("session")
							.set({ tenantId })
							.where("userId", "=", userId)
							.execute();
					},
				}
			: {
					prepare: ({ auth }, { tenantId }) =>
						auth.api.updateTenantLinkSettings({ body: { tenantId, allowed: false } }),
				},
	LINK_NOT_PROVEN: () => ({ input: { linkCode: unknown } }),
	LINK_NOT_FOUND: () => ({ input: { tenantId: unknown } }),
	OAUTH_CONFIG_NOT_FOUND: () => ({ input: { providerId: "gitlab" } }),
	OAUTH_CREDENTIAL_DECRYPT_FAILED: () => ({
		prepare: ({ db }) => db.updateTable("tenantOauthConfig").set({ clientId: "broken" }).execute(),
	}),
	INVALID_DOMAIN: (name) =>
		name === "addTenantDomain" ? { input: { host: "localhost" } } : { input: { primary: true } },
	DOMAIN_NOT_FOUND: (name) => ({
		input: name === "askTenantDomain" ? { domain: "nobody.example" } : { domainId: unknown },
	}),
	DOMAIN_ALREADY_ADDED: () => ({
		input: { host: "twice.example.com" },
		prepare: ({ addDomain }, { tenantId }) => addDomain(tenantId, "twice.example.com"),
	}),
	TOO_MANY_DOMAINS: () => ({
		prepare: async ({ db, makeTenant, addDomain }, { tenantId }) => {
			await addDomain(await makeTenant(), "another.example.com");
			const row = await db
				.selectFrom("tenantDomain")
				.selectAll()
				.where("host", "=", "another.example.com")
				.executeTakeFirstOrThrow();
			const rows = Array.from({ length: 100 }, (_, n) => {
				const host = `n${n}.example.com`;
				return { ...row, id: host, tenantId, host, lookupKey: host };
			});
			await db.insertInto("tenantDomain").values(rows).execute();
		},
	}),
	DOMAIN_NOT_VERIFIED: () => ({
		prepare: ({ db }) => db.updateTable("tenantDomain").set({ verifiedAt: null }).execute(),
	}),
	DOMAIN_TAKEN: () => ({
		prepare: async ({ db, dns, makeTenant, addDomain }, { domainId }) => {
			const domain = await db
				.selectFrom("tenantDomain")
				.selectAll()
				.where("id", "=", domainId)
				.executeTakeFirstOrThrow();
			const pending = { lookupKey: "pending:", verifiedAt: null };
			await db.updateTable("tenantDomain").set(pending).where("id", "=", domainId).execute();
			await addDomain(await makeTenant(), String(domain.host), "email");
			expect(dns.get(`_better-auth-tenant.${domain.host}`)).toHaveLength(2);
		},
	}),
	DNS_RECORD_NOT_FOUND: () => ({ prepare: async ({ dns }) => dns.clear() }),
	DNS_UNAVAILABLE: () => ({
		prepare: async ({ dns }) => {
			const { get } = dns;
			dns.get = () => {
				throw Object.assign(new Error("late"), { code: "ETIMEOUT" });
			};
			return () => {
				dns.get = get;
			};
		},
	}),
	TENANT_CHOICE_NOT_FOUND: () => ({ input: { token: unknown } }),
	TENANT_CHOOSER_NOT_HERE: () => ({ app: "tenants by path" }),
	PROVIDER_NOT_FOUND: () => ({ input: { provider: unknown } }),
	USER_NOT_FOUND: () => ({ input: { userId: unknown } }),
	ROLE_NOT_FOUND: (name) => ({ input: { role: unknown }, ...mapsRoles(name, unknown) }),
	ROLE_NOT_ALLOWED: (name) => ({
		app: "a role that may do nearly everything",
		role: "chief",
		authorization: null,
		input: {
			...mapsRoles(name, "admin").input,
			...(name === "updateTenant" ? { slug: "another-address" } : {}),
			...(name === "createTenantUser" ? { role: "owner", emailVerified: false } : {}),
			...(name === "updateTenantPolicy" ? { signIn: { methods: ["password"] } } : {}),
			...(name === "updateTenantDomain" ? { primary: true, discoverable: undefined } : {}),
		},
		prepare: async (instance, target) => {
			const { userId, domainId } = target;
			await mapsRoles(name, "admin").prepare?.(instance, target);
			await setRole(instance, userId, "owner");
			const domains = instance.db.updateTable("tenantDomain").where("id", "=", domainId);
			await domains.set({ purpose: "login" }).execute();
		},
	}),
	LAST_OWNER: () => ({
		prepare: async (instance, { tenantId, userId }) => {
			const people = instance.db.updateTable("user").where("tenantId", "=", tenantId);
			await people.set({ tenantRole: null }).execute();
			await setRole(instance, userId, "owner");
		},
	}),
	USER_NOT_SAVED: (name) => ({
		app: "hooks that refuse writes",
		prepare: async () => {
			refusedPath = ROUTES[name].path;
			return () => {
				refusedPath = undefined;
			};
		},
	}),
	USER_NOT_DELETED: () => ({ app: "hooks that refuse deletions" }),
	INVITATION_NOT_FOUND: (name) => ({
		input: /^(get|accept)/.test(name) ? { token: unknown } : { invitationId: unknown },
	}),
	SIGN_IN_LINK_NOT_ALLOWED: () => ({
		prepare: ({ db }, { userId }) =>
			db.updateTable("user").set({ tenantRole: "admin" }).where("id", "=", userId).execute(),
	}),
	MOVE_REFUSED: () => ({ input: { userIds: [unknown] } }),
	TRANSACTION_REQUIRED: () => ({ app: "no transactions", input: { dryRun: true } }),
	IMPORT_TOO_LARGE: () => ({ input: { users: Array.from({ length: 10_001 }, () => ({})) } }),
	WEBHOOK_NOT_FOUND: () => ({ input: { webhookId: unknown } }),
	WEBHOOK_DISABLED: () => ({
		prepare: ({ manage }, { tenantId, webhookId }) =>
			manage("/tenant/webhook/update", { body: { tenantId, webhookId, enabled: false } }),
	}),
	WEBHOOK_DELIVERY_NOT_FOUND: () => ({ input: { deliveryId: unknown } }),
	TOO_MANY_WEBHOOKS: () => ({
		prepare: async ({ manage }, target) => {
			const { body } = validCall("createTenantWebhook", target);
			for (let n = 1; n < 10; n += 1) await manage("/tenant/webhook/create", { body });
		},
	}),
	PASSKEY_NOT_FOUND: () => ({ input: { passkeyId: unknown } }),
	SESSION_NOT_FOUND: () => ({ input: { sessionId: unknown } }),
	SESSIONS_NOT_LISTED: () => ({ app: "a secondary storage" }),
	STORAGE_UNAVAILABLE: () => ({
		app: "a secondary storage that fails",
		prepare: async () => faulty.failAt(1),
	}),
	INVALID_EMAIL: () => ({ input: { email: "ada" } }),
	INVALID_EMAIL_OR_PASSWORD: () => ({ input: { password: "a wrong password" } }),
	EMAIL_NOT_VERIFIED: () => ({ app: "email verification" }),
	PASSWORD_TOO_SHORT: () => ({ input: { password: "x" } }),
	PASSWORD_TOO_LONG: () => ({ input: { password: "x".repeat(200) } }),
	PASSWORD_QUEUE_FULL: () => ({
		app: "a queue of passwords",
		prepare: async (instance, target) => {
			passwords.hold();
			const name = "signInEmailTenant";
			const first = instance.manage(ROUTES[name].path, validCall(name, target));
			await passwords.untilBegun(1);
			return async () => {
				passwords.endAll();
				await first;
			};
		},
	}),
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: () => ({
		input: { email: "taken@example.com" },
		prepare: ({ signUp }, { tenantId }) => signUp(tenantId, "taken@example.com", PASSWORD),
	}),
};

const KEY = `Bearer ${MANAGEMENT_KEY}`;

const definedTexts = (query: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(query).flatMap(([name, value]) =>
			typeof value === "string" ? [[name, value]] : [],
		),
	);

function provocationOf({ name, status, code }: ReturnType<typeof errorsOf>[number]) {
	const provocation = PROVOCATIONS[code]?.(name, status);
	if (!provocation) throw new Error(`nothing provokes ${code}`);
	return provocation;
}

const documented = routeNames.flatMap(errorsOf);
const appNames = Object.keys(APPS) as AppName[];

describe.each(appNames)("a documented error of an app with %s", (appName) => {
	const world = useWorld(() => makeTargetWorld({ ...usualApp, ...APPS[appName] }));

	it.each(documented.filter((error) => (provocationOf(error).app ?? "usual options") === appName))(
		"is thrown: $name $status $code",
		async ({ name, status, code }) => {
			const {
				input,
				search = "",
				authorization,
				isSignedOut,
				prepare,
				role,
			} = provocationOf({ name, status, code });
			const { target, ...instance } = world();
			const end = await prepare?.(instance, target);
			const { body, query, cookie: session } = validCall(name, target);
			const cookie = role ? await signUpAs(instance, target.tenantId, role) : session;
			const answer = await instance.call(`${ROUTES[name].path}${search}`, {
				...(cookie && !isSignedOut ? { cookie } : {}),
				headers: authorization === null ? undefined : { authorization: authorization ?? KEY },
				...(body ? { body: { ...body, ...input } } : {}),
				...(query && !search ? { query: definedTexts({ ...query, ...input }) } : {}),
			});
			if (typeof end === "function") await end();
			expect([answer.status, answer.body.code]).toEqual([status, code]);
		},
	);
});
