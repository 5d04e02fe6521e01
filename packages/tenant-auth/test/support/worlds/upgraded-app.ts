import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { type TenantAuthOptions, tenantAuth } from "better-auth-tenant";
import { planUpgrade } from "better-auth-tenant/upgrade";
import type { HostDatabase } from "./instance";
import { sqlOf } from "./plain-host";

export const withTenants = (on: HostDatabase, options: BetterAuthOptions = {}) =>
	({
		secret: "a secret of thirty-two characters or more",
		logger: { disabled: true },
		...options,
		database: on.pool ?? { db: sqlOf(on), type: on.type, transaction: true },
		plugins: options.plugins ?? [tenantAuth()],
	}) satisfies BetterAuthOptions;

export async function upgrade(on: HostDatabase, options: BetterAuthOptions = {}) {
	await (await planUpgrade(withTenants(on, options))).run();
}

/** The plugin without the fields that earlier versions had. */
export function pluginWithoutRemovedFields(options: TenantAuthOptions = {}): BetterAuthPlugin {
	const plugin: BetterAuthPlugin = tenantAuth(options);
	const schema = Object.entries(plugin.schema ?? {}).map(([model, table]) => {
		const { tenantSuspended: _, ...fields } = table.fields;
		return [model, { ...table, fields }] as const;
	});
	return { ...plugin, schema: Object.fromEntries(schema) };
}
