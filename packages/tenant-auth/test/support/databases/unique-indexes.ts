/** Every unique index of this plugin, and what else is unique in these tables: no address alone. */
export const uniqueIndexes: Record<string, string[][]> = {
	user: [["tenantId", "email"], ["username"]],
	account: [["tenantId", "providerId", "accountId"]],
	session: [["token"]],
	verification: [],
	tenant: [["slug"]],
	tenantOauthConfig: [["tenantId", "providerId"]],
	tenantDomain: [["lookupKey"], ["tenantId", "purpose", "host"]],
	tenantRow: [["model", "rowId"]],
	tenantInvitation: [["tenantId", "email"], ["tokenDigest"]],
};
