import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ApiClient, callListApi, type PageParams } from "../../api/client";

export type SignInFilters = {
	userId?: string;
	email?: string;
	result?: "succeeded" | "challenged" | "failed";
	reason?: string;
	since?: string;
	until?: string;
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
});
