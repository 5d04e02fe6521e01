import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
	type ApiClient,
	callApi,
	callListApi,
	type PageParams,
	type TextSort,
} from "../../api/client";

const getUser = (client: ApiClient, tenantId: string, userId: string) =>
	callApi(client.tenant.user.get({ query: { tenantId, userId } }));

type UserDetails = Awaited<ReturnType<typeof getUser>>;

/** The service always sends these fields. The typed client knows them only from the response to an update. */
export type User = UserDetails["user"] & {
	tenantRole?: string | null;
	disabledAt?: string | null;
	twoFactorEnabled?: boolean | null;
};
export type Account = UserDetails["accounts"][number];
export type Passkey = UserDetails["passkeys"][number];
export type Session = UserDetails["sessions"][number];

export const userKey = (tenantId: string, userId: string) => ["user", tenantId, userId];
export const usersKey = (tenantId: string) => ["users", tenantId];
export const sessionsKey = (tenantId: string) => ["sessions", tenantId];

type UserInput = {
	name: string;
	email: string;
	emailVerified: boolean;
	role: string;
	password?: string;
};

export type UserFilters = { status?: UserStatus; role?: string };

export type UserStatus = "active" | "disabled" | "unverified";

/** The texts by which users are sorted. There is an index for each. */
export const USER_SORTS = ["name", "email"] as const;

type UserQuery = PageParams & UserFilters & { sort?: TextSort<(typeof USER_SORTS)[number]> };

const listUsers = (client: ApiClient, tenantId: string, query: UserQuery) =>
	callListApi((fetchOptions) =>
		client.tenant.user.list({ query: { tenantId, ...query }, fetchOptions }),
	);

export const userCalls = (client: ApiClient) => ({
	listUsers: (tenantId: string, query: UserQuery) => listUsers(client, tenantId, query),

	userQuery: (tenantId: string, userId: string) =>
		queryOptions({
			queryKey: userKey(tenantId, userId),
			queryFn: () => getUser(client, tenantId, userId),
		}),

	usersQuery: (tenantId: string, query: UserQuery) =>
		queryOptions({
			queryKey: [...usersKey(tenantId), query],
			queryFn: () => listUsers(client, tenantId, query),
			placeholderData: keepPreviousData,
		}),

	sessionsQuery: (tenantId: string, params: PageParams) =>
		queryOptions({
			queryKey: [...sessionsKey(tenantId), params],
			queryFn: () =>
				callListApi((fetchOptions) =>
					client.tenant.session.list({ query: { tenantId, ...params }, fetchOptions }),
				),
			placeholderData: keepPreviousData,
		}),

	createUser: (tenantId: string, input: UserInput) =>
		callApi(client.tenant.user.create({ tenantId, ...input })),
	updateUser: (tenantId: string, userId: string, changes: Partial<Omit<UserInput, "password">>) =>
		callApi(client.tenant.user.update({ tenantId, userId, ...changes })),
	disableUser: (tenantId: string, userId: string) =>
		callApi(client.tenant.user.disable({ tenantId, userId })),
	enableUser: (tenantId: string, userId: string) =>
		callApi(client.tenant.user.enable({ tenantId, userId })),
	/** Signs this browser in as the user. */
	impersonateUser: (tenantId: string, userId: string, reason: string) =>
		callApi(client.tenant.user.impersonate({ tenantId, userId, reason, setCookie: true })),
	createSignInLink: (
		tenantId: string,
		userId: string,
		input: { reason: string; callbackURL: string },
	) => callApi(client.tenant.user.signInLink({ tenantId, userId, ...input })),
	/** @param dryRun only says what an import would do */
	importUsers: (tenantId: string, users: unknown[], dryRun: boolean) =>
		callApi(client.tenant.user.import({ tenantId, users, dryRun })),

	deleteUser: (tenantId: string, userId: string) =>
		callApi(client.tenant.user.delete({ tenantId, userId })),
	revokeUserSessions: (tenantId: string, userId: string) =>
		callApi(client.tenant.user.revokeSessions({ tenantId, userId })),
	sendPasswordReset: (tenantId: string, userId: string) =>
		callApi(client.tenant.user.sendPasswordReset({ tenantId, userId })),
	removeSecondFactor: (tenantId: string, userId: string) =>
		callApi(client.tenant.user.removeSecondFactor({ tenantId, userId })),
	removePasskey: (tenantId: string, userId: string, passkeyId: string) =>
		callApi(client.tenant.user.removePasskeys({ tenantId, userId, passkeyId })),
	revokeSession: (tenantId: string, userId: string, sessionId: string) =>
		callApi(client.tenant.session.revoke({ tenantId, userId, sessionId })),
});
