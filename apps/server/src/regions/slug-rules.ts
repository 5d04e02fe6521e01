import { APIError } from "better-auth/api";
import type { Locate, Located } from "./directory";
import { findSlugOwner } from "./slug-owner";

type Database = Parameters<typeof findSlugOwner>[0];

type Wanted = {
	slug: string;
	releaseSlug: boolean;
	/** Where other regions say that the slug is. */
	located: Located;
};

/**
 * A slug belongs to one tenant of all regions: it is a part of URLs, and any region leads to it. A former slug
 * is not for another tenant either: old links would lead to it.
 */
export async function requireFreeSlug(
	database: Database,
	{ slug, releaseSlug, located }: Wanted,
): Promise<void> {
	if (located === null) return;
	if (located === "unknown") throw unavailable("slug");
	const owner = await findSlugOwner(database, slug);
	const isFormer = located === "former";
	// The tenant has moved here. The caller decides whether this is about it.
	if (owner !== null && (isFormer || owner === located.tenant.id)) return;
	// Only the app can release a slug, and the caller makes sure of it.
	if (isFormer && releaseSlug) return;
	throw taken(
		isFormer
			? "A tenant of another region had this slug"
			: `A tenant with this slug already exists in the region "${located.region.name}"`,
	);
}

/** The same for a tenant that is imported. The region that it comes from has it until it is deleted there. */
export async function requireSlugOfImport(
	database: Database,
	{ id, slug }: { id: string; slug: string },
	{ releaseSlug, locate }: { releaseSlug: boolean; locate: Locate },
): Promise<void> {
	const located = await locate({ slug });
	const isMoved = located && typeof located !== "string" && located.tenant.id === id;
	if (!isMoved) await requireFreeSlug(database, { slug, releaseSlug, located });
}

/** A tenant that has moved is open in one region only. What users change in two would not come together again. */
export function requireNotOpenElsewhere(located: Located): void {
	if (located === "unknown") throw unavailable("tenant open");
	if (located === null || located === "former" || !located.isOpen) return;
	throw new APIError("CONFLICT", {
		code: "TENANT_OPEN_ELSEWHERE",
		message: `The tenant is open in the region "${located.region.name}". Suspend it there first.`,
	});
}

const taken = (message: string) =>
	new APIError("CONFLICT", { code: "TENANT_ALREADY_EXISTS", message });

/** Two tenants with one slug, or one tenant twice, would be worse than a short wait. */
const unavailable = (what: string) =>
	new APIError("SERVICE_UNAVAILABLE", {
		code: "REGION_UNAVAILABLE",
		message: `Another region does not respond, so it is not known whether it has this ${what}. Try again.`,
	});
