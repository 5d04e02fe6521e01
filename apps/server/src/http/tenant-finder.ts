import { isAPIError } from "better-auth/api";
import type { Tenant } from "better-auth-tenant";
import type { Auth } from "../auth";
import type { Log } from "../monitoring/log";

type Query = { id: string } | { slug: string };

/** Finds tenants for the pages, open or not. */
export function tenantFinder(auth: Pick<Auth, "api">, log: Pick<Log, "error">) {
	const find = (query: Query): Promise<Tenant | null> =>
		auth.api.getTenant({ query }).catch((error: unknown) => {
			if (isAPIError(error) && error.statusCode < 500) return null;
			log.error({ err: error }, "the tenant of a page could not be read");
			throw error;
		});
	return {
		findBySlug: (slug: string) => find({ slug }),
		findById: (id: string) => find({ id }),
	};
}
