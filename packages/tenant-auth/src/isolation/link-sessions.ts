import type { AuthContext } from "@better-auth/core";
import { runInScope } from "../call/context/current-state";
import type { TenantInstance } from "../call/context/request-state";
import type { TenantScope } from "../call/context/tenant";
import { digest } from "../database/digest";

type InternalAdapter = AuthContext["internalAdapter"];

/** Long enough to repair the policy, or to set up a second factor. */
const SECONDS = 60 * 60;

/** The digest, as the database must not contain tokens twice. */
const identifierOf = async (token: string) => `tenant-link-session:${await digest(token)}`;

/**
 * Lets one session be valid without a second factor that the policy requires, for an hour. It is for the
 * session of a sign-in link: its owner may have no password, and then cannot set up a second factor.
 *
 * Must run in the tenant's scope.
 */
export async function excuseFromSecondFactor(
	values: Pick<InternalAdapter, "createVerificationValue">,
	session: { token: string; userId: string },
): Promise<Date> {
	const expiresAt = new Date(Date.now() + SECONDS * 1000);
	const identifier = await identifierOf(session.token);
	await values.createVerificationValue({ identifier, value: session.userId, expiresAt });
	return expiresAt;
}

export async function isExcusedFromSecondFactor(
	values: Pick<InternalAdapter, "findVerificationValue">,
	instance: TenantInstance,
	scope: TenantScope,
	session: { token: string; userId: string },
): Promise<boolean> {
	const identifier = await identifierOf(session.token);
	const found = await runInScope(instance, scope, () => values.findVerificationValue(identifier));
	return found !== null && found.expiresAt > new Date() && found.value === session.userId;
}
