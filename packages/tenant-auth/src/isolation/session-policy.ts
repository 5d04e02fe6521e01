import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import { currentScope, findCurrentTenantRow } from "../call/context/current-scope";
import { defineCallState, findEndpoint, findState } from "../call/context/current-state";
import { findImpersonator, IMPERSONATION_SECONDS, isValidAt } from "../call/context/impersonation";
import {
	attemptOf,
	endpointOf,
	findSignInProblem,
	isByManagement,
} from "../call/context/policy-check";
import type { TenantInstance } from "../call/context/request-state";
import {
	ALL_TENANTS,
	PLATFORM_ID,
	scopeOf,
	type TenantRow,
	tenantIdOf,
} from "../call/context/tenant";
import { DEFAULT_POLICY, policyIn, type TenantPolicy } from "../call/policy/tenant-policy";
import type { FoundSession, InternalAdapter, StageParts } from "../database/internal-adapter";
import { tenantError } from "../tenant-error";
import { isExcusedFromSecondFactor } from "./link-sessions";

/** A user with the fields that decide whether a session may start. */
export type KnownUser = User & { disabledAt?: Date | null; twoFactorEnabled?: boolean | null };

/** The users that the running call has read. A check of the user then costs no statement. */
const known = defineCallState(() => new Map<string, KnownUser>());

export function noteUser(row: unknown): void {
	if (row === null || typeof row !== "object" || !("id" in row) || !("disabledAt" in row)) return;
	const user = row as KnownUser;
	known.find()?.set(user.id, user);
}

async function findKnownUser(
	users: Pick<InternalAdapter, "findUserById">,
	userId: string,
): Promise<KnownUser | null> {
	return known.find()?.get(userId) ?? ((await users.findUserById(userId)) as KnownUser | null);
}

/** A session is marked as used once in this part of the idle time. */
const IDLE_STEPS = 10;

/**
 * Makes sessions keep to the tenant's policy: how they may start, how long they last, and whether their
 * user needs a second factor. A disabled user has no session, and an impersonation ends after an hour.
 *
 * Core and all plugins create and read sessions here, whatever endpoint they have.
 */
export function applySessionPolicy(
	sessions: InternalAdapter,
	instance: TenantInstance,
): StageParts {
	return {
		beforeSession: async (userId) => {
			const tenant = await findCurrentTenantRow(instance);
			if (tenant) await requireSignIn(tenant, () => findKnownUser(sessions, userId));
		},
		admits,
		listSessions: async (userId, options) => {
			const all = await sessions.listSessions(userId, options);
			const isEnded = await Promise.all(
				all.map(async (session) => isOver(await findPolicy(session), session)),
			);
			return all.filter((_, index) => !isEnded[index]);
		},
		findUserById: async (userId) => {
			const user: KnownUser | null = await sessions.findUserById(userId);
			if (!user || !servesTokens(findEndpoint())) return user;
			const isRefused = isDisabled(user) || lacksSecondFactor(await findPolicy(user), user);
			return isRefused ? null : user;
		},
	};

	function findPolicy(row: object): Promise<TenantPolicy> {
		return findPolicyOf(instance, row);
	}

	async function admits(found: FoundSession): Promise<boolean> {
		const { session, user } = found;
		const state = findState(instance);
		if (tenantIdOf(session) === PLATFORM_ID) return true;
		if (!state || state.scope === ALL_TENANTS) return !isOver(DEFAULT_POLICY, session);
		if (isDisabled(user)) return false;
		const policy = await findPolicy(session);
		if (isOver(policy, session)) {
			await sessions.deleteSession(session.token);
			return false;
		}
		const endpoints = [state.endpoint, findEndpoint()].filter((endpoint) => endpoint != null);
		const isUnenrolled =
			lacksSecondFactor(policy, user) && !mayEnroll(state.endpoint) && !(await isExcused(found));
		const { impersonationPaths } = instance.options;
		const isValid = endpoints.every(({ path }) => isValidAt(session, path, impersonationPaths));
		if (isUnenrolled || !isValid) {
			// Its cookies stay: the user still needs them, to set up the second factor or elsewhere.
			state.rejectSession(session.token);
			if (isUnenrolled) state.lacksSecondFactor = true;
			return false;
		}
		const { lifetime } = limitsOf(policy, session);
		for (const { context } of endpoints) if (lifetime !== null) stopRenewal(context, lifetime);
		await markAsUsed(policy, found);
		return true;
	}

	/** A read for a session that would be refused otherwise. */
	async function isExcused({ session, user }: FoundSession): Promise<boolean> {
		const isOwner = "tenantRole" in user && user.tenantRole === "owner";
		const tenant = isOwner && (await findTenantOf(instance, session));
		return tenant ? isExcusedFromSecondFactor(sessions, instance, scopeOf(tenant), session) : false;
	}

	async function markAsUsed(policy: TenantPolicy, { session }: FoundSession): Promise<void> {
		if (!needsMark(policy, session)) return;
		const now = new Date();
		await sessions.updateSession(session.token, { updatedAt: now });
		session.updatedAt = now;
	}
}

