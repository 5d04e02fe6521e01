import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { findEndpoint, findState } from "../context/current-state";
import { findCurrentTenantRow } from "../context/current-tenant";
import { isByManagement } from "../context/managed-user";
import { attemptOf, endpointOf } from "../context/policy-check";
import type { FoundSession } from "../context/presented-sessions";
import type { TenantInstance } from "../context/request-state";
import { ALL_TENANTS, PLATFORM_ID, type TenantRow, tenantIdOf } from "../context/tenant";
import { findSignInProblem } from "../policy/problems";
import { policyIn, type TenantPolicy } from "../policy/tenant-policy";
import { tenantError } from "../tenant-error";
import { findKnownUser, type KnownUser } from "./known-users";

type InternalAdapter = AuthContext["internalAdapter"];

/** A session is marked as used once in this part of the idle time. */
const IDLE_STEPS = 10;

/**
 * Makes sessions keep to the tenant's policy: how they may start, how long they last, and whether their
 * user needs a second factor. A disabled user has no session.
 *
 * Core and all plugins create and read sessions here, whatever endpoint they have.
 */
export function withSessionPolicy(
	sessions: InternalAdapter,
	instance: TenantInstance,
): InternalAdapter {
	return {
		...sessions,
		createSession: async (userId, ...rest) => {
			const tenant = await findCurrentTenantRow(instance);
			if (tenant) await requireSignIn(tenant, () => findKnownUser(sessions, userId));
			return sessions.createSession(userId, ...rest);
		},
		findSession: async (token) => {
			const found = await sessions.findSession(token);
			return found && (await admits(found)) ? found : null;
		},
		findSessions: async (tokens, options) => {
			const all = await sessions.findSessions(tokens, options);
			const admitted = await Promise.all(all.map(admits));
			return all.filter((_, index) => admitted[index]);
		},
	};

	/** The platform has no policy. */
	async function admits(found: FoundSession): Promise<boolean> {
		const tenantId = tenantIdOf(found.session);
		const state = findState(instance);
		if (tenantId === PLATFORM_ID || !state || state.scope === ALL_TENANTS) return true;
		if (isDisabled(found.user)) return false;
		const tenant = state.tenant ?? (await state.readTenant(tenantId));
		if (!tenant?.policy) return true;
		const policy = policyIn(tenant);
		const { token } = found.session;
		if (isOver(policy, found)) {
			await sessions.deleteSession(token);
			return false;
		}
		if (lacksSecondFactor(policy, found.user) && !mayEnroll(state.endpoint)) {
			// Its cookies stay: the user still needs them to set up the second factor.
			state.rejectSession(token);
			state.noteMissingSecondFactor();
			return false;
		}
		for (const endpoint of [state.endpoint, findEndpoint()]) {
			if (endpoint) stopRenewal(endpoint.context, policy);
		}
		await markAsUsed(policy, found);
		return true;
	}

	async function markAsUsed(policy: TenantPolicy, { session }: FoundSession): Promise<void> {
		const { idleTime } = policy.session;
		const now = new Date();
		const unused = now.getTime() - session.updatedAt.getTime();
		if (idleTime === null || unused < (idleTime * 1000) / IDLE_STEPS) return;
		await sessions.updateSession(session.token, { updatedAt: now });
		session.updatedAt = now;
	}
}

/** Code that runs in no endpoint is the app's own. */
async function requireSignIn(
	tenant: TenantRow,
	findUser: () => Promise<KnownUser | null>,
): Promise<void> {
	const endpoint = isByManagement() ? undefined : findEndpoint();
	const problem = endpoint && findSignInProblem(policyIn(tenant), attemptOf(endpoint));
	if (problem) throw tenantError(problem);
	const user = await findUser();
	if (user && isDisabled(user)) throw tenantError("USER_DISABLED");
}

const isDisabled = (user: KnownUser): boolean => Boolean(user.disabledAt);

function isOver({ session: { lifetime, idleTime } }: TenantPolicy, { session }: FoundSession) {
	const now = Date.now();
	const hasPassed = (since: Date, seconds: number | null) =>
		seconds !== null && since.getTime() + seconds * 1000 <= now;
	return hasPassed(session.createdAt, lifetime) || hasPassed(session.updatedAt, idleTime);
}

const lacksSecondFactor = (policy: TenantPolicy, user: KnownUser): boolean =>
	policy.secondFactor.required && user.twoFactorEnabled !== true;

const mayEnroll = (endpoint: GenericEndpointContext | null): boolean =>
	endpoint !== null && endpointOf(endpoint).enrollsSecondFactor === true;

/**
 * Core gives a session a later end when it is used. With a lifetime of the policy, it has its last end
 * from the beginning. The context is the copy of this request.
 */
function stopRenewal(context: AuthContext, { session: { lifetime } }: TenantPolicy): void {
	if (lifetime === null) return;
	const expiresIn = Math.min(context.sessionConfig.expiresIn, lifetime);
	context.sessionConfig = { ...context.sessionConfig, expiresIn, updateAge: expiresIn };
}

/** The end of a session that starts now, if the policy says one. */
export function latestEnd({ session: { lifetime } }: TenantPolicy, end: Date): Date {
	if (lifetime === null) return end;
	return new Date(Math.min(end.getTime(), Date.now() + lifetime * 1000));
}

/**
 * Whether a session may be kept in the cookie cache. There it would count without a look at the policy.
 */
export function mayBeCached(tenant: TenantRow | null | undefined, user: KnownUser): boolean {
	if (!tenant?.policy) return true;
	const policy = policyIn(tenant);
	const { lifetime, idleTime } = policy.session;
	return lifetime === null && idleTime === null && !lacksSecondFactor(policy, user);
}
