import type { Auth } from "../auth";

/** What the session of a request may manage in a tenant. */
type AdminRights = {
	isAdmin: boolean;
	/** A session that was extended has a new cookie. */
	cookies: string[];
};

export type FindAdminRights = (headers: Headers, tenantId: string) => Promise<AdminRights | null>;

/** Finds the session of a tenant among the cookies of a browser. */
type OpenCookies = (
	headers: Headers,
	tenantId: string,
) => Promise<{ headers: Headers; close: (setCookies: string[]) => Promise<string[]> }>;

/** Returns `null` if nobody is signed in to the tenant, or the database does not respond. */
export function adminRights(auth: Pick<Auth, "api">, open: OpenCookies): FindAdminRights {
	return async (given, tenantId) => {
		const cookie = given.get("cookie");
		if (cookie === null) return null;
		const { headers, close } = await open(new Headers({ cookie }), tenantId);
		const found = await auth.api
			.tenantPermissions({ headers, query: { tenantId }, returnHeaders: true })
			.catch(() => null);
		if (!found) return null;
		return {
			isAdmin: found.response.actions.length > 0,
			cookies: await close(found.headers.getSetCookie()),
		};
	};
}
