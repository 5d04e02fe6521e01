import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";
import { userKey } from "./users";

/** An application that has access to a user. As `apps/server/src/openid-provider/grants` has it. */
export type Grant = {
	clientId: string;
	name: string;
	logoUrl: string | null;
	scopes: string[];
	grantedAt: string;
	usedAt: string;
	hasTokens: boolean;
};

const grantsKey = (tenantId: string, userId: string) => [...userKey(tenantId, userId), "grants"];

export const grantCalls = (client: ApiClient) => ({
	grantsQuery: (tenantId: string, userId: string) =>
		queryOptions({
			queryKey: grantsKey(tenantId, userId),
			queryFn: () =>
				callApi(client.$fetch<Grant[]>("/tenant/grant/list", { query: { tenantId, userId } })),
		}),
	revokeGrant: (tenantId: string, userId: string, clientId: string) =>
		callApi(
			client.$fetch("/tenant/grant/revoke", {
				method: "POST",
				body: { tenantId, userId, clientId },
			}),
		),
});
