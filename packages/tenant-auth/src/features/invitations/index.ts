export type { TenantInvitationEvent } from "./event-types";
export type { TenantInvitation } from "./invitation";
export type { InvitationEmail, TenantInvitationsOptions } from "./options";
export { type InvitationAction, tenantInvitations } from "./plugin";
