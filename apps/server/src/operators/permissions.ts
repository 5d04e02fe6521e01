import type { CoreAction, ManagementAction } from "better-auth-tenant";
import type { DomainAction } from "better-auth-tenant/domains";
import type { ImportAction } from "better-auth-tenant/imports";
import type { InvitationAction } from "better-auth-tenant/invitations";
import type { OpenIdAction } from "better-auth-tenant/openid";
import type { SignInAction } from "better-auth-tenant/sign-ins";
import type { WebhookAction } from "better-auth-tenant/webhooks";
import type {
	APPLICATION_ACTIONS,
	MAIL_TEMPLATE_ACTIONS,
	SAML_ACTIONS,
	SCIM_ACTIONS,
} from "../tenant-actions";

/** What an operator is. An owner may do everything. */
export const ROLES = ["owner", "operator", "auditor", "support"] as const;

export type Role = (typeof ROLES)[number];

/** What the service itself offers to operators, beside the tenants. */
type ServiceAction =
	| "service:info"
	| "service:overview"
	| "service:metrics"
	| "service:mail-test"
	| "service:outbox"
	| "tenant:export"
	| "tenant:import"
	| "operator:list"
	| "operator:create"
	| "operator:update"
	| "operator:reset"
	| "operator:remove"
	| "key:list"
	| "key:create"
	| "key:revoke";

/**
 * What is done to tenants. The server itself disables webhooks and notes that a domain is lost, and users
 * accept their invitations.
 */
type TenantAction =
	| CoreAction
	| Exclude<DomainAction, "domain:lost">
	| Exclude<InvitationAction, "invitation:accept">
	| OpenIdAction
	| ImportAction
	| SignInAction
	| Exclude<WebhookAction, "webhook:disable">
	| keyof typeof APPLICATION_ACTIONS
	| keyof typeof MAIL_TEMPLATE_ACTIONS
	| keyof typeof SAML_ACTIONS
	| keyof typeof SCIM_ACTIONS;

export type Action = TenantAction | ServiceAction;

type Allowed = readonly Exclude<Role, "owner">[];

/** Reads that support needs. */
const READ: Allowed = ["operator", "auditor", "support"];
/** Reads about settings and about operators. */
const AUDIT: Allowed = ["operator", "auditor"];
const CHANGE: Allowed = ["operator"];
/** Changes that help a single user and lose nothing. */
const HELP: Allowed = ["operator", "support"];
const OWNER: Allowed = [];

/**
 * Who may do what, beside owners. A new action does not compile before it is named here. If in doubt, it
 * is `OWNER`.
 */
