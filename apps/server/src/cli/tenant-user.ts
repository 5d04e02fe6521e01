import { isAPIError } from "better-auth/api";
import type { Tenant } from "better-auth-tenant";
import type { Auth } from "../auth";
import { Failure } from "./output";
import { requireTenant } from "./with-auth";

type FoundUser = Awaited<ReturnType<Auth["api"]["getTenantUser"]>>;

/** Finds a user by id or email, in a tenant by slug or id. */
export async function requireTenantUser(
	auth: Auth,
	slugOrId: string,
	idOrEmail: string,
): Promise<FoundUser & { tenant: Tenant }> {
	const tenant = await requireTenant(auth, slugOrId);
	const byId = await findById(auth, tenant.id, idOrEmail);
	const id = await findIdByEmail(auth, tenant.id, idOrEmail);
	// An import may give a user an id that is the email of another one.
	if (byId && id !== null && byId.user.id !== id) {
		throw new Failure(`${idOrEmail} is the id of one user and the email of another.`, {
			code: "AMBIGUOUS_USER",
		});
	}
	const found = byId ?? (id === null ? null : await findById(auth, tenant.id, id));
	if (found) return { ...found, tenant };
	throw new Failure(`There is no user ${idOrEmail} in ${tenant.slug}.`, { code: "USER_NOT_FOUND" });
}

async function findById({ api }: Auth, tenantId: string, userId: string) {
	try {
		return await api.getTenantUser({ query: { tenantId, userId } });
	} catch (error) {
		// An email may have the wrong format for an id.
		if (isAPIError(error) && error.statusCode < 500) return null;
		throw error;
	}
}

const MAX_SEARCH_LENGTH = 200;
const PAGE = 1000;

/** Reads the whole result: anybody can choose a name that contains the email of another user. */
async function findIdByEmail({ api }: Auth, tenantId: string, text: string) {
	const email = text.toLowerCase();
	if (!email.includes("@")) return null;
	const search = email.slice(0, MAX_SEARCH_LENGTH);
	let cursor: string | null = null;
	do {
		const users: Awaited<ReturnType<typeof api.listTenantUsers>> = await api.listTenantUsers({
			query: { tenantId, search, limit: PAGE, total: "none", ...(cursor && { cursor }) },
		});
		const found = users.find((user) => user.email === email);
		if (found) return found.id;
		cursor = users.nextCursor;
	} while (cursor !== null);
	return null;
}
