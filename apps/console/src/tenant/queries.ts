import { queryOptions, useQuery } from "@tanstack/react-query";
import { callApi, createApiClient } from "../api/client";
import { type TenantContextValue, useTenant } from "./tenant-context";

const publicClient = createApiClient();

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

type Tenant = Pick<TenantContextValue, "client" | "options">;

/** The session of the signed-in user. `null` if nobody is signed in. */
export const sessionQuery = ({ client, options }: Tenant) =>
	queryOptions({
		queryKey: ["session", options.tenant.id],
		queryFn: () => callApi(client.getSession()),
	});

/** The key of everything else about the signed-in user. */
export const accountKey = ({ options }: Tenant) => ["account", options.tenant.id];

/** The user's sign-in methods. A password is one of them. */
export const linkedAccountsQuery = (tenant: Tenant) =>
	queryOptions({
		queryKey: [...accountKey(tenant), "linked-accounts"],
		queryFn: () => callApi(tenant.client.listAccounts()),
	});

const listSessions = ({ client }: Tenant) => callApi(client.listSessions());

export type Session = Awaited<ReturnType<typeof listSessions>>[number];

export const sessionsQuery = (tenant: Tenant) =>
	queryOptions({
		queryKey: [...accountKey(tenant), "sessions"],
		queryFn: () => listSessions(tenant),
	});

export const useSession = () => useQuery(sessionQuery(useTenant()));