const PERMISSIONS = {
	"tenant:create": CHANGE,
	"tenant:get": READ,
	"tenant:list": READ,
	"tenant:update": CHANGE,
	"tenant:delete": CHANGE,
	"tenant:suspend": CHANGE,
	"tenant:resume": CHANGE,
	// The file has password hashes, and every secret of the tenant.
	"tenant:export": OWNER,
	// Who writes such a file decides who owns the tenant, and which domains are verified.
	"tenant:import": OWNER,

	"policy:get": AUDIT,
	"policy:update": CHANGE,

	"oauth-config:register": CHANGE,
	"oauth-config:list": AUDIT,
	"oauth-config:update": CHANGE,
	"oauth-config:delete": CHANGE,
	// Names and states of the providers, without credentials: support must know how users sign in.
	"oauth-config:effective": READ,
	// It sends requests to the provider, with the tenant's credentials.
	"connection:test": CHANGE,

	"application:create": CHANGE,
	"application:list": AUDIT,
	"application:get": AUDIT,
	"application:update": CHANGE,
	"application:rotate-secret": CHANGE,
	"application:delete": CHANGE,

	"grant:list": READ,
	"grant:revoke": HELP,

	"user-metadata:get": READ,
	// Applications may decide by it what a user may do.
	"user-metadata:update": CHANGE,

	"mail-template:list": AUDIT,
	"mail-template:get": AUDIT,
	"mail-template:set": CHANGE,
	"mail-template:reset": CHANGE,
	// It stores and sends nothing.
	"mail-template:preview": AUDIT,

	"saml:get": AUDIT,
	"saml:set": CHANGE,
	"saml:refresh": CHANGE,
	// It sends requests to the identity provider.
	"saml:test": CHANGE,
	"saml:remove": CHANGE,

	"scim:get": AUDIT,
	"scim:create-token": CHANGE,
	"scim:revoke-token": CHANGE,
	"scim:set-roles": CHANGE,

	"domain:add": CHANGE,
	"domain:list": AUDIT,
	"domain:verify": CHANGE,
	"domain:update": CHANGE,
	"domain:remove": CHANGE,

	"user:list": READ,
	"user:get": READ,
	"user:create": CHANGE,
	"user:update": CHANGE,
	"user:disable": HELP,
	"user:enable": HELP,
	"user:impersonate": HELP,
	"user:delete": CHANGE,
	"user:revoke-sessions": HELP,
	"user:send-password-reset": HELP,
	"user:remove-second-factor": HELP,
	"user:remove-passkeys": HELP,
	"user:sign-in-link": CHANGE,
	"user:import": CHANGE,
	// It takes users from the platform.
	"user:move": OWNER,

	"invitation:create": CHANGE,
	"invitation:list": READ,
	"invitation:resend": CHANGE,
	"invitation:revoke": CHANGE,

	"webhook:create": CHANGE,
	"webhook:list": AUDIT,
	"webhook:update": CHANGE,
	"webhook:rotate-secret": CHANGE,
	"webhook:test": CHANGE,
	"webhook:list-deliveries": AUDIT,
	"webhook:replay-delivery": CHANGE,
	"webhook:delete": CHANGE,

	"session:list": READ,
	"session:revoke": HELP,
	"sign-in:list": READ,

	"audit:list": AUDIT,
	// It removes the traces of what operators did.
	"audit:erase": OWNER,

	"service:info": READ,
	"service:overview": READ,
	"service:metrics": AUDIT,
	"service:mail-test": CHANGE,
	// Emails contain links that reset passwords.
	"service:outbox": CHANGE,

	"operator:list": AUDIT,
	"operator:create": OWNER,
	"operator:update": OWNER,
	"operator:reset": OWNER,
	"operator:remove": OWNER,
	"key:list": AUDIT,
	"key:create": OWNER,
	"key:revoke": OWNER,
} as const satisfies Record<Action, Allowed>;

export const ACTIONS = Object.keys(PERMISSIONS) as Action[];

/** What is not listed is for owners. */
export function roleAllows(role: Role, action: ManagementAction): boolean {
	const allowed: Readonly<Record<string, Allowed>> = PERMISSIONS;
	return (
		role === "owner" || (Object.hasOwn(allowed, action) && allowed[action]?.includes(role) === true)
	);
}

/** A key gives nobody more rights than it has: it cannot make operators or other keys. */
const isAboutAccess = (action: Action) => /^(operator|key):/.test(action);

/** The roles that a key can have. */
const KEY_ROLES = ["operator", "auditor", "support"] as const satisfies Allowed;

type KeyRole = (typeof KEY_ROLES)[number];

/** What a key may do: everything that a role may do, or a single action. */
export type Scope = KeyRole | Action;

const KEY_ACTIONS: readonly Action[] = ACTIONS.filter((action) => !isAboutAccess(action));

export const isScope = (text: string): text is Scope =>
	[...KEY_ROLES, ...KEY_ACTIONS].some((scope) => scope === text);

export function scopesAllow(scopes: readonly string[], action: Action): boolean {
	if (isAboutAccess(action)) return false;
	return scopes.some(
		(scope) =>
			scope === action || KEY_ROLES.some((role) => role === scope && roleAllows(role, action)),
	);
}
