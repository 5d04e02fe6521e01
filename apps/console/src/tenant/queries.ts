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

/**
 * Whether a signed-in user still has to set up the second factor that the tenant requires. Until then,
 * the server answers as if nobody were signed in.
 */
export const missingFactorQuery = ({ client, options }: Tenant) =>
	queryOptions({
		queryKey: ["missing-factor", options.tenant.id],
		queryFn: async () => {
			const { error } = await client.tenant.current();
			return error?.code === "SECOND_FACTOR_REQUIRED";
		},
		enabled: options.secondFactorRequired,
	});

/** Whether the user may manage something in the tenant, on the pages of its administrators. */
export const mayManageQuery = (tenant: Tenant & Pick<TenantContextValue, "hasAdminPages">) =>
	queryOptions({
		queryKey: [...accountKey(tenant), "may-manage"],
		queryFn: async () => (await callApi(tenant.client.tenant.permissions())).actions.length > 0,
		enabled: tenant.hasAdminPages,
	});

export const passkeysQuery = (tenant: Tenant) =>
	queryOptions({
		queryKey: [...accountKey(tenant), "passkeys"],
		queryFn: () => callApi(tenant.client.passkey.listUserPasskeys()),
	});

const acceptInvitation = ({ client }: Tenant, token: string) =>
	callApi(client.tenant.invitation.accept({ token }));

export type Invitation = Awaited<ReturnType<typeof acceptInvitation>>;

/** Accepts an invitation once: the same token is not valid a second time. */
export const invitationQuery = (tenant: Tenant, token: string) =>
	queryOptions({
		queryKey: ["invitation", tenant.options.tenant.id, token],
		queryFn: () => acceptInvitation(tenant, token),
		retry: false,
		staleTime: Number.POSITIVE_INFINITY,
	});

const listSessions = ({ client }: Tenant) => callApi(client.listSessions());

export type Session = Awaited<ReturnType<typeof listSessions>>[number];

export const sessionsQuery = (tenant: Tenant) =>
	queryOptions({
		queryKey: [...accountKey(tenant), "sessions"],
		queryFn: () => listSessions(tenant),
	});

/** An application that has access to the user. As `apps/server/src/openid/grants` has it. */
export type Grant = {
	clientId: string;
	name: string;
	logoUrl: string | null;
	scopes: string[];
	usedAt: string;
};

export const grantsQuery = (tenant: Tenant) =>
	queryOptions({
		queryKey: [...accountKey(tenant), "grants"],
		queryFn: () => callApi(tenant.client.$fetch<Grant[]>("/grant/list")),
	});

export const useSession = () => useQuery(sessionQuery(useTenant()));
