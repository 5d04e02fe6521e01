import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { type SSOOptions, sso } from "@better-auth/sso";
import type { BetterAuthPlugin, User } from "better-auth";
import { defineTenantPlugin, getCurrentTenantId, setMappedRole } from "better-auth-tenant";
import * as z from "zod";
import { mappableRoles } from "../group-roles";
import type { ServiceConfig } from "../settings/service-config";
import { SAML_ACTIONS } from "../tenant-actions";
import { findEmailDomains } from "./email-domains";
import { samlEndpoints } from "./endpoints";
import { findRole } from "./mapped-roles";
import { findProvider } from "./provider-store";
import { PROVIDER_ID } from "./service-provider";
import { samlTestEndpoints } from "./test-endpoints";
import { findTestRun, TEST_ENDED, type TestRun } from "./test-run";
import { FLOW_SECONDS, MAX_CLOCK_SKEW_MS } from "./times";

/** SAML in each tenant. Without the setting, no endpoint and no table. */
export function samlPlugins(config: ServiceConfig) {
	const endpoints = { ...samlEndpoints(config), ...samlTestEndpoints(config) };
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

/** The plugin has endpoints for users who register providers, and for OpenID Connect. They are left out. */
function samlOnly(roles: readonly string[]): BetterAuthPlugin {
	const plugin = sso({
		providersLimit: 0,
		domainVerification: { enabled: true },
		resolveUser: async (response, { database }) => {
			const provider = await findProvider(database);
			const asserted = response.protocol === "saml" ? response.providerAttributes : {};
			const role = provider && findRole(provider, asserted, roles);
			const test = findTestRun();
			if (test) {
				const decision = await resolveUser(response, { database });
				return endTest(test, { response, decision, role, group: provider?.attributes.role });
			}
			if (role) setMappedRole(role);
			return resolveUser(response, { database });
		},
		saml: {
			enableInResponseToValidation: true,
			allowIdpInitiated: false,
			requestTTL: FLOW_SECONDS * 1000,
			clockSkew: MAX_CLOCK_SKEW_MS,
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
				fields: {
					...fields,
					userId: { type: "string", required: false },
					/** A JSON object as text: how the last attempt to load the metadata ended. */
					metadataLoad: { type: "string", required: false },
				},
			},
		},
	};
}

type Resolve = NonNullable<SSOOptions["resolveUser"]>;
type Decision = Awaited<ReturnType<Resolve>>;

type TestedResponse = {
	response: Parameters<Resolve>[0];
	decision: Decision;
	role: string | null;
	/** The name of the attribute with the groups. */
	group: string | undefined;
};

/** The response is valid. It is refused all the same, before a user or a session is created. */
function endTest(test: TestRun, { response, decision, role, group }: TestedResponse): Decision {
	const { providerUser, accountKey } = response;
	const given = response.protocol === "saml" ? response.providerAttributes : {};
	const attributes = Object.fromEntries(
		Object.entries(given).map(([name, value]) => [name, [value].flat()]),
	);
	const groups = group && Object.hasOwn(attributes, group) ? (attributes[group] ?? []) : [];
	const { email, name } = providerUser;
	test.asserted = { nameId: accountKey.accountId, email, name, attributes, groups, role };
	if (decision.action === "reject") {
		test.refusal = { code: decision.code, message: decision.message ?? "The sign-in was refused" };
	}
	return { action: "reject", code: TEST_ENDED, message: "A test signs nobody in" };
}

/**
 * Admits people with an email of a domain that the tenant owns now. An identity provider can assert any
 * email, and the user with this email would be its own.
 */
const resolveUser: Resolve = async ({ providerUser: { email }, accountKey }, { database }) => {
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
