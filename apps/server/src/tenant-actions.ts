import type { Grant } from "better-auth-tenant";

/** What callers may do with the applications of a tenant, and with what these have and know of its users. */
export const APPLICATION_ACTIONS = {
	"application:create": "owner",
	"application:list": "owner",
	"application:get": "owner",
	"application:update": "owner",
	"application:rotate-secret": "owner",
	"application:delete": "owner",
	"grant:list": "owner",
	"grant:revoke": "owner",
	"user-metadata:get": "owner",
	"user-metadata:update": "owner",
} as const satisfies Record<string, Grant>;

/** What callers may do with the email texts of a tenant. */
export const MAIL_TEMPLATE_ACTIONS = {
	"mail-template:list": "owner",
	"mail-template:get": "owner",
	"mail-template:set": "owner",
	"mail-template:reset": "owner",
	"mail-template:preview": "owner",
} as const satisfies Record<string, Grant>;

/** What callers may do with the SCIM connection of a tenant. */
export const SCIM_ACTIONS = {
	"scim:get": "owner",
	"scim:create-token": "owner",
	"scim:revoke-token": "owner",
	"scim:set-roles": "owner",
} as const satisfies Record<string, Grant>;

/** What callers may do with the SAML identity provider of a tenant. */
export const SAML_ACTIONS = {
	"saml:get": "owner",
	"saml:set": "owner",
	"saml:refresh": "owner",
	"saml:test": "owner",
	"saml:remove": "owner",
} as const satisfies Record<string, Grant>;
