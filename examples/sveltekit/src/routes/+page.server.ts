import { redirect } from "@sveltejs/kit";

export const load = ({ url }: { url: URL }) => {
	const slug = url.searchParams.get("workspace")?.trim() ?? "";
	// Anything else could lead to another site.
	if (/^[a-z\d-]+$/.test(slug)) redirect(303, `/${slug}`);
};
