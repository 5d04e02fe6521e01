import type { Session, User } from "@better-auth/core/db";
import * as z from "zod";

export const tenantSessionSchema = z.object({
	id: z.string().meta({ description: "Unique id" }),
	userId: z.string().meta({ description: "The user" }),
	user: z
		.object({
			id: z.string().meta({ description: "Unique id" }),
			name: z.string().meta({ description: "Name" }),
			email: z.string().meta({ description: "Email" }),
		})
		.meta({ description: "The user" }),
	ipAddress: z.string().nullable().meta({ description: "The IP address of the sign-in" }),
	userAgent: z.string().nullable().meta({ description: "The browser of the sign-in" }),
	createdAt: z.date().meta({ description: "When the user signed in" }),
	updatedAt: z.date().meta({ description: "When the session was last extended" }),
	expiresAt: z.date().meta({ description: "When the session expires" }),
});

/** A session as a manager sees it. It never contains the token, with which one could act as the user. */
export type TenantSession = z.output<typeof tenantSessionSchema>;

export function toTenantSession(
	session: Session,
	{ id, name, email }: Pick<User, "id" | "name" | "email">,
): TenantSession {
	return {
		id: session.id,
		userId: id,
		user: { id, name, email },
		ipAddress: session.ipAddress ?? null,
		userAgent: session.userAgent ?? null,
		createdAt: session.createdAt,
		updatedAt: session.updatedAt,
		expiresAt: session.expiresAt,
	};
}
