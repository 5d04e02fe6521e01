import { redirect } from "@sveltejs/kit";
import { hosts } from "../auth";
import { findSession, requireTenant, submit } from "../tenant-page";
import type { Actions, PageServerLoad } from "./$types";

/** The same path has another page at each host. */
export const load: PageServerLoad = async (event) => {
	if (hosts.isPlatformHost(event.url.host)) {
		const slug = event.url.searchParams.get("workspace")?.trim() ?? "";
		// Anything else could lead to another site.
		if (/^[a-z\d-]+$/.test(slug)) redirect(303, hosts.originOf(slug));
		return {};
	}
	const { name } = await requireTenant(event);
	const session = await findSession(event);
	return {
		tenant: { name },
		user: session && { name: session.user.name, email: session.user.email },
	};
};

/** SvelteKit rejects forms of other sites. The page of another tenant is another site. */
export const actions: Actions = {
	"sign-in": (event) => submit(event, "/tenant/sign-in/email"),
	"sign-up": (event) => submit(event, "/tenant/sign-up/email"),
	"sign-out": (event) => submit(event, "/sign-out"),
};
