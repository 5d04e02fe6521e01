import { BetterAuthError } from "@better-auth/core/error";
import type { Grant } from "../../call/port/tenant-plugin";
import type { CoreAction, ManagementAction } from "../../routes";

/** A new action does not compile before it is named here. */
export const CORE_GRANTS = {
	"tenant:create": "app",
	"tenant:get": "owner",
	"tenant:list": "app",
	"tenant:update": "owner",
	"tenant:delete": "app",
	"tenant:suspend": "app",
	"tenant:resume": "app",
	"policy:get": "owner",
	"policy:update": "owner",
	"oauth-config:register": "owner",
	"oauth-config:list": "owner",
	"oauth-config:update": "owner",
	"oauth-config:delete": "owner",
	"oauth-config:effective": "owner",
	"user:list": "owner",
	"user:get": "owner",
	"user:create": "owner",
	"user:update": "owner",
	"user:disable": "owner",
	"user:enable": "owner",
	"user:impersonate": "optional",
	"user:delete": "owner",
	"user:revoke-sessions": "owner",
	"user:send-password-reset": "owner",
	"user:remove-second-factor": "owner",
	"user:remove-passkeys": "owner",
	"user:sign-in-link": "app",
	"session:list": "owner",
	"session:revoke": "owner",
	"audit:list": "owner",
	"audit:erase": "app",
} as const satisfies Record<CoreAction, Grant>;

type GrantableAction = {
	[Action in CoreAction]: (typeof CORE_GRANTS)[Action] extends "app" ? never : Action;
}[CoreAction];

type ResourceOf<Action> = Action extends `${infer Resource}:${string}` ? Resource : never;
type NameOf<Action, Resource extends string> = Action extends `${Resource}:${infer Name}`
	? Name
	: never;

type CoreStatements = {
	readonly [Resource in ResourceOf<GrantableAction>]: readonly NameOf<GrantableAction, Resource>[];
};

/** What a role may contain. Actions of other plugins are checked at the start. */
type TenantStatements = Partial<CoreStatements> & Readonly<Record<string, readonly string[]>>;

/** Who may do what in an app. */
export interface Rights {
	/** The roles of the app. */
	roles: TenantRoles;
	/** Of all actions: those of `tenantAuth()`, and those of plugins. */
	grants: Readonly<Record<string, Grant>>;
}

/** A role of your app, made with `tenantAccess.newRole()`. */
export interface TenantRole {
	/** Actions by resource. */
	readonly statements: Readonly<Record<string, readonly string[]>>;
}

/** The roles of your app, by their names. */
export type TenantRoles = Readonly<Record<string, TenantRole>>;

/** What a role can permit. */
const grantableActions = ({ grants }: Pick<Rights, "grants">): ManagementAction[] =>
	(Object.keys(grants) as ManagementAction[]).filter((action) => grants[action] !== "app");

function statementsOf(actions: ManagementAction[]): unknown {
	const statements: Record<string, string[]> = {};
	for (const action of actions) {
		const [resource = "", name = ""] = action.split(":");
		statements[resource] = [...(statements[resource] ?? []), name];
	}
	return statements;
}

/**
 * Makes roles for the option `roles`: actions by resource, of `tenantAuth()` and of plugins with a `tenant`
 * part.
 *
 * @example
 * ```ts
 * const support = tenantAccess.newRole({ user: ["list", "get"], session: ["list", "revoke"] });
 * tenantAuth({ roles: { support } });
 * ```
 */
export const tenantAccess = {
	newRole: (statements: TenantStatements): TenantRole => ({ statements }),
	/** What a role can permit, without the actions of other plugins. */
	statements: statementsOf(grantableActions({ grants: CORE_GRANTS })) as CoreStatements,
};

export const OWNER = "owner";
const MEMBER = "member";
const ADMIN = "admin";

/** The role of a user in their tenant. */
export function roleOf(user: object): string {
	const role = "tenantRole" in user ? user.tenantRole : null;
	return typeof role === "string" && role !== "" ? role : MEMBER;
}

/** The role as the column has it: a member has none. */
export const storedRole = <Role extends string | undefined>(role: Role): Role | null =>
	role === MEMBER ? null : role;

/** Whether a user may sign in: neither disabled here nor banned in Better Auth's admin plugin. */
export function isActive(user: object): boolean {
	const disabledAt = "disabledAt" in user ? user.disabledAt : null;
	return !disabledAt && !isBanned(user);
}

