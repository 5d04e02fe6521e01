import type { BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { EncryptedTable } from "../../database/encrypted-fields";
import type { CleanUp, TenantAction, TenantPart } from "./tenant-plugin";

type Field = keyof TenantPart;
type Value<Name extends Field> = NonNullable<TenantPart[Name]>;
type Table = "explicit" | "short-lived" | "shared";

/** What the plugins of an app add to tenants, joined. */
export interface Features {
	/** By their names. */
	actions: ReadonlyMap<string, TenantAction>;
	/** The tables that isolation leaves alone. */
	tables: ReadonlyMap<string, Table>;
	secrets: readonly EncryptedTable[];
	eventTypes: readonly string[];
	listeners: readonly Value<"listener">[];
	recorders: readonly Value<"signIns">[];
	logged: readonly Value<"logged">[];
	admissions: readonly Value<"admission">[];
	sessionStages: readonly Value<"session">[];
	hosts: Value<"hosts"> | null;
	emailDomains: readonly Value<"emailDomains">[];
	emailDomainOwners: readonly Value<"emailDomainOwner">[];
	socialFlows: readonly Value<"socialFlow">[];
	/** The method of each path. */
	signInPaths: ReadonlyMap<string, string>;
	ownProviders: Value<"ownProviders"> | undefined;
	verifyPassword: readonly Value<"verifyPassword">[];
	forgetUser: readonly Value<"forgetUser">[];
	cleanUps: ReadonlyMap<string, CleanUp>;
	impersonationPaths: readonly string[];
}

/** A new field does not compile before it is named here. */
const FIELDS: Record<Field, true> = {
	actions: true,
	tables: true,
	secrets: true,
	events: true,
	listener: true,
	signIns: true,
	logged: true,
	admission: true,
	session: true,
	hosts: true,
	emailDomains: true,
	emailDomainOwner: true,
	socialFlow: true,
	signInPaths: true,
	ownProviders: true,
	verifyPassword: true,
	forgetUser: true,
	cleanUp: true,
	impersonationPaths: true,
	requires: true,
	creator: true,
};

const ACTION = /^[a-z][a-z\d-]*:[a-z][a-z\d-]*$/;
const GRANTS = ["owner", "optional", "app"];

/** Better Auth does not know this part of a plugin. */
export const tenantPartOf = (plugin: object): TenantPart | undefined =>
	"tenant" in plugin && typeof plugin.tenant === "object" && plugin.tenant !== null
		? plugin.tenant
		: undefined;

/**
 * Finds the tenant parts among the plugins of an app. Whatever is wrong with them stops the start.
 *
 * @param ownActions the actions of `tenantAuth()` itself
 */
export function collectFeatures(
	plugins: readonly BetterAuthPlugin[],
	ownActions: readonly string[],
): Features {
	const actions = new Map<string, TenantAction>();
	const tables = new Map<string, Table>();
	const cleanUps = new Map<string, CleanUp>();
	const secrets: EncryptedTable[] = [];
	const parts: TenantPart[] = [];
	const all = <Name extends Field>(name: Name): Value<Name>[] =>
		parts.flatMap((part): Value<Name>[] => {
			const value = part[name];
			return value ? [value] : [];
		});
	for (const plugin of plugins) {
		const part = tenantPartOf(plugin);
		if (!part) continue;
		const stop = (problem: string): never => {
			throw new BetterAuthError(
				`tenantAuth: the tenant part of the plugin ${plugin.id} ${problem}`,
			);
		};
		const ownTables = Object.keys(plugin.schema ?? {});
		const requireOwnTable = (model: string) =>
			ownTables.includes(model) || stop(`names the table ${model}, which is not in its schema`);
		/** In JavaScript, nothing else checks it. */
		const requireFunctions = (field: Field, ...names: string[]) => {
			const missing = names.find((name) => typeof Object(part[field])[name] !== "function");
			if (part[field] && missing) stop(`has ${field} without ${missing}`);
		};
		for (const field of Object.keys(part)) {
			if (!Object.hasOwn(FIELDS, field)) stop(`has the unknown field ${field}`);
		}
		for (const id of part.requires ?? []) {
			const needed = plugins.findIndex((other) => other.id === id);
			if (needed === -1) stop(`needs the plugin ${id}`);
			// Its tables may refer to those of the other, which are created first.
			if (needed > plugins.indexOf(plugin)) stop(`must come after the plugin ${id}`);
		}
		for (const [name, value] of Object.entries(part.actions ?? {})) {
			const action = typeof value === "string" ? { grant: value } : value;
			if (!ACTION.test(name)) stop(`has the action ${name}, which is not like note:create`);
			if (!GRANTS.includes(action.grant)) stop(`grants ${name} to ${action.grant}`);
			if (ownActions.includes(name) || actions.has(name)) stop(`has ${name}, which exists already`);
			actions.set(name, action);
		}
		for (const [model, kind] of Object.entries(part.tables ?? {})) {
			requireOwnTable(model);
			const { fields = {} } = plugin.schema?.[model] ?? {};
			if (kind !== "shared" && !fields.tenantId) stop(`needs a column tenantId in ${model}`);
			tables.set(model, kind);
		}
		for (const [model, fields] of Object.entries(part.secrets ?? {})) {
			requireOwnTable(model);
			secrets.push({
				model,
				fields: fields.map((field) => ({ ...field, ifUnreadable: "handled by its feature" })),
			});
		}
		for (const [name, work] of Object.entries(part.cleanUp ?? {})) {
			if (cleanUps.has(name)) stop(`cleans up ${name}, which another plugin does already`);
			cleanUps.set(name, work);
		}
		const paths = Object.values(plugin.endpoints ?? {}).map(({ path }) => path);
		for (const path of [
			...(part.impersonationPaths ?? []),
			...Object.keys(part.signInPaths ?? {}),
		]) {
			if (!paths.includes(path)) stop(`names the path ${path}, which none of its endpoints has`);
		}
		if (part.signIns) requireOwnTable(part.signIns.table);
		// Otherwise it would be up to the order of the plugins whose a host is.
		if (part.hosts && all("hosts").length > 0)
			stop("finds tenants by their hosts, which another plugin does already");
		if (part.ownProviders && all("ownProviders").length > 0)
			stop("has ownProviders, which another plugin has already");
		requireFunctions("admission", "isInvited", "acceptUser", "isExpected");
		requireFunctions("hosts", "findTenant", "findLinkHost");
		requireFunctions("ownProviders", "check", "build", "nameOf");
		parts.push(part);
	}
	return {
		...{ actions, tables, secrets, cleanUps },
		eventTypes: all("events").flatMap(Object.keys),
		listeners: all("listener"),
		recorders: all("signIns"),
		logged: all("logged"),
		admissions: all("admission"),
		sessionStages: all("session"),
		hosts: all("hosts")[0] ?? null,
		emailDomains: all("emailDomains"),
		emailDomainOwners: all("emailDomainOwner"),
		socialFlows: all("socialFlow"),
		signInPaths: new Map(all("signInPaths").flatMap(Object.entries<string>)),
		ownProviders: all("ownProviders")[0],
		verifyPassword: all("verifyPassword"),
		forgetUser: all("forgetUser"),
		impersonationPaths: all("impersonationPaths").flat(),
	};
}
