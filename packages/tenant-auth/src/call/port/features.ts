import type { BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { EncryptedTable } from "../../database/encrypted-fields";
import type { OwnProviders } from "./own-providers";
import type {
	Admission,
	CleanUp,
	CustomHosts,
	SessionStage,
	SignInRecorder,
	SocialFlowStage,
	TenantAction,
	TenantPart,
	TransactionListener,
} from "./tenant-plugin";

/** What the plugins of an app add to tenants, joined. */
export interface Features {
	/** By their names. */
	actions: ReadonlyMap<string, TenantAction>;
	/** The tables that isolation leaves alone. */
	tables: ReadonlyMap<string, "explicit" | "short-lived" | "shared">;
	secrets: readonly EncryptedTable[];
	eventTypes: readonly string[];
	listeners: readonly TransactionListener[];
	recorders: readonly SignInRecorder[];
	logged: readonly NonNullable<TenantPart["logged"]>[];
	admissions: readonly Admission[];
	sessionStages: readonly SessionStage[];
	hosts: CustomHosts | null;
	emailDomains: readonly NonNullable<TenantPart["emailDomains"]>[];
	emailDomainOwners: readonly NonNullable<TenantPart["emailDomainOwner"]>[];
	socialFlows: readonly SocialFlowStage[];
	/** The method of each path. */
	signInPaths: ReadonlyMap<string, string>;
	ownProviders: OwnProviders | undefined;
	forgetUser: readonly NonNullable<TenantPart["forgetUser"]>[];
	cleanUps: ReadonlyMap<string, CleanUp>;
	impersonationPaths: readonly string[];
}

/** A new field does not compile before it is named here. */
const FIELDS: Record<keyof TenantPart, true> = {
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
	const tables = new Map<string, "explicit" | "short-lived" | "shared">();
	const cleanUps = new Map<string, CleanUp>();
	const secrets: EncryptedTable[] = [];
	const eventTypes: string[] = [];
	const listeners: TransactionListener[] = [];
	const recorders: SignInRecorder[] = [];
	const logged: NonNullable<TenantPart["logged"]>[] = [];
	const admissions: Admission[] = [];
	const sessionStages: SessionStage[] = [];
	const forgetUser: NonNullable<TenantPart["forgetUser"]>[] = [];
	const impersonationPaths: string[] = [];
	const emailDomains: NonNullable<TenantPart["emailDomains"]>[] = [];
	const emailDomainOwners: NonNullable<TenantPart["emailDomainOwner"]>[] = [];
	const socialFlows: SocialFlowStage[] = [];
	const signInPaths = new Map<string, string>();
	let hosts: CustomHosts | null = null;
	let ownProviders: OwnProviders | undefined;
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
		const requireFunctions = (field: keyof TenantPart, names: string[]) => {
			const missing = names.find((name) => typeof Object(part[field])[name] !== "function");
			if (missing) stop(`has ${field} without ${missing}`);
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
		const requireOwnPath = (path: string) =>
			paths.includes(path) || stop(`names the path ${path}, which none of its endpoints has`);
		for (const path of part.impersonationPaths ?? []) {
			requireOwnPath(path);
			impersonationPaths.push(path);
		}
		for (const [path, method] of Object.entries(part.signInPaths ?? {})) {
			requireOwnPath(path);
			signInPaths.set(path, method);
		}
		eventTypes.push(...Object.keys(part.events ?? {}));
		if (part.listener) listeners.push(part.listener);
		if (part.signIns) {
			requireOwnTable(part.signIns.table);
			recorders.push(part.signIns);
		}
		if (part.logged) logged.push(part.logged);
		if (part.admission) {
			requireFunctions("admission", ["isInvited", "acceptUser", "isExpected"]);
			admissions.push(part.admission);
		}
		if (part.session) sessionStages.push(part.session);
		if (part.hosts) {
			// Otherwise it would be up to the order of the plugins whose a host is.
			if (hosts) stop("finds tenants by their hosts, which another plugin does already");
			requireFunctions("hosts", ["findTenant", "findLinkHost"]);
			hosts = part.hosts;
		}
		if (part.emailDomains) emailDomains.push(part.emailDomains);
		if (part.emailDomainOwner) emailDomainOwners.push(part.emailDomainOwner);
		if (part.socialFlow) socialFlows.push(part.socialFlow);
		if (part.ownProviders) {
			if (ownProviders) stop("has ownProviders, which another plugin has already");
			requireFunctions("ownProviders", ["check", "build", "nameOf"]);
			ownProviders = part.ownProviders;
		}
		if (part.forgetUser) forgetUser.push(part.forgetUser);
	}
	return {
		...{ actions, tables, secrets, eventTypes, listeners, recorders, logged, forgetUser },
		...{ admissions, sessionStages, hosts, emailDomains, signInPaths, ownProviders },
		...{ cleanUps, impersonationPaths, emailDomainOwners, socialFlows },
	};
}
