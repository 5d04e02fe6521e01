import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { findEndpoint, findState } from "../call/context/current-state";
import {
	attemptOf,
	findSignInProblem,
	findSignUpProblem,
	isByManagement,
	isInDomains,
} from "../call/context/policy-check";
import type { TenantInstance } from "../call/context/request-state";
import type { TenantScope } from "../call/context/tenant";
import type { AcceptedUser } from "../call/port/tenant-plugin";
import { tenantError } from "../tenant-error";
import type { Row } from "./raw-adapter";
import { idOf } from "./row-owners";
import { findPolicyOf } from "./session-policy";

/**
 * Inserts a new user of a tenant, if the tenant's policy allows it, with what the invitation that the call
 * presents gives them.
 *
 * @param trx the transaction of the insert
 */
export async function insertAdmitted<R>(
	instance: TenantInstance,
	trx: DBTransactionAdapter,
	scope: TenantScope,
	user: Row,
	insert: (user: Row) => Promise<R>,
): Promise<R> {
	const accepted = await acceptUser(instance, trx, scope, user.email);
	try {
		await requireNewUser(instance, scope, user, accepted !== null);
		const inserted = await insert({ ...user, ...accepted?.fields });
		await accepted?.created({ id: idOf(inserted) });
		return inserted;
	} catch (error) {
		// Core may return success for a taken email, and then the transaction is not undone.
		await accepted?.undo().catch(() => {});
		throw error;
	}
}

async function acceptUser(
	{ features }: TenantInstance,
	trx: DBTransactionAdapter,
	{ tenantId }: TenantScope,
	email: unknown,
): Promise<AcceptedUser | null> {
	const endpoint = findEndpoint();
	if (!endpoint || typeof email !== "string") return null;
	for (const admission of features.admissions) {
		const accepted = await admission.acceptUser(endpoint, trx, tenantId, email);
		if (accepted) return accepted;
	}
	return null;
}

/**
 * Throws if the tenant's policy does not allow a new user. Core and all plugins create users here,
 * whatever endpoint they have. Code that runs in no endpoint is the app's own, and management may create
 * any user.
 *
 * @param invited whether the user has a valid invitation
 */
async function requireNewUser(
	instance: TenantInstance,
	scope: TenantScope,
	{ email }: Row,
	invited: boolean,
): Promise<void> {
	const endpoint = findEndpoint();
	if (!endpoint || isByManagement()) return;
	const state = findState(instance);
	const policy = await findPolicyOf(instance, scope);
	const attempt = attemptOf(endpoint);
	const problem =
		findSignInProblem(policy, attempt) ?? findProblem(typeof email === "string" ? email : "");
	if (!problem) return;
	const error = tenantError(problem);
	// Core may take it for an email that is taken, and hide it.
	if (state) state.signUpRejection = error;
	throw error;

	function findProblem(address: string) {
		if (attempt.source !== "managed") {
			return findSignUpProblem(policy, { email: address, invited });
		}
		const isAllowed = isInDomains(address, policy.signUp.emailDomains);
		return isAllowed ? null : "EMAIL_DOMAIN_NOT_ALLOWED";
	}
}

/**
 * Throws if the tenant's policy does not allow the new email of a user: otherwise people could sign up
 * with an email of the right domain, and go on with another one. Those who keep their email stay,
 * whatever it is.
 *
 * @param findUsers the users whose email will be written
 */
export async function requireEmail(
	instance: TenantInstance,
	scope: TenantScope,
	email: string,
	findUsers: () => Promise<Row[]>,
): Promise<void> {
	if (!findEndpoint() || isByManagement()) return;
	const policy = await findPolicyOf(instance, scope);
	if (isInDomains(email, policy.signUp.emailDomains)) return;
	if ((await findUsers()).every((user) => user.email === email)) return;
	throw tenantError("EMAIL_DOMAIN_NOT_ALLOWED");
}
