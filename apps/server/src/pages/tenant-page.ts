/** The paths of a tenant's pages, below `/t/<slug>` or at the root of the tenant's own host. */
export const tenantPages = [
	"",
	"account",
	"deleted",
	"error",
	"forgot-password",
	"new-password",
	"sign-in",
	"sign-up",
	"verify",
	"verify/changed",
	"verify/done",
];

export const isTenantPage = (path: string) => tenantPages.includes(path.replace(/^\/|\/$/g, ""));

/** As the plugin makes slugs; anything else is no tenant, and not to be written into a page. */
export const isPossibleSlug = (slug: string) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(slug);

/** The page told whose it is and where it stands; a script in the page could not, for it has none. */
export function tenantPage(template: string, slug: string, base: string): string {
	const known = isPossibleSlug(slug);
	return template
		.replace("{{tenant-slug}}", known ? slug : "")
		.replace("{{tenant-base}}", known ? base : "");
}
