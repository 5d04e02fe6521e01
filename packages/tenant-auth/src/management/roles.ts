import { BetterAuthError } from "@better-auth/core/error";
import { createAccessControl, role as withPermissions } from "better-auth/plugins/access";
import type { ManagementAction } from "../routes";

/**
 * Who may do something by the role in their tenant:
 *
 * - `owner`: owners and admins, by default
 * - `optional`: nobody, unless the app gives it to one of its `roles`
 * - `app`: nobody, ever. It concerns other tenants, or the app's say over the tenant.
 *
 * A new action does not compile before it is named here. If in doubt, it is `app`.
 */
type Grant = "owner" | "optional" | "app";

const GRANTS = {
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
	"oauth-config:test": "owner",
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
	"user:import": "app",
	"user:move": "app",
	"invitation:create": "owner",
	"invitation:list": "owner",
	"invitation:resend": "owner",
	"invitation:revoke": "owner",
	"domain:add": "owner",
	"domain:list": "owner",
	"domain:verify": "owner",
	"domain:update": "owner",
	"domain:remove": "owner",
	"webhook:create": "owner",
	"webhook:list": "owner",
	"webhook:update": "owner",
	"webhook:rotate-secret": "owner",
	"webhook:test": "owner",
	"webhook:list-deliveries": "owner",
	"webhook:replay-delivery": "owner",
	"webhook:delete": "owner",
	"application:create": "owner",
	"application:list": "owner",
	"application:get": "owner",
	"application:update": "owner",
	"application:rotate-secret": "owner",
	"application:delete": "owner",
	"grant:list": "owner",
	"grant:revoke": "owner",
	"mail-template:list": "owner",
	"mail-template:get": "owner",
	"mail-template:set": "owner",
	"mail-template:reset": "owner",
	"mail-template:preview": "owner",
	"sign-in:list": "owner",
	"session:list": "owner",
	"session:revoke": "owner",
	"audit:list": "owner",
	"audit:erase": "app",
} as const satisfies Record<ManagementAction, Grant>;

type GrantableAction = {
	[Action in ManagementAction]: (typeof GRANTS)[Action] extends "app" ? never : Action;
}[ManagementAction];

type ResourceOf<Action> = Action extends `${infer Resource}:${string}` ? Resource : never;
type NameOf<Action, Resource extends string> = Action extends `${Resource}:${infer Name}`
	? Name
	: never;

/** What a role may contain. */
type TenantStatements = {
	readonly [Resource in ResourceOf<GrantableAction>]: readonly NameOf<GrantableAction, Resource>[];
};

/** A role of your app, made with `tenantAccess.newRole()`. */
export interface TenantRole {
	/** Actions by resource. */
	readonly statements: Readonly<Record<string, readonly string[]>>;
}

/** The roles of your app, by their names. */
export type TenantRoles = Readonly<Record<string, TenantRole>>;

const actionsOf = (...grants: Grant[]): ManagementAction[] =>
	(Object.keys(GRANTS) as ManagementAction[]).filter((action) => grants.includes(GRANTS[action]));

/** What a role can permit. */
export const GRANTABLE = actionsOf("owner", "optional");

function statementsOf(actions: ManagementAction[]): Record<string, string[]> {
	const statements: Record<string, string[]> = {};
	for (const action of actions) {
		const [resource = "", name = ""] = action.split(":");
		statements[resource] = [...(statements[resource] ?? []), name];
	}
	return statements;
}

/**
 * Better Auth's access control with the actions of this plugin, to make roles for the option `roles`.
 *
 * @example
 * ```ts
 * const support = tenantAccess.newRole({ user: ["list", "get"], session: ["list", "revoke"] });
 * tenantAuth({ roles: { support } });
 * ```
 */
export const tenantAccess = createAccessControl(
	// TypeScript cannot follow a loop.
	statementsOf(GRANTABLE) as Record<string, string[]> & TenantStatements as TenantStatements,
);

export const OWNER = "owner";
const MEMBER = "member";
const ADMIN = "admin";

const EVERYTHING: TenantRole = { statements: statementsOf(actionsOf("owner")) };
const NOTHING: TenantRole = { statements: {} };

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

/** `null` for a role that the app has removed: it permits nothing. */
function findRole(roles: TenantRoles, name: string): TenantRole | null {
	if (Object.hasOwn(roles, name)) return roles[name] ?? null;
	if (name === ADMIN) return EVERYTHING;
	return name === MEMBER ? NOTHING : null;
}

/**
 * Whether a role permits an action in its user's own tenant. An owner may do what any role of the app may do:
 * no role has a permission that an owner does not have.
 */
export function permits(roles: TenantRoles, name: string, action: ManagementAction): boolean {
	if (GRANTS[action] === "app") return false;
	const [resource = "", actionName = ""] = action.split(":");
	const allows = (role: TenantRole | null) =>
		role !== null &&
		withPermissions(role.statements).authorize({ [resource]: [actionName] }).success;
	if (name !== OWNER) return allows(findRole(roles, name));
	return allows(EVERYTHING) || Object.values(roles).some(allows);
}

/**
 * Whether a user with one role may manage a user with the other, or give the other role to somebody.
 * Nobody but an owner reaches an owner, and nobody reaches a role that permits more than the own one.
 */
export function reaches(roles: TenantRoles, name: string, other: string): boolean {
	if (name === OWNER) return true;
	if (other === OWNER) return false;
	return GRANTABLE.every(
		(action) => !permits(roles, other, action) || permits(roles, name, action),
	);
}

/** Everything that a role permits in its user's own tenant. */
export const actionsOfRole = (roles: TenantRoles, name: string): ManagementAction[] =>
	GRANTABLE.filter((action) => permits(roles, name, action));

/** The roles that a user with this role may give to others, and whose users they may manage. */
export const reachableRoles = (roles: TenantRoles, name: string): string[] =>
	[...new Set([OWNER, ADMIN, MEMBER, ...Object.keys(roles)])].filter((other) =>
		reaches(roles, name, other),
	);

/**
 * Whether an invitation to a role gives a user more than they have. A member gets every role that permits
 * all that a member may do, others only one that permits more than theirs.
 */
export function isRaise(roles: TenantRoles, from: string, to: string): boolean {
	if (from === to || !reaches(roles, to, from)) return false;
	return from === MEMBER || !reaches(roles, from, to);
}

const ROLE_NAME = /^[a-z][\w.:-]{0,63}$/i;

/** A wrong role stops the start. */
export function requireValidRoles(roles: TenantRoles): void {
	for (const [name, role] of Object.entries(roles)) {
		if (name === OWNER) {
			throw new BetterAuthError("tenantAuth: the permissions of the role owner cannot be replaced");
		}
		if (!ROLE_NAME.test(name)) {
			throw new BetterAuthError(
				`tenantAuth: the role ${JSON.stringify(name)} needs a name of at most 64 letters, digits and _ . : - that starts with a letter`,
			);
		}
		requireKnownActions(name, role);
	}
}

function requireKnownActions(name: string, role: TenantRole): void {
	const statements: unknown = role?.statements;
	if (typeof statements !== "object" || statements === null) {
		throw new BetterAuthError(
			`tenantAuth: the role ${name} must be made with tenantAccess.newRole()`,
		);
	}
	const known: readonly string[] = GRANTABLE;
	for (const [resource, actions] of Object.entries(statements)) {
		const unknown = [actions].flat().find((action) => !known.includes(`${resource}:${action}`));
		if (unknown === undefined) continue;
		throw new BetterAuthError(
			`tenantAuth: the role ${name} contains ${resource}:${unknown}, which no role of a tenant can have`,
		);
	}
}
