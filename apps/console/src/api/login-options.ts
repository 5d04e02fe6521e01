import { queryOptions } from "@tanstack/react-query";
import { callApi, createPublicClient } from "./client";

const publicClient = createPublicClient();

const getLoginOptions = (slug: string) =>
	callApi(publicClient.tenant.loginOptions({ query: { slug } }));

/** What a tenant's pages show, and its sign-in methods. */
export type LoginOptions = Awaited<ReturnType<typeof getLoginOptions>>;

export const LOGIN_OPTIONS_KEY = ["login-options"];

export const loginOptionsQuery = (slug: string) =>
	queryOptions({
		queryKey: [...LOGIN_OPTIONS_KEY, slug],
		queryFn: () => getLoginOptions(slug),
		enabled: slug !== "",
		staleTime: 60_000,
	});
