import { findImpersonator } from "./impersonation";

/**
 * Endpoints at which a session counts in which somebody impersonates the user: they read, or change only
 * that session. Everywhere else it is no session. What somebody makes there, such as a key, a grant, an
 * invitation or a second factor, would outlive the impersonation.
 */
export const IMPERSONATION_PATHS: ReadonlySet<string> = new Set([
	"/get-session",
	"/update-session",
	"/sign-out",
	"/list-accounts",
	"/account-info",
	"/tenant/current",
	"/tenant/permissions",
	"/api-key/get",
	"/api-key/list",
	"/passkey/list-user-passkeys",
	"/subscription/list",
	"/organization/get-active-member",
	"/organization/get-active-member-role",
	"/organization/get-full-organization",
	"/organization/get-invitation",
	"/organization/get-organization",
	"/organization/get-role",
	"/organization/has-permission",
	"/organization/list",
	"/organization/list-invitations",
	"/organization/list-members",
	"/organization/list-roles",
	"/organization/list-team-members",
	"/organization/list-teams",
	"/organization/list-user-invitations",
	"/organization/list-user-teams",
	"/organization/set-active",
	"/organization/set-active-team",
]);

/**
 * Whether a session counts at an endpoint.
 *
 * @param more the option `impersonationPaths` of the app
 */
export const countsAt = (
	session: object,
	path: string | undefined,
	more: readonly string[],
): boolean =>
	!findImpersonator(session) ||
	(path !== undefined && (IMPERSONATION_PATHS.has(path) || more.includes(path)));
