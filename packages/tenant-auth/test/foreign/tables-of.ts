import type { ForeignPlugin } from "../../src/call/foreign/foreign-plugin";

/** Isolation is about the tables of core, and `rateLimit` is also an option of Better Auth. */
const CORE_TABLES = ["user", "session", "account", "verification", "rateLimit"];

/** The tables that a declaration names, wherever it does. */
export function tablesOf(plugin: ForeignPlugin): string[] {
	const { tables, secrets, tokenFields, exclusiveFields, globalFields, credentials } = plugin;
	const rules = Object.values(plugin.paths ?? {});
	const byTable = [tables, secrets, tokenFields, exclusiveFields, globalFields, credentials];
	return [
		...[...byTable, ...rules.map(({ rows }) => rows)].flatMap((it) => Object.keys(it ?? {})),
		...rules.flatMap(({ publicId }) => publicId?.table ?? []),
		...(plugin.expiringTables ?? []),
		...(plugin.ownerTables ?? []),
		...Object.values(plugin.activeFields ?? {}),
		...[plugin.accountProviders, plugin.signingKeys].flatMap((it) => it ?? []),
		...Object.values(plugin.grants ?? {}),
		...[plugin.passkeys, plugin.secondFactor, plugin.storedTokens].flatMap((it) => it?.table ?? []),
	].filter((table) => !CORE_TABLES.includes(table));
}
