import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { Connection } from "./host-database";
import type { UpgradeCatalog } from "./upgrade-catalog";

/** Plugins whose tables `tenantAuth()` itself had in earlier versions. */
const MOVED: Readonly<Record<string, readonly string[]>> = {
	"tenantWebhooks() of better-auth-tenant/webhooks": ["tenantWebhook", "tenantWebhookDelivery"],
	"tenantDomains() of better-auth-tenant/domains": ["tenantDomain"],
	"tenantImports() of better-auth-tenant/imports": ["tenantImportedUser"],
	"tenantInvitations() of better-auth-tenant/invitations": ["tenantInvitation"],
	"tenantSignIns() of better-auth-tenant/sign-ins": ["tenantSignIn"],
};

/** Says which plugins an app lacks whose rows an earlier version has written. */
export async function describeMissingPlugins(
	catalog: UpgradeCatalog,
	{ query }: Connection,
	declared: BetterAuthDBSchema,
): Promise<string[]> {
	const known = Object.values(declared).map(({ modelName }) => modelName);
	const columns = await catalog.columnsOfAll(Object.values(MOVED).flat());
	const isUndeclared = (table: string) =>
		!known.includes(table) && columns.get(table)?.some(({ name }) => name === "tenantId");
	const notes: string[] = [];
	for (const [plugin, tables] of Object.entries(MOVED)) {
		const used: string[] = [];
		for (const table of tables.filter(isUndeclared)) {
			const rows = await query(`select 1 as one from ${catalog.table(table)} limit 1`);
			if (rows.length > 0) used.push(table);
		}
		if (used.length > 0) {
			notes.push(
				`There are rows of ${plugin} in ${used.join(" and ")}, but it is not in the plugins. The upgrade keeps them as they are. To use them, add the plugin`,
			);
		}
	}
	return notes;
}
