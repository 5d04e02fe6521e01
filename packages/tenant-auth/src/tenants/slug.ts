import { findSlugProblem } from "../rules";
import { tenantError } from "../tenant-error";

/** The unique index of the database decides whether a slug is taken. */
export function requireUsableSlug(slug: string, reservedByApp: readonly string[]): void {
	const problem = findSlugProblem(slug, reservedByApp);
	if (problem) throw tenantError(problem.code);
}
