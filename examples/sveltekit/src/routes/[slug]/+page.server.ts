import { findSession, requireTenant, submit } from "../../tenant-page";
import type { Actions, PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
	const { id, name } = await requireTenant(event);
	const session = await findSession(event, id);
	return {
		tenant: { name },
		user: session && { name: session.user.name, email: session.user.email },
	};
};

/** SvelteKit rejects forms of other sites. */
export const actions: Actions = {
	"sign-in": (event) => submit(event, "/tenant/sign-in/email"),
	"sign-up": (event) => submit(event, "/tenant/sign-up/email"),
	"sign-out": (event) => submit(event, "/sign-out"),
};
