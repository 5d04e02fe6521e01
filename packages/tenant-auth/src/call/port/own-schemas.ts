import type { BetterAuthPlugin } from "@better-auth/core";
import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { CORE_MODELS } from "../../schema";
import { tenantPartOf } from "./features";
import type { TenantPart } from "./tenant-plugin";

/** The tables and columns of `tenantAuth()`, or of a plugin with a tenant part. */
export interface OwnSchema {
	/** Of the plugin. */
	id: string;
	/** What messages call the plugin. */
	name: string;
	/** The function whose option `schema` renames them. */
	creator: string | undefined;
	/** Whether the plugin needs tenants. Then no table or column of it is older than they are. */
	needsTenants: boolean;
	schema: BetterAuthPluginDBSchema;
	/** The tables that it does not only add columns to. */
	tables: readonly string[];
}

const CORE = "tenant-auth";
const CORE_PART: TenantPart = { creator: "tenantAuth", requires: [CORE] };

/** `tenantAuth()` comes first. */
export function ownSchemasOf(plugins: readonly BetterAuthPlugin[] = []): OwnSchema[] {
	const isCore = ({ id }: BetterAuthPlugin) => id === CORE;
	const sorted = [...plugins.filter(isCore), ...plugins.filter((plugin) => !isCore(plugin))];
	return sorted.flatMap((plugin, at) => {
		const { id, schema } = plugin;
		const part = isCore(plugin) ? CORE_PART : tenantPartOf(plugin);
		if (!part || !schema) return [];
		const { creator, requires = [] } = part;
		const taken = [
			...CORE_MODELS,
			...sorted.slice(0, at).flatMap((earlier) => Object.keys(earlier.schema ?? {})),
		];
		return {
			id,
			name: creator ?? `the plugin ${id}`,
			creator,
			needsTenants: requires.includes(CORE),
			schema,
			tables: Object.keys(schema).filter((model) => !taken.includes(model)),
		};
	});
}
