import type { DispatchedEvent } from "../../call/port/tenant-plugin";

/** The events of linked users, with what each means. None of them names the other tenant. */
export const LINK_EVENTS = {
	"link.added": "A user was linked with a user of another tenant",
	"link.entered": "A linked user switched to this tenant",
	"link.left": "A linked user switched to another tenant",
	"link.ended": "A user ended all their links",
} as const;

/** An event of a linked user, for the option `onEvent`. */
export interface TenantLinkEvent extends DispatchedEvent {
	type: keyof typeof LINK_EVENTS;
	data: { userId: string };
}
