import type { GenericEndpointContext } from "@better-auth/core";
import { pluginOptions } from "../../call/port/plugin-options";
import type { Tenant } from "../../management/tenants/tenant";
import type { TenantInvitation } from "./invitation";
import type { TenantInvitationsSchemaNames } from "./schema";

type Awaitable<T> = T | Promise<T>;

export interface TenantInvitationsOptions {
	/**
	 * Sends an invitation by email. `url` is the `callbackURL` of the call with `?token=`.
	 *
	 * With this option only the mailbox gets the token. So a new user who presents it has a verified
	 * email. Without it, `createTenantInvitation` returns the token and the URL, and your app sends them.
	 *
	 * @default the token is returned
	 * @example
	 * ```ts
	 * sendInvitation: async ({ invitation, tenant, url }) => {
	 *   await sendEmail(invitation.email, `Join ${tenant.name}`, url);
	 * }
	 * ```
	 */
	sendInvitation?: (email: InvitationEmail, request?: Request) => Awaitable<void>;
	/**
	 * Decides whether an invitation may be created or sent again, before anything is changed. The caller may
	 * invite people to this tenant. Throw an `APIError` to refuse it, for example if too many were sent.
	 *
	 * @default every invitation is allowed
	 */
	checkInvitation?: (invitation: { email: string; tenantId: string }) => Awaitable<void>;
	/** Other names for the table and its columns. */
	schema?: TenantInvitationsSchemaNames;
}

/** What `sendInvitation` gets. */
export interface InvitationEmail {
	invitation: TenantInvitation;
	tenant: Tenant;
	/** Where the link leads. */
	url: string;
	/** For clients that do not open the URL in a browser. */
	token: string;
}

export const INVITATIONS_PLUGIN = "tenant-auth-invitations";

export const invitationOptions = ({ context }: GenericEndpointContext): TenantInvitationsOptions =>
	pluginOptions(context, INVITATIONS_PLUGIN, "tenantInvitations");
