export type { TenantLinkEvent } from "./event-types";
export type { LinkedUser } from "./linked-users";
export type { TenantLinksOptions } from "./options";
export { type LinkAction, tenantLinks } from "./plugin";
