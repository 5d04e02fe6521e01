import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";

/**
 * Indexes for the two look-ups across all tenants. All other queries begin with the tenant, and so do all
 * other indexes. Without these, each sign-in through the chooser would read all users.
 *
 * With an index on the email alone, MariaDB reads all users of a tenant to find those with some emails.
 */
export const chooserIndexes = () =>
	({
		user: { fields: {}, indexes: [{ fields: ["email", "tenantId"] }] },
		account: { fields: {}, indexes: [{ fields: ["accountId", "providerId"] }] },
	}) satisfies BetterAuthPluginDBSchema;
