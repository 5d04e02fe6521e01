import type { AuthContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { IMPERSONATION_SECONDS, IMPERSONATOR } from "../../call/context/impersonation";
import { byManagement } from "../../call/context/policy-check";
import type { Actor } from "../audit/audit-event";

/** Creates a session in which somebody else acts as the user. It says who. */
export async function createImpersonation(
	{ internalAdapter }: Pick<AuthContext, "internalAdapter">,
	user: User,
	{ kind, id }: Actor,
): Promise<Session | null> {
	const session: Session | null = await byManagement(() =>
		internalAdapter.createSession(
			user.id,
			true,
			{
				[IMPERSONATOR]: id ? `${kind}:${id}` : kind,
				// The tenant's users can list this session. The audit log has the address.
				...(kind === "member" ? {} : { ipAddress: "", userAgent: "" }),
				expiresAt: new Date(Date.now() + IMPERSONATION_SECONDS * 1000),
			},
			true,
			// If the transaction fails, the storage must not have the session.
			{ deferSecondaryStorageWrites: true },
		),
	);
	return session;
}
