import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi, callListApi, type PageParams } from "../../api/client";

const createInvitation = (client: ApiClient, tenantId: string, input: InvitationInput) =>
	callApi(client.tenant.invitation.create({ tenantId, ...input }));

type InvitationInput = { email: string; role: string; expiresIn: number; callbackURL: string };

/** `url` is the link of the email, if the service does not send the email itself. */
export type SentInvitation = Awaited<ReturnType<typeof createInvitation>>;
export type Invitation = Omit<SentInvitation, "token" | "url">;

export const invitationsKey = (tenantId: string) => ["invitations", tenantId];

export const invitationCalls = (client: ApiClient) => ({
	invitationsQuery: (tenantId: string, { search: _, ...params }: PageParams) =>
		queryOptions({
			queryKey: [...invitationsKey(tenantId), params],
			queryFn: () =>
				callListApi((fetchOptions) =>
					client.tenant.invitation.list({ query: { tenantId, ...params }, fetchOptions }),
				),
			placeholderData: keepPreviousData,
		}),

	createInvitation: (tenantId: string, input: InvitationInput) =>
		createInvitation(client, tenantId, input),
	resendInvitation: (tenantId: string, invitationId: string, callbackURL: string) =>
		callApi(client.tenant.invitation.resend({ tenantId, invitationId, callbackURL })),
	revokeInvitation: (tenantId: string, invitationId: string) =>
		callApi(client.tenant.invitation.revoke({ tenantId, invitationId })),
});
