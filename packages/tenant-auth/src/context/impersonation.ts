/** The field of a session that says who impersonates its user. */
export const IMPERSONATOR = "tenantImpersonator";

/** Whether somebody else uses the session: through this plugin, or through Better Auth's admin plugin. */
export function isImpersonated(session: object): boolean {
	const marks = new Map<string, unknown>(Object.entries(session));
	return Boolean(marks.get(IMPERSONATOR) ?? marks.get("impersonatedBy"));
}
