import { FOREIGN_IMPERSONATION_PATHS } from "../foreign";
import { findImpersonator } from "./impersonation";

/**
 * Endpoints at which a session is valid in which somebody impersonates the user: they read, or change only
 * that session. Everywhere else it is no session. What somebody makes there, such as a key, a grant, an
 * invitation or a second factor, would outlive the impersonation.
 */
export const IMPERSONATION_PATHS: ReadonlySet<string> = new Set([
	...FOREIGN_IMPERSONATION_PATHS,
	"/tenant/current",
	"/tenant/permissions",
]);

/**
 * Whether a session is valid at an endpoint.
 *
 * @param more the option `impersonationPaths` of the app
 */
export const isValidAt = (
	session: object,
	path: string | undefined,
	more: readonly string[],
): boolean =>
	!findImpersonator(session) ||
	(path !== undefined && (IMPERSONATION_PATHS.has(path) || more.includes(path)));
