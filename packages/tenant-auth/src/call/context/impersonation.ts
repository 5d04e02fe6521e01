import { FOREIGN_IMPERSONATION_PATHS, IMPERSONATOR_FIELD } from "../foreign";

/** The field of a session that says who impersonates its user. */
export const IMPERSONATOR = "tenantImpersonator";

/** How long somebody can impersonate a user. The session does not get longer when it is used. */
export const IMPERSONATION_SECONDS = 60 * 60;

const textOrNull = (value: unknown): string | null =>
	typeof value === "string" && value !== "" ? value : null;

/** Who impersonates the user of a session through this plugin. */
export const findImpersonator = (session: object): string | null =>
	IMPERSONATOR in session ? textOrNull(session[IMPERSONATOR]) : null;

/** The platform admin who impersonates the user of a session through Better Auth's admin plugin. */
export const findImpersonatingAdmin = (session: object): string | null =>
	textOrNull(Reflect.get(session, IMPERSONATOR_FIELD));

/** Who impersonates the user of a session, in either way. */
export function findAnyImpersonator(session: object): string | null {
	const admin = findImpersonatingAdmin(session);
	return findImpersonator(session) ?? (admin && `administrator:${admin}`);
}

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