/** A ban may end by itself. The admin plugin removes it from the user at the next sign-in. */
function isBanned(user: object): boolean {
	if (!("banned" in user && user.banned)) return false;
	const end = "banExpires" in user ? user.banExpires : null;
	return !(end instanceof Date && end <= new Date());
}

/** Whether a user is an owner who may sign in. */
export const isActiveOwner = (user: object): boolean => roleOf(user) === OWNER && isActive(user);

export const isRole = (roles: TenantRoles, name: string): boolean =>
	[OWNER, ADMIN, MEMBER].includes(name) || Object.hasOwn(roles, name);

/** Whether a role permits an action that roles can permit. A role that the app has removed permits nothing. */
function allows({ roles, grants }: Rights, name: string, action: ManagementAction): boolean {
	if (!Object.hasOwn(roles, name)) return name === ADMIN && grants[action] === "owner";
	const [resource = "", actionName = ""] = action.split(":");
	const { statements = {} } = roles[name] ?? {};
	return Object.hasOwn(statements, resource) && statements[resource]?.includes(actionName) === true;
}

/**
 * Whether a role permits an action in its user's own tenant. An owner may do what any role of the app may do:
 * no role has a permission that an owner does not have.
 */
export function permits(rights: Rights, name: string, action: ManagementAction): boolean {
	const { roles, grants } = rights;
	const grant = Object.hasOwn(grants, action) ? grants[action] : undefined;
	// An unknown action is refused.
	if (grant === undefined || grant === "app") return false;
	if (name !== OWNER) return allows(rights, name, action);
	return grant === "owner" || Object.keys(roles).some((other) => allows(rights, other, action));
}

/**
 * Whether a user with one role may manage a user with the other, or give the other role to somebody.
 * Only an owner reaches an owner, and nobody reaches a role that permits more than their own.
 */
export function reaches(rights: Rights, name: string, other: string): boolean {
	if (name === OWNER) return true;
	if (other === OWNER) return false;
	return grantableActions(rights).every(
		(action) => !permits(rights, other, action) || permits(rights, name, action),
	);
}

/** Everything that a role permits in its user's own tenant. */
export const actionsOfRole = (rights: Rights, name: string): ManagementAction[] =>
	grantableActions(rights).filter((action) => permits(rights, name, action));

/** The roles that a user with this role may give to others, and whose users they may manage. */
export const reachableRoles = (rights: Rights, name: string): string[] =>
	[...new Set([OWNER, ADMIN, MEMBER, ...Object.keys(rights.roles)])].filter((other) =>
		reaches(rights, name, other),
	);

/**
 * Whether an invitation to a role gives a user more than they have. A member gets every role that permits
 * all that a member may do, others only one that permits more than theirs.
 */
export function isRaise(rights: Rights, from: string, to: string): boolean {
	if (from === to || !reaches(rights, to, from)) return false;
	return from === MEMBER || !reaches(rights, from, to);
}

const ROLE_NAME = /^[a-z][\w.:-]{0,63}$/i;

/** A wrong role stops the start. */
export function requireValidRoles(rights: Rights): void {
	const known: readonly string[] = grantableActions(rights);
	for (const [name, role] of Object.entries(rights.roles)) {
		if (name === OWNER) {
			throw new BetterAuthError("tenantAuth: the permissions of the role owner cannot be replaced");
		}
		if (!ROLE_NAME.test(name)) {
			throw new BetterAuthError(
				`tenantAuth: the role ${JSON.stringify(name)} needs a name of at most 64 letters, digits and _ . : - that starts with a letter`,
			);
		}
		requireKnownActions(name, role, known);
	}
}

function requireKnownActions(name: string, role: TenantRole, known: readonly string[]): void {
	const statements: unknown = role?.statements;
	if (typeof statements !== "object" || statements === null) {
		throw new BetterAuthError(
			`tenantAuth: the role ${name} must be made with tenantAccess.newRole()`,
		);
	}
	for (const [resource, actions] of Object.entries(statements)) {
		const unknown = [actions].flat().find((action) => !known.includes(`${resource}:${action}`));
		if (unknown === undefined) continue;
		throw new BetterAuthError(
			`tenantAuth: the role ${name} contains ${resource}:${unknown}, which no role of a tenant can have`,
		);
	}
}
