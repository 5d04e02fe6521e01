import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ApiClient, callListApi, type PageParams } from "../../api/client";

export type SignInFilters = {
	userId?: string;
	email?: string;
	result?: "succeeded" | "challenged" | "failed";
	reason?: string;
	since?: string;
	until?: string;
	latestOf?: string;
};

type SignInQuery = SignInFilters & PageParams;

const listSignIns = (client: ApiClient, tenantId: string, { search: _, ...query }: SignInQuery) =>
	callListApi((fetchOptions) =>
		client.tenant.signIn.list({ query: { tenantId, ...query }, fetchOptions }),
	);

export type SignIn = Awaited<ReturnType<typeof listSignIns>>["items"][number];

export const signInCalls = (client: ApiClient) => ({
	listSignIns: (tenantId: string, query: SignInQuery) => listSignIns(client, tenantId, query),

	signInsQuery: (tenantId: string, query: SignInQuery) =>
		queryOptions({
			queryKey: ["sign-ins", tenantId, query],
			queryFn: () => listSignIns(client, tenantId, query),
			placeholderData: keepPreviousData,
		}),

	/** The last sign-in of each of these users. */
	lastSignInsQuery: (tenantId: string, userIds: string[]) =>
		queryOptions({
			queryKey: ["sign-ins", tenantId, "latest", userIds],
			queryFn: async () => {
				const query = { latestOf: userIds.join(","), limit: userIds.length, offset: 0 };
				const { items } = await listSignIns(client, tenantId, query);
				return new Map(items.map(({ user, createdAt }) => [user?.id ?? "", createdAt]));
			},
			enabled: userIds.length > 0,
		}),
});
