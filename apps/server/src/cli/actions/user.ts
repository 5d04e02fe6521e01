import type { Auth } from "../../auth";
import {
	count,
	listing,
	type OutputOptions,
	printResult,
	SEARCH_LIMITED,
	table,
	wrongUsage,
} from "../output";
import { requireTenantUser } from "../tenant-user";
import { requireTenant, withAuth } from "../with-auth";

type ListOptions = OutputOptions & { search?: string; limit: number; offset: number };

export async function listUsers(slugOrId: string, options: ListOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		const { limit, offset, search } = options;
		const { response: users, headers } = await auth.api.listTenantUsers({
			query: { tenantId, limit, offset, ...(search && { search }) },
			returnHeaders: true,
		});
		const total = Number(headers.get("x-total-count"));
		const { searchLimited } = users;
		printResult(options, { total, searchLimited, users }, () => {
			const rows = users.map(({ email, name, id, createdAt, emailVerified, disabledAt }) => [
				email,
				name,
				id,
				createdAt.toISOString().slice(0, 10),
				[...(disabledAt ? ["disabled"] : []), ...(emailVerified ? [] : ["not verified"])].join(
					", ",
				),
			]);
			const shown = `${users.length} of ${count(total, "user")}`;
			const listed = `${table(["EMAIL", "NAME", "ID", "CREATED", ""], rows)}\n\n${shown}`;
			return searchLimited ? `${listed}\n${SEARCH_LIMITED}` : listed;
		});
	});
}

export async function showUser(
	tenant: string,
	idOrEmail: string,
	options: OutputOptions,
): Promise<void> {
	await withAuth(async (auth) => {
		const { tenant: _, ...found } = await requireTenantUser(auth, tenant, idOrEmail);
		printResult(options, found, () => {
			const { user, accounts, passkeys, sessions } = found;
			return listing({
				...summarizeUser(user),
				"signs in with": methodsOf(accounts, passkeys.length).join(", ") || "nothing yet",
				"second factor": "twoFactorEnabled" in user && user.twoFactorEnabled ? "yes" : "no",
				sessions: sessions.length,
			});
		});
	});
}

type User = Awaited<ReturnType<Auth["api"]["getTenantUser"]>>["user"];

export const summarizeUser = (user: User) => ({
	id: user.id,
	email: `${user.email}${user.emailVerified ? "" : " (not verified)"}`,
	name: user.name,
	role: user.tenantRole ?? "member",
	created: user.createdAt.toISOString(),
	...(user.disabledAt ? { disabled: user.disabledAt.toISOString() } : {}),
});

const methodsOf = (accounts: { providerId: string }[], passkeys: number): string[] => [
	...accounts.map(({ providerId }) => (providerId === "credential" ? "password" : providerId)),
	...(passkeys > 0 ? [count(passkeys, "passkey")] : []),
];

type MetadataOptions = OutputOptions & { set?: string; setPreferences?: string };

export async function userMetadata(
	tenant: string,
	idOrEmail: string,
	options: MetadataOptions,
): Promise<void> {
	const changes = {
		...(options.set === undefined ? {} : { metadata: readObject("--set", options.set) }),
		...(options.setPreferences === undefined
			? {}
			: { preferences: readObject("--set-preferences", options.setPreferences) }),
	};
	await withAuth(async (auth) => {
		const { api } = auth;
		const found = await requireTenantUser(auth, tenant, idOrEmail);
		const ids = { tenantId: found.tenant.id, userId: found.user.id };
		const stored =
			Object.keys(changes).length > 0
				? await api.updateTenantUserMetadata({ body: { ...ids, ...changes } })
				: await api.getTenantUserMetadata({ query: ids });
		printResult(options, stored, () =>
			listing({
				metadata: JSON.stringify(stored.metadata),
				preferences: JSON.stringify(stored.preferences),
			}),
		);
	});
}

/** The endpoint checks what is in it. */
function readObject(option: string, text: string): Record<string, unknown> {
	try {
		return JSON.parse(text);
	} catch {
		throw wrongUsage(`${option} must be JSON such as {"department":"Sales"}`);
	}
}
