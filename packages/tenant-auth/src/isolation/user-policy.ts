import { findEndpoint, findState } from "../context/current-state";
import { isByManagement } from "../context/managed-user";
import { attemptOf } from "../context/policy-check";
import type { TenantInstance } from "../context/request-state";
import type { TenantScope } from "../context/tenant";
import { findSignInProblem, findSignUpProblem, isInDomains } from "../policy/problems";
import { policyIn } from "../policy/tenant-policy";
import { tenantError } from "../tenant-error";
import type { Row } from "./raw-adapter";

/**
 * Throws if the tenant's policy does not allow a new user. Core and all plugins create users here,
 * whatever endpoint they have. Code that runs in no endpoint is the app's own, and management may create
 * any user.
 *
 * @param invited whether the user has a valid invitation
 */
export async function requireNewUser(
	instance: TenantInstance,
	{ tenantId }: TenantScope,
	{ email }: Row,
	invited: boolean,
): Promise<void> {
	const endpoint = findEndpoint();
	if (!endpoint || isByManagement()) return;
	const state = findState(instance);
	const tenant = state?.tenant ?? (await (state ?? instance).readTenant(tenantId));
	if (!tenant?.policy) return;
	const policy = policyIn(tenant);
	const attempt = attemptOf(endpoint);
	const problem =
		findSignInProblem(policy, attempt) ?? findProblem(typeof email === "string" ? email : "");
	if (!problem) return;
	const error = tenantError(problem);
	// Core may take it for an email that is taken, and hide it.
	state?.noteSignUpRejection(error);
	throw error;

	function findProblem(address: string) {
		if (attempt.source !== "managed") {
			return findSignUpProblem(policy, { email: address, invited });
		}
		const isAllowed = invited || isInDomains(address, policy.signUp.emailDomains);
		return isAllowed ? null : "EMAIL_DOMAIN_NOT_ALLOWED";
	}
}
