import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";

/** As `apps/server/src/scim` has them. */
export type DirectoryToken = {
	id: string;
	name: string;
	/** The token reaches the users whom this role reaches. */
	role: string;
	createdAt: string;
	createdBy: string | null;
	expiresAt: string;
	lastUsedAt: string | null;
};

export type Directory = {
	url: string;
	users: number;
	groups: number;
	/** The tenant role for each group. */
	roles: Record<string, string>;
	/** Groups with a role that the directory has not sent. */
	unknownGroups: string[];
	tokens: DirectoryToken[];
};

const PATH = "/tenant/scim";

export const directoryKey = (tenantId: string) => ["directory", tenantId];

export const directoryCalls = (client: ApiClient) => {
	const post = <Data>(path: string, body: object) =>
		callApi(client.$fetch<Data>(`${PATH}/${path}`, { method: "POST", body }));
	return {
		directoryQuery: (tenantId: string) =>
			queryOptions({
				queryKey: directoryKey(tenantId),
				queryFn: () => callApi(client.$fetch<Directory>(`${PATH}/get`, { query: { tenantId } })),
			}),
		createDirectoryToken: (tenantId: string, input: { name: string; expiresInDays: number }) =>
			post<DirectoryToken & { token: string }>("create-token", { tenantId, ...input }),
		revokeDirectoryToken: (tenantId: string, id: string) =>
			post<{ success: true }>("revoke-token", { tenantId, id }),
		setDirectoryRoles: (tenantId: string, roles: Record<string, string>) =>
			post<Directory>("set-roles", { tenantId, roles }),
	};
};
