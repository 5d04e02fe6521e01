import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../api/client";

export const PERMISSIONS_KEY = ["permissions"];

const getPermissions = (client: ApiClient) => callApi(client.tenant.permissions());

/** What the signed-in user may manage in their tenant. */
export type Permissions = Awaited<ReturnType<typeof getPermissions>>;

/** @param client names the tenant, so that a session of another tenant is ignored */
export const permissionsQuery = (client: ApiClient, tenantId: string) =>
	queryOptions({
		queryKey: [...PERMISSIONS_KEY, tenantId],
		queryFn: () => getPermissions(client),
		// A role that was taken away shows when the user comes back to the tab.
		staleTime: 0,
	});
