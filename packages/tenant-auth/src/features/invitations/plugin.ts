import { type ChangeFacts, defineTenantPlugin } from "../../call/port/tenant-plugin";
import { requireKnownOptions } from "../../known-options";
import { deleteExpired } from "../../management/users/clean-up";
import { acceptAtSignIn, admission } from "./accept";
import { acceptTenantInvitation, getTenantInvitation } from "./accept-endpoints";
import {
	createTenantInvitation,
	listTenantInvitations,
	resendTenantInvitation,
	revokeTenantInvitation,
} from "./endpoints";
import { TENANT_INVITATIONS_ERROR_CODES } from "./error-codes";
import { INVITATION_EVENTS } from "./event-types";
import { INVITATIONS_PLUGIN, type TenantInvitationsOptions } from "./options";
import { invitationTables } from "./schema";
import { INVITATION_MODEL } from "./store";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-invitations": { creator: typeof tenantInvitations };
	}
}

const changed = (type: Exclude<keyof typeof INVITATION_EVENTS, "invitation.accepted">) => ({
	grant: "owner" as const,
	event: ({ targetId }: ChangeFacts) => ({ type, data: { invitationId: targetId } }),
});

const INVITATION_ACTIONS = {
	"invitation:create": changed("invitation.created"),
	"invitation:list": "owner",
	"invitation:resend": changed("invitation.resent"),
	"invitation:revoke": changed("invitation.revoked"),
	// The person who is invited does it.
	"invitation:accept": {
		grant: "app",
		event: ({ targetId, detail }: ChangeFacts) => ({
			type: "invitation.accepted" as const,
			data: { userId: targetId, invitationId: detail.invitationId },
		}),
	},
} as const;

/** What callers may do with invitations. */
export type InvitationAction = keyof typeof INVITATION_ACTIONS;

/**
 * Invitations to tenants by email, with a role. They also admit people to a tenant whose policy says
 * `signUp: { mode: "invite" }`.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: [tenantAuth(), tenantInvitations({ sendInvitation })] });
 * ```
 */
export const tenantInvitations = (options: TenantInvitationsOptions = {}) => {
	requireKnownOptions("tenantInvitations", options, {
		sendInvitation: true,
		checkInvitation: true,
		schema: true,
	});
	return defineTenantPlugin({
		id: INVITATIONS_PLUGIN,
		schema: invitationTables(options.schema),
		endpoints: {
			createTenantInvitation,
			listTenantInvitations,
			resendTenantInvitation,
			revokeTenantInvitation,
			getTenantInvitation,
			acceptTenantInvitation,
		},
		tenant: {
			requires: ["tenant-auth"],
			creator: "tenantInvitations",
			actions: INVITATION_ACTIONS,
			events: INVITATION_EVENTS,
			tables: { [INVITATION_MODEL]: "explicit" },
			admission,
			session: { after: acceptAtSignIn },
			cleanUp: { invitations: (ctx, signal) => deleteExpired(ctx, INVITATION_MODEL, signal) },
		},
		options,
		$ERROR_CODES: TENANT_INVITATIONS_ERROR_CODES,
	});
};
