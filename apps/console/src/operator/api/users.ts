import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { callApi, callListApi, type PageParams } from "../../api/client";
import { client } from "./client";

const getUser = (tenantId: string, userId: string) =>
	callApi(client.tenant.user.get({ query: { tenantId, userId } }));

type UserDetails = Awaited<ReturnType<typeof getUser>>;

export type User = UserDetails["user"];
export type Account = UserDetails["accounts"][number];
export type Session = UserDetails["sessions"][number];

export const userQuery = (tenantId: string, userId: string) =>
	queryOptions({
		queryKey: ["user", tenantId, userId],
		queryFn: () => getUser(tenantId, userId),
	});

export const usersKey = (tenantId: string) => ["users", tenantId];

export const usersQuery = (tenantId: string, params: PageParams) =>
	queryOptions({
		queryKey: [...usersKey(tenantId), params],
		queryFn: () =>
			callListApi((fetchOptions) =>
				client.tenant.user.list({ query: { tenantId, ...params }, fetchOptions }),
			),
		placeholderData: keepPreviousData,
	});

export const sessionsKey = (tenantId: string) => ["sessions", tenantId];

export const sessionsQuery = (tenantId: string, params: PageParams) =>
	queryOptions({
		queryKey: [...sessionsKey(tenantId), params],
		queryFn: () =>
			callListApi((fetchOptions) =>
				client.tenant.session.list({ query: { tenantId, ...params }, fetchOptions }),
			),
		placeholderData: keepPreviousData,
	});

export const deleteUser = (tenantId: string, userId: string) =>
	callApi(client.tenant.user.delete({ tenantId, userId }));

export const revokeUserSessions = (tenantId: string, userId: string) =>
	callApi(client.tenant.user.revokeSessions({ tenantId, userId }));

export const sendPasswordReset = (tenantId: string, userId: string) =>
	callApi(client.tenant.user.sendPasswordReset({ tenantId, userId }));

export const revokeSession = (tenantId: string, userId: string, sessionId: string) =>
	callApi(client.tenant.session.revoke({ tenantId, userId, sessionId }));
