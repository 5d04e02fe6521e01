import * as z from "zod";
import { text, textOrNull } from "../../described";

/** An invitation as the database stores it. */
export interface InvitationRow {
	id: string;
	tenantId: string;
	/** In lowercase. */
	email: string;
	role: string;
	tokenDigest: string;
	/** The user of the tenant who invited; `null` if it was the app. */
	invitedBy: string | null;
	/** The role that they had then. */
	inviterRole: string | null;
	createdAt: Date;
	expiresAt: Date;
	/** Set if `sendInvitation` sent the token. */
	sentAt: Date | null;
	acceptedAt: Date | null;
	revokedAt: Date | null;
}

const date = (description: string) => z.date().meta({ description });

export const invitationSchema = z.object({
	id: text("Unique id"),
	tenantId: text("The tenant"),
	email: text("Who is invited, in lowercase"),
	role: text("The role that the invitation gives"),
	status: z
		.enum(["pending", "accepted", "revoked", "expired"])
		.meta({ description: "Only a pending invitation can be accepted" }),
	invitedBy: textOrNull("The user of the tenant who invited; null if it was your app"),
	createdAt: date("When it was created"),
	expiresAt: date("When it expires"),
	sentAt: date("When sendInvitation was last called for it").nullable(),
	acceptedAt: date("When it was accepted").nullable(),
	revokedAt: date("When it was revoked").nullable(),
});

/** An invitation as callers see it, without its token. */
export type TenantInvitation = z.output<typeof invitationSchema>;

export function toInvitation(row: InvitationRow): TenantInvitation {
	return {
		id: row.id,
		tenantId: row.tenantId,
		email: row.email,
		role: row.role,
		status: statusOf(row),
		invitedBy: row.invitedBy,
		createdAt: row.createdAt,
		expiresAt: row.expiresAt,
		sentAt: row.sentAt,
		acceptedAt: row.acceptedAt,
		revokedAt: row.revokedAt,
	};
}

export function statusOf(row: InvitationRow): TenantInvitation["status"] {
	if (row.acceptedAt) return "accepted";
	if (row.revokedAt) return "revoked";
	return row.expiresAt > new Date() ? "pending" : "expired";
}

/** As Better Auth stores the email of a user. */
export const normalizeEmail = (email: string) => email.toLowerCase();

/** What an invitation asks of a user. Better Auth's type does not know our columns. */
export interface InvitedUser {
	id: string;
	email: string;
	emailVerified: boolean;
	tenantRole?: string | null;
}
