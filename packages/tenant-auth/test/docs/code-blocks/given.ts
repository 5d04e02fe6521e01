/** What a block without a file name may use without an import: what your app has anyway. */
import { betterAuth } from "better-auth";
import { createAuthClient } from "better-auth/client";
import { twoFactorClient } from "better-auth/client/plugins";
import { twoFactor } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import {
	tenantAuthClient,
	tenantDomainsClient,
	tenantImportsClient,
	tenantInvitationsClient,
	tenantLinksClient,
	tenantOpenIdClient,
	tenantSignInsClient,
	tenantWebhooksClient,
} from "better-auth-tenant/client";
import { tenantDomains } from "better-auth-tenant/domains";
import { tenantImports } from "better-auth-tenant/imports";
import type { Kysely } from "kysely";
import type { Client } from "pg";

export { getSessionFromCtx } from "better-auth/api";
export { tenantAccess, tenantHosts } from "better-auth-tenant";
export { tenantInvitations } from "better-auth-tenant/invitations";
export { tenantLinks } from "better-auth-tenant/links";
export { RESERVED_SLUGS } from "better-auth-tenant/rules";
export { tenantSignIns } from "better-auth-tenant/sign-ins";
export { deliverWebhooks, tenantWebhooks } from "better-auth-tenant/webhooks";
export * as z from "zod";
export { betterAuth, createAuthClient, tenantAuth, tenantAuthClient, tenantDomains, tenantImports };

export const auth = betterAuth({
	emailAndPassword: { enabled: true },
	plugins: [tenantAuth(), tenantDomains(), tenantImports(), twoFactor()],
});
export const client = createAuthClient({
	plugins: [
		tenantAuthClient(),
		tenantDomainsClient(),
		tenantInvitationsClient(),
		tenantLinksClient(),
		tenantOpenIdClient(),
		tenantImportsClient(),
		tenantSignInsClient(),
		tenantWebhooksClient(),
		twoFactorClient(),
	],
});

export declare const tenantId: string;
export declare const password: string;
export declare const idToken: string;
export declare const nonce: string;
export declare const sendEmail: (to: string, subject: string, text: string) => Promise<void>;

/** A library that verifies hashes. */
export declare const bcrypt: { compare(password: string, hash: string): Promise<boolean> };

/** The CRM of an app. */
export declare const crm: { addContact(email: string): Promise<void> };
export declare const isOwner: (userId: string | undefined, tenantId: string | null) => boolean;
export declare const mayManageSignIn: (user: { id: string }) => Promise<boolean>;

/** Connections of the app to its own database. */
export declare const pgClient: Client;
export declare const db: Kysely<{ invoice: { id: string; tenant_id: string } }>;
