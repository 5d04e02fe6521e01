import type { DispatchedEvent } from "../../call/port/tenant-plugin";

/** The events of invitations, with what each means. */
export const INVITATION_EVENTS = {
	"invitation.created": "Somebody was invited",
	"invitation.resent": "An invitation was sent again",
	"invitation.revoked": "An invitation was revoked",
	"invitation.accepted": "An invitation was accepted",
} as const;

/** An event of an invitation, for the option `onEvent`. */
export interface TenantInvitationEvent extends DispatchedEvent {
	type: keyof typeof INVITATION_EVENTS;
	/** An accepted invitation also has the `userId`. */
	data: { invitationId: string; userId?: string };
}
