import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { ofTenant, optionalText, renamed, type SchemaNames, text, timestamp } from "../../columns";

const createSchema = () =>
	({
		/** One row per tenant and email: a new invitation replaces the old one. */
		tenantInvitation: {
			fields: {
				tenantId: { ...ofTenant },
				/** In lowercase, as in `user`. */
				email: { ...text },
				role: { ...text },
				/** A digest: somebody who reads the database cannot accept the invitation. */
				tokenDigest: { ...text, unique: true, returned: false },
				/** The user of the tenant who invited; empty if it was the app. */
				invitedBy: { ...optionalText },
				/** The role that they had then. */
				inviterRole: { ...optionalText },
				createdAt: { ...timestamp },
				expiresAt: { type: "date", required: true },
				/** Set if the app's `sendInvitation` sent the token. Then only the mailbox has it. */
				sentAt: { type: "date", required: false },
				acceptedAt: { type: "date", required: false },
				revokedAt: { type: "date", required: false },
			},
			indexes: [
				{ fields: ["tenantId", "email"], unique: true },
				{ fields: ["tenantId", "createdAt"] },
			],
		},
	}) satisfies BetterAuthPluginDBSchema;

type InvitationSchema = ReturnType<typeof createSchema>;

/** Other names for the table and the columns of invitations. */
export type TenantInvitationsSchemaNames = SchemaNames<InvitationSchema>;

/** Each instance has its own copy. */
export const invitationTables = (names?: TenantInvitationsSchemaNames): InvitationSchema =>
	renamed("tenantInvitations", createSchema(), names);
