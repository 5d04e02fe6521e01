import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import type { TenantErrorCode } from "../../error-codes";
import { tenantError } from "../../tenant-error";
import type { EndpointRules } from "../foreign/endpoint-rules";
import type { SessionSource } from "../foreign/sign-in-methods";
import { DEFAULT_POLICY, policyIn, type TenantPolicy } from "../policy/tenant-policy";
import { defineCallState, runInScope } from "./current-state";
import { coreCounterpartOf, rulesOf } from "./endpoint-rules";
import type { RequestState, TenantInstance } from "./request-state";
import { scopeOf, type TenantRow } from "./tenant";

type Call = Pick<GenericEndpointContext, "path" | "params" | "body">;

/** What is known about an endpoint, or about the endpoint of core that does the same. */
export function endpointOf({ path }: Pick<Call, "path">): EndpointRules {
	return rulesOf((path && coreCounterpartOf(path)) ?? path);
}

export function attemptOf(call: Call): SignInAttempt {
	const { params, body } = call;
	const { signIn: source, providerId } = endpointOf(call);
	const named: unknown =
		providerId ?? params?.id ?? params?.providerId ?? body?.provider ?? body?.providerId;
	return { source, providerId: typeof named === "string" ? named : undefined };
}

/**
 * Checks a call as soon as it has named its tenant. It refuses early what would be refused anyway, before
 * an email is sent or a password is verified. And a sign-up is refused before anything can reveal whether
 * the email is known.
 */
export async function checkNamedCall(state: RequestState, tenant: TenantRow): Promise<void> {
	const policy = policyIn(tenant);
	const { endpoint, instance } = state;
	if (policy !== DEFAULT_POLICY && endpoint) {
		const { signIn, signsUp } = endpointOf(endpoint);
		const problem = signIn && findSignInProblem(policy, attemptOf(endpoint));
		if (problem) throw tenantError(problem);
		if (signsUp && instance) await requireSignUp(instance, endpoint, tenant);
	}
	await checkNewPassword(state, tenant);
}

/** It is checked again when the user is created, with the email that core uses. */
async function requireSignUp(
	instance: TenantInstance,
	endpoint: GenericEndpointContext,
	tenant: TenantRow,
): Promise<void> {
	const policy = policyIn(tenant);
	const email: unknown = endpoint.body?.email;
	const address = typeof email === "string" ? email : undefined;
	const mayBeInvited = policy.signUp.mode === "invite" && address !== undefined;
	const invited = mayBeInvited && (await isInvited(instance, endpoint, tenant, address));
	const problem = findSignUpProblem(policy, { email: address, invited });
	if (problem) throw tenantError(problem);
}

/** Asks the plugins that invite people. Without one, nobody is invited. */
async function isInvited(
	instance: TenantInstance,
	endpoint: GenericEndpointContext,
	tenant: TenantRow,
	email: string,
): Promise<boolean> {
	return runInScope(instance, scopeOf(tenant), async () => {
		for (const admission of instance.features.admissions) {
			if (await admission.isInvited(endpoint, tenant.id, email)) return true;
		}
		return false;
	});
}

/** The new password that the running call has checked. */
const checked = defineCallState<{ password?: string }>(() => ({}));

/** Checks the new password in the body of a call, before core uses up the token that allows it. */
export async function checkNewPassword(
	{ endpoint, instance }: RequestState,
	tenant: TenantRow | null,
): Promise<void> {
	if (!endpoint || !instance || !hasPasswordRules(instance, tenant)) return;
	const field = endpointOf(endpoint).newPassword;
	const password: unknown = field && endpoint.body?.[field];
	if (typeof password === "string") await requirePassword(instance, tenant, password);
}

const hasPasswordRules = ({ isCommon }: TenantInstance, tenant: TenantRow | null): boolean =>
	isCommon !== null || Boolean(tenant?.policy);

/** @throws APIError if the app or the tenant's policy does not allow the password */
export async function requirePassword(
	instance: TenantInstance,
	tenant: TenantRow | null,
	password: string,
): Promise<void> {
	if (!hasPasswordRules(instance, tenant)) return;
	const { minLength, rejectBreached } = (tenant ? policyIn(tenant) : DEFAULT_POLICY).password;
	const call = checked.find();
	if (call?.password === password) return;
	if (password.length < (minLength ?? 0)) {
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.PASSWORD_TOO_SHORT);
	}
	if (
		(await instance.isCommon?.(password)) ||
		(rejectBreached && (await instance.isBreached(password)))
	) {
		throw tenantError("PASSWORD_COMPROMISED");
	}
	if (call) call.password = password;
}

/** How a call gets a session or creates a user, as far as it is known. */
export interface SignInAttempt {
	/** `undefined` for an endpoint that this plugin does not know. */
	source: SessionSource | undefined;
	/** The social provider, if it is one. */
	providerId: string | undefined;
}

/** Why a policy does not allow a sign-in, or `null`. An endpoint that we do not know is refused. */
export function findSignInProblem(
	{ signIn: { methods, providers } }: TenantPolicy,
	{ source, providerId }: SignInAttempt,
): TenantErrorCode | null {
	if (methods === null && providers === null) return null;
	if (source === "continued" || source === "managed") return null;
	if (methods !== null && (source === undefined || !methods.includes(source))) {
		return "SIGN_IN_METHOD_NOT_ALLOWED";
	}
	if (source !== "social" || providers === null) return null;
	return providerId !== undefined && providers.includes(providerId)
		? null
		: "SIGN_IN_METHOD_NOT_ALLOWED";
}

/**
 * Why a policy does not let people create an account for themselves, or `null`.
 *
 * @param invited whether they have a valid invitation for this email
 */
export function findSignUpProblem(
	{ signUp: { mode, emailDomains } }: TenantPolicy,
	{ email, invited }: { email: string | undefined; invited: boolean },
): TenantErrorCode | null {
	if (mode === "closed") return "SIGN_UP_NOT_ALLOWED";
	if (mode === "invite" && !invited) return "INVITATION_REQUIRED";
	return isInDomains(email, emailDomains) ? null : "EMAIL_DOMAIN_NOT_ALLOWED";
}

/** Exactly one of the domains: a subdomain may belong to somebody else. */
export function isInDomains(email: string | undefined, domains: string[] | null): boolean {
	if (domains === null) return true;
	if (email === undefined) return false;
	const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
	return domains.includes(domain);
}

const running = defineCallState(() => ({ works: 0 }));

/**
 * Runs work that those who manage a tenant do to its users. It is not limited by the tenant's rules for
 * sign-up and sign-in, and it may write the user's role.
 */
export async function byManagement<T>(work: () => Promise<T>): Promise<T> {
	const state = running.get();
	state.works += 1;
	try {
		return await work();
	} finally {
		state.works -= 1;
	}
}

/** Whether the running call is inside of {@link byManagement}. */
export const isByManagement = (): boolean => (running.find()?.works ?? 0) > 0;
