import type { AuthContext } from "@better-auth/core";
import { inCurrentState } from "../call/context/current-state";
import type { TenantInstance } from "../call/context/request-state";
import { composeStages, type InternalAdapter, type Stage } from "../database/internal-adapter";
import { askFeatures } from "../isolation/feature-stage";
import { applySessionPolicy } from "../isolation/session-policy";
import { sessionReader } from "../isolation/session-rows";
import { isolateSessions } from "../isolation/sessions";
import { keepsSessionsInDatabase } from "../isolation/storage";
import { checkStoredSessions } from "../isolation/stored-session-stage";
import { nameTenantInTokens } from "../isolation/tenant-in-token";
import { isolateVerifications } from "../isolation/verifications";
import { noteSignIns } from "../management/events/sign-in-outcome";
import { emitStoredSessions } from "../management/events/stored-session-events";
import { separateIssuers } from "../management/oauth-clients/account-issuer";
import { assignMappedRoles } from "../management/oauth-clients/mapped-role";
import { joinSimultaneousSignIns } from "../management/oauth-clients/simultaneous-sign-ins";
import { deleteUsersAtomically } from "../management/users/store";
import { updateUsersAtomically } from "../management/users/update-user";
import type { ProviderClients } from "./provider-clients";
import { offerProviderLogout } from "./provider-logout";
import { endUnprovenAccess } from "./unproven-access";

/**
 * Everything that we change in Better Auth's internal adapter, in the order in which a call meets it. The
 * order is a property of security: `stages.test.ts` says what a change of it would open.
 */
export const stagesOf = (
	ctx: AuthContext,
	instance: TenantInstance,
	clients: ProviderClients,
): Stage[] => [
	{
		name: "sign-in notes",
		why: "It is first, so it sees the result that the caller sees.",
		around: noteSignIns,
	},
	{
		name: "session events",
		why: "It is outside of all that refuses: only a session that somebody gets has an event.",
		// The database adapter sees the sessions that it stores.
		around: (inner) =>
			keepsSessionsInDatabase(ctx) ? {} : emitStoredSessions(inner, ctx, instance),
	},
	{
		name: "unproven access",
		why: "It is before the update that proves an email, and ends what others could use after it.",
		around: (inner) => endUnprovenAccess(inner, ctx, instance),
	},
	{
		name: "updated users",
		why: "It is before the mapped roles, which may write the protected fields that it rejects.",
		around: (inner) => updateUsersAtomically(inner, ctx),
	},
	{
		name: "deleted users",
		why: "It is before the isolation, so the deletion in its transaction is isolated too.",
		around: (inner) => deleteUsersAtomically(inner, ctx),
	},
	{
		name: "simultaneous sign-ins",
		why: "It is before the issuers: the winner's account is only found if its issuer is the same.",
		around: joinSimultaneousSignIns,
	},
	{
		name: "provider sign-out",
		why: "It has no order of its own: it only adds to what core finds.",
		around: (inner) => offerProviderLogout(inner, clients),
	},
	{
		name: "issuers",
		why: "It is inside of all that looks for accounts, so nobody gets an account of another issuer.",
		around: separateIssuers,
	},
	{
		name: "policy",
		why: "It is outside of the isolation, so it judges sessions of the right tenant only.",
		around: (inner) => applySessionPolicy(inner, instance),
	},
	{
		name: "features",
		why: "It is inside of the policy: a refused sign-in reaches no feature, and uses up no invitation.",
		around: (inner) => askFeatures(inner, instance),
	},
	{
		name: "mapped roles",
		why: "It is inside of the policy: a sign-in that is refused changes no role.",
		around: assignMappedRoles,
	},
	{
		name: "isolation",
		why: "It is outside of the stores, so no session of another tenant leaves them.",
		around: (inner) =>
			isolateSessions(inner, instance, {
				storage: ctx.options.secondaryStorage,
				find: ctx.options.secondaryStorage ? undefined : sessionReader(ctx, instance),
			}),
	},
	{
		name: "stored sessions",
		why: "It is nearest to the storage: an ended session must not even decide the tenant of a call.",
		around: (inner) => checkStoredSessions(inner, ctx, instance),
	},
	{
		name: "tenant in tokens",
		why: "It is inside of the isolation, so it names the tenant that the isolation has admitted.",
		around: () => nameTenantInTokens(ctx, instance),
	},
	{
		name: "verifications",
		why: "It is the last one, so all stages find the values of the tenant by the known identifier.",
		around: (inner) => isolateVerifications(inner, ctx.options.secondaryStorage, instance),
	},
];

/**
 * Isolates what core stores past the database adapter: sessions and verifications in a secondary storage.
 * Core offers no hook there, so its internal adapter is replaced, once.
 */
export function isolateStores(
	ctx: AuthContext,
	instance: TenantInstance,
	clients: ProviderClients,
): void {
	const core = withHooksInCall(ctx.internalAdapter);
	ctx.internalAdapter = composeStages(core, stagesOf(ctx, instance, clients));
}

/** Core runs `databaseHooks` in these methods. A hook may call `auth.api`, as in `hooks.ts`. */
function withHooksInCall(adapter: InternalAdapter): InternalAdapter {
	const wrap = ([name, method]: [string, unknown]) => [
		name,
		typeof method === "function"
			? (...input: unknown[]) => inCurrentState(() => method(...input))
			: method,
	];
	return Object.fromEntries(Object.entries(adapter).map(wrap)) as InternalAdapter;
}
