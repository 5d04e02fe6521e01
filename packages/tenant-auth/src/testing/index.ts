/**
 * Tenants, users and sessions for the tests of your app.
 *
 * This is the entry `better-auth-tenant/testing`.
 *
 * @module
 */
import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { makeSignature } from "better-auth/crypto";
import { runInTenant } from "../call/context/current-scope";
import type { AnyAuth } from "../call/context/current-state";
import { byManagement } from "../call/context/policy-check";
import { requiredFields } from "../database/row-fields";
import type { Tenant, TenantMetadata } from "../management/tenants/tenant";

/** An instance with `tenantAuth()`. */
interface AuthWithTenants extends AnyAuth {
	api: {
		createTenant(input: {
			body: { name: string; slug: string; metadata?: TenantMetadata };
		}): Promise<Tenant>;
		deleteTenant(input: { body: { tenantId: string } }): Promise<unknown>;
	};
}

export interface TestUserOptions {
	/** @default an address that no other test user has */
	email?: string;
	/** @default "Test User" */
	name?: string;
	/** Other columns of the user, for example `tenantRole` or additional fields of your app. */
	fields?: Record<string, unknown>;
}

export interface TestUser {
	user: User & { tenantId: string };
	session: Session & { tenantId: string };
	/** Send them with a request: the session cookie, and the origin that Better Auth checks. */
	headers: Headers;
}

export interface TestTenantOptions extends TestUserOptions {
	/** @default a slug that no other test tenant has */
	slug?: string;
	metadata?: TenantMetadata;
}

export interface TestTenant extends TestUser {
	tenant: Tenant;
	/** Creates another user of this tenant, who is signed in too. */
	addUser(options?: TestUserOptions): Promise<TestUser>;
	/** Deletes the tenant with everything in it. */
	remove(): Promise<void>;
}

/**
 * Creates a tenant with a user who is signed in. The user has no password and a verified email. It
 * works past sign-up, so neither a policy nor email verification stands in the way. Never use it outside
 * of tests.
 *
 * @example
 * ```ts
 * const { tenant, user, headers, remove } = await createTestTenant(auth);
 * const response = await app.request("/invoices", { headers });
 * ```
 */
export async function createTestTenant(
	auth: AuthWithTenants,
	{ slug = `test-${randomName()}`, metadata, ...user }: TestTenantOptions = {},
): Promise<TestTenant> {
	await requireFields(auth, user);
	const tenant = await auth.api.createTenant({
		body: { name: slug, slug, ...(metadata ? { metadata } : {}) },
	});
	const addUser = (options: TestUserOptions = {}) => createTestUser(auth, tenant.id, options);
	return {
		tenant,
		...(await addUser(user)),
		addUser,
		remove: async () => {
			await auth.api.deleteTenant({ body: { tenantId: tenant.id } });
		},
	};
}

async function createTestUser(
	auth: AuthWithTenants,
	tenantId: string,
	{ email = `${randomName()}@example.com`, name = "Test User", fields }: TestUserOptions,
): Promise<TestUser> {
	const ctx = await requireFields(auth, { fields });
	return runInTenant(auth, tenantId, async () => {
		const { internalAdapter } = ctx;
		const data = { email: email.toLowerCase(), name, emailVerified: true, ...fields };
		const user = await byManagement(() => internalAdapter.createUser(data, { method: "test" }));
		const session = await internalAdapter.createSession(user.id);
		return {
			user: { ...user, tenantId },
			session: { ...session, tenantId },
			headers: await headersFor(ctx, session.token),
		};
	});
}

/** The database would only say that a column is null. */
async function requireFields(auth: AnyAuth, { fields = {} }: TestUserOptions) {
	const ctx = (await auth.$context) as AuthContext;
	const missing = requiredFields(ctx.options.user?.additionalFields).filter(
		(name) => (fields[name] ?? null) === null,
	);
	if (missing.length === 0) return ctx;
	const example = missing.map((name) => `${name}: …`).join(", ");
	throw new Error(
		`createTestTenant: users of this app need values for ${missing.join(", ")}. Pass them: createTestTenant(auth, { fields: { ${example} } })`,
	);
}

async function headersFor(ctx: AuthContext, token: string): Promise<Headers> {
	const signed = `${token}.${await makeSignature(token, ctx.secret)}`;
	const headers = new Headers({
		cookie: `${ctx.authCookies.sessionToken.name}=${encodeURIComponent(signed)}`,
	});
	if (ctx.baseURL) headers.set("origin", new URL(ctx.baseURL).origin);
	return headers;
}

const randomName = () => crypto.randomUUID().slice(0, 8);
