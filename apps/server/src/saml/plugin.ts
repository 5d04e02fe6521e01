import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { type SSOOptions, sso } from "@better-auth/sso";
import type { BetterAuthPlugin, User } from "better-auth";
import { defineTenantPlugin, getCurrentTenantId, setMappedRole } from "better-auth-tenant";
import * as z from "zod";
import type { ServiceConfig } from "../settings/service-config";
import { SAML_ACTIONS } from "../tenant-actions";
import { findEmailDomains } from "./email-domains";
import { samlEndpoints } from "./endpoints";
import { findRole, mappableRoles } from "./mapped-roles";
import { findProvider } from "./provider-store";
import { PROVIDER_ID } from "./service-provider";

/** SAML in each tenant. Without the setting, no endpoint and no table. */
export function samlPlugins(config: ServiceConfig) {
	const endpoints = samlEndpoints(config);
	const isOn = config.settings.saml;
	return [
		...(isOn ? [samlOnly(mappableRoles(config.settings))] : []),
		defineTenantPlugin({
			id: "tenant-auth-saml",
			endpoints: isOn ? endpoints : ({} as typeof endpoints),
			// TENANT_ROLES may name the actions in any case.
			tenant: { actions: SAML_ACTIONS },
		}),
	];
}

const MINUTE_MS = 60_000;

/** The plugin has endpoints for users who register providers, and for OpenID Connect. They are left out. */
function samlOnly(roles: readonly string[]): BetterAuthPlugin {
	const plugin = sso({
		providersLimit: 0,
		domainVerification: { enabled: true },
		resolveUser: async (response, { database }) => {
			const provider = await findProvider(database);
			const asserted = response.protocol === "saml" ? response.providerAttributes : {};
			const role = provider && findRole(provider, asserted, roles);
			if (role) setMappedRole(role);
			return resolveUser(response, { database });
		},
		saml: {
			enableInResponseToValidation: true,
			allowIdpInitiated: false,
			requestTTL: 10 * MINUTE_MS,
			clockSkew: 2 * MINUTE_MS,
			requireTimestamps: true,
			algorithms: { onDeprecated: "reject" },
		},
	});
	const { signInSSO, acsEndpoint } = plugin.endpoints;
	const { userId: _, ...fields } = plugin.schema.ssoProvider.fields;
	return {
		...plugin,
		endpoints: { signInSSO, acsEndpoint },
		// It belongs to the tenant, and must not be deleted with the user who has set it up.
		schema: {
			ssoProvider: {
				...plugin.schema.ssoProvider,
				fields: { ...fields, userId: { type: "string", required: false } },
			},
		},
	};
}

/**
 * Admits people with an email of a domain that the tenant owns now. An identity provider can assert any
 * email, and the user with this email would be its own.
 */
const resolveUser: NonNullable<SSOOptions["resolveUser"]> = async (
	{ providerUser: { email }, accountKey },
	{ database },
) => {
	// It may be a list of emails, or a text that a database takes for the email of another user.
	if (!z.email().max(254).safeParse(email).success) {
		return { action: "reject", code: "INVALID_EMAIL", message: "The email is not valid" };
	}
	const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
	const domains = await findEmailDomains(database, (await getCurrentTenantId()) ?? "");
	if (!domains.includes(domain)) {
		return {
			action: "reject",
			code: "EMAIL_DOMAIN_NOT_VERIFIED",
			message: "The tenant has not verified the domain of this email",
		};
	}
	const userId = await findUnusedUser(database, email, accountKey.accountId);
	return userId ? { action: "link", userId, profile: "preserve" } : { action: "continue" };
};

/**
 * A user whom a directory or an admin has created, and who has never signed in. The email is not verified,
 * but nobody else can know a password or have a passkey, as after a sign-up with the email of another person.
 */
async function findUnusedUser(
	database: Pick<DBTransactionAdapter, "findOne" | "count">,
	email: string,
	accountId: string,
): Promise<string | null> {
	const account = [
		{ field: "providerId", value: PROVIDER_ID },
		{ field: "accountId", value: accountId },
	];
	if ((await database.count({ model: "account", where: account })) > 0) return null;
	const where = [{ field: "email", value: email.toLowerCase() }];
	const user = await database.findOne<User>({ model: "user", where });
	if (!user || user.emailVerified) return null;
	for (const model of ["account", "passkey"]) {
		const ofUser = [{ field: "userId", value: user.id }];
		if ((await database.count({ model, where: ofUser })) > 0) return null;
	}
	return user.id;
}
