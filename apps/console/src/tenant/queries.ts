import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../api/client";
import type { SignUpFields } from "../api/sign-up-fields";
import type { TenantContextValue } from "../sign-in/tenant-context";

type Tenant = Pick<TenantContextValue, "client" | "options">;

/** The key of everything else about the signed-in user. */
export const accountKey = ({ options }: Tenant) => ["account", options.tenant.id];

/** The fields that the tenant adds to its sign-up form. */
export const signUpFieldsQuery = ({ client, options }: Tenant) =>
	queryOptions({
		queryKey: ["sign-up-fields", options.tenant.id],
		queryFn: async () =>
			(await callApi(client.$fetch<SignUpFields>("/sign-up-fields/list"))).fields,
	});

/** The user's sign-in methods. A password is one of them. */
export const linkedAccountsQuery = (tenant: Tenant) =>
	queryOptions({
		queryKey: [...accountKey(tenant), "linked-accounts"],
		queryFn: () => callApi(tenant.client.listAccounts()),
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

/** An application that has access to the user. As `apps/server/src/openid-provider/grants` has it. */
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
