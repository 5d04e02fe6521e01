import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { ofTenant, renamed, type SchemaNames, text, timestamp } from "../../columns";

const createSchema = () =>
	({
		/** A host name that a tenant has added, to sign in at or for its emails. */
		tenantDomain: {
			fields: {
				tenantId: { ...ofTenant },
				/** In lowercase and in ASCII. */
				host: { ...text },
				/** `login` or `email` */
				purpose: { ...text },
				/**
				 * Purpose and host once the domain is verified, before that a random text. So one tenant can
				 * have verified a host name, and any number can have added it.
				 */
				lookupKey: { ...text, unique: true },
				/** What the DNS record must contain. */
				token: { ...text },
				verifiedAt: { type: "date", required: false },
				/** When the record was last found. */
				checkedAt: { type: "date", required: false },
				/** Set while the record of a verified domain cannot be found. */
				missingSince: { type: "date", required: false },
				/** The login domain with the latest one is where emails lead. */
				primarySince: { type: "date", required: false },
				/** Whether anybody may learn that this email domain belongs to the tenant. */
				discoverable: { type: "boolean", required: true, defaultValue: false },
				createdAt: { ...timestamp },
			},
			indexes: [{ fields: ["tenantId", "purpose", "host"], unique: true }],
		},
	}) satisfies BetterAuthPluginDBSchema;

type DomainSchema = ReturnType<typeof createSchema>;

/** Other names for the table and the columns of domains. */
export type TenantDomainsSchemaNames = SchemaNames<DomainSchema>;

/** Each instance has its own copy. */
export const domainsSchema = (names?: TenantDomainsSchemaNames): DomainSchema =>
	renamed("tenantDomains", createSchema(), names);
