import { answerOf, pageOf, type Wire } from "./answer";
import { client } from "./client";
import type { Window } from "./tenants";

type UserDetails = Wire<NonNullable<Awaited<ReturnType<typeof client.tenant.user.get>>["data"]>>;

export type UserAccount = {
	id: string;
	providerId: string;
	accountId: string;
	createdAt: string;
};

export type User = UserDetails["user"];

export const listUsers = (tenantId: string, window: Window) =>
	pageOf((fetchOptions) =>
		client.tenant.user.list({ query: { tenantId, ...window }, fetchOptions }),
	);

export const getUser = (tenantId: string, userId: string) =>
	answerOf(client.tenant.user.get({ query: { tenantId, userId } }));

export const deleteUser = (tenantId: string, userId: string) =>
	answerOf(client.tenant.user.delete({ tenantId, userId }));

export const signUserOut = (tenantId: string, userId: string) =>
	answerOf(client.tenant.user.revokeSessions({ tenantId, userId }));

export const sendPasswordReset = (tenantId: string, userId: string) =>
	answerOf(client.tenant.user.sendPasswordReset({ tenantId, userId }));

export type TenantSession = UserDetails["sessions"][number];

export const listSessions = (tenantId: string, window: Window) =>
	pageOf((fetchOptions) =>
		client.tenant.session.list({ query: { tenantId, ...window }, fetchOptions }),
	);

export const endSession = (tenantId: string, userId: string, sessionId: string) =>
	answerOf(client.tenant.session.revoke({ tenantId, userId, sessionId }));
