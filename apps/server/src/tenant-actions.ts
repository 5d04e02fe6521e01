import type { Grant } from "better-auth-tenant";

/** What callers may do with the applications of a tenant, and with what its users have granted them. */
export const APPLICATION_ACTIONS = {
	"application:create": "owner",
	"application:list": "owner",
	"application:get": "owner",
	"application:update": "owner",
	"application:rotate-secret": "owner",
	"application:delete": "owner",
	"grant:list": "owner",
	"grant:revoke": "owner",
} as const satisfies Record<string, Grant>;

/** What callers may do with the email texts of a tenant. */
export const MAIL_TEMPLATE_ACTIONS = {
	"mail-template:list": "owner",
	"mail-template:get": "owner",
	"mail-template:set": "owner",
	"mail-template:reset": "owner",
	"mail-template:preview": "owner",
} as const satisfies Record<string, Grant>;