/** The policy of the tenant of a session or a user. The platform has none. */
export async function findPolicyOf(instance: TenantInstance, row: object): Promise<TenantPolicy> {
	const tenant = await findTenantOf(instance, row);
	return tenant ? policyIn(tenant) : DEFAULT_POLICY;
}

/** The policy of the tenant in which a call runs. */
export async function findCurrentPolicy(instance: TenantInstance): Promise<TenantPolicy> {
	const scope = await currentScope(instance);
	return scope === ALL_TENANTS ? DEFAULT_POLICY : findPolicyOf(instance, scope);
}

async function findTenantOf(instance: TenantInstance, row: object): Promise<TenantRow | null> {
	const tenantId = tenantIdOf(row);
	const state = findState(instance);
	if (tenantId === PLATFORM_ID || state?.scope === ALL_TENANTS) return null;
	return state?.tenant ?? (await (state ?? instance).readTenant(tenantId));
}

/** Whether it is time to write down that a session is in use. */
export function needsMark({ session: { idleTime } }: TenantPolicy, session: Limited): boolean {
	if (idleTime === null) return false;
	return Date.now() - timeOf(session.updatedAt) >= (idleTime * 1000) / IDLE_STEPS;
}

/**
 * Refuses a session that a plugin makes by hand, by the rules for all others: the api-key plugin makes
 * one of a key.
 *
 * @throws APIError `USER_DISABLED`, `SECOND_FACTOR_REQUIRED`
 */
export async function requireAdmittedUser(
	instance: TenantInstance,
	user: KnownUser,
): Promise<void> {
	const tenantId = tenantIdOf(user);
	if (tenantId === PLATFORM_ID) return;
	if (isDisabled(user)) throw tenantError("USER_DISABLED");
	const tenant = await (findState(instance) ?? instance).readTenant(tenantId);
	if (tenant && lacksSecondFactor(policyIn(tenant), user)) {
		throw tenantError("SECOND_FACTOR_REQUIRED");
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

export const isDisabled = (user: KnownUser): boolean => Boolean(user.disabledAt);

export type Limited = Pick<FoundSession["session"], "createdAt" | "updatedAt">;

/** How many seconds a session lasts. */
function limitsOf({ session: limits }: TenantPolicy, session: object): TenantPolicy["session"] {
	if (!findImpersonator(session)) return limits;
	return { ...limits, lifetime: Math.min(limits.lifetime ?? Infinity, IMPERSONATION_SECONDS) };
}

/** If core reads several sessions of a secondary storage, their dates are texts. */
const timeOf = (date: Date | string): number => new Date(date).getTime();

export function isOver(policy: TenantPolicy, session: Limited): boolean {
	const { lifetime, idleTime } = limitsOf(policy, session);
	const now = Date.now();
	const hasPassed = (since: Date, seconds: number | null) =>
		seconds !== null && timeOf(since) + seconds * 1000 <= now;
	return hasPassed(session.createdAt, lifetime) || hasPassed(session.updatedAt, idleTime);
}

export const lacksSecondFactor = (policy: TenantPolicy, user: KnownUser): boolean =>
	policy.secondFactor.required && user.twoFactorEnabled !== true;

const mayEnroll = (endpoint: GenericEndpointContext | null): boolean =>
	endpoint !== null && endpointOf(endpoint).enrollsSecondFactor === true;

/** Whether an endpoint serves tokens that were issued for a user, without a session. */
const servesTokens = (endpoint: GenericEndpointContext | undefined): boolean =>
	endpoint !== undefined && endpointOf(endpoint).servesTokens === true;

/**
 * Core gives a session a later end when it is used. With a lifetime, it has its last end from the
 * beginning. The context is the copy of this request.
 */
function stopRenewal(context: AuthContext, lifetime: number): void {
	const expiresIn = Math.min(context.sessionConfig.expiresIn, lifetime);
	context.sessionConfig = { ...context.sessionConfig, expiresIn, updateAge: expiresIn };
}

/** The end of a session that starts now, if the policy says one. */
export function latestEnd({ session: { lifetime } }: TenantPolicy, end: Date): Date {
	if (lifetime === null) return end;
	return new Date(Math.min(end.getTime(), Date.now() + lifetime * 1000));
}

/**
 * Whether a session may be kept in the cookie cache. There it would be valid without a look at the policy.
 */
export function mayBeCached(
	tenant: TenantRow | null | undefined,
	session: object,
	user: KnownUser,
): boolean {
	if (findImpersonator(session)) return false;
	if (!tenant?.policy) return true;
	const policy = policyIn(tenant);
	const { lifetime, idleTime } = policy.session;
	return lifetime === null && idleTime === null && !lacksSecondFactor(policy, user);
}
