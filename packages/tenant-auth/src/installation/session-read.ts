import type { BetterAuthPlugin } from "@better-auth/core";
import { findOuterState } from "../call/context/current-state";
import { GATE_FIELDS, isOpen } from "../call/context/gate";
import { findAnyImpersonator } from "../call/context/impersonation";
import type { TenantInstance } from "../call/context/request-state";
import { PLATFORM_ID, TENANT_MODEL, type TenantRow, tenantIdOf } from "../call/context/tenant";
import { featuresAdmit } from "../isolation/feature-stage";
import type { KnownUser } from "../isolation/session-policy";
import { isDisabled } from "../isolation/session-policy";
import { tenantIn } from "../isolation/tenant-in-token";
import type { DatabaseCheck } from "../upgrade/start-check";

type Row = Record<string, unknown>;

/** What one statement of `better-auth-fast` has read. */
interface ReadSession {
	session: Row;
	user: Row;
	joined: Row | null;
}

/** All that is looked at below. */
const FIELDS = [...GATE_FIELDS, "policy"] as const;
type ReadTenant = Pick<TenantRow, (typeof FIELDS)[number]>;

/**
 * Lets `better-auth-fast` read a session, its user and its tenant with one statement, and respond without our
 * hooks. This says for which of them our hooks would do nothing but let the session pass: the tenant is
 * open and has no policy, the request names no other tenant, and nobody impersonates the user. For all
 * others, and in apps that find the tenant in another way, our hooks run.
 */
export function sessionReadOf(instance: TenantInstance, database: DatabaseCheck) {
	const { hosts, resolveTenantId, tenantHeader, tenantInSessionTokens } = instance.options;
	if (hosts || resolveTenantId || featuresAdmit(instance)) return undefined;
	return {
		join: { model: TENANT_MODEL, by: "tenantId", fields: FIELDS },
		...(tenantInSessionTokens ? { partition: { field: "tenantId", of: tenantIn } } : {}),
		headers: { vary: tenantHeader },
		admits({ session, user, joined }: ReadSession, headers: Headers): boolean {
			// Inside of another call, that call decides.
			if (database.isOpen() || findOuterState(instance) !== null) return false;
			const tenantId = tenantIdOf(session);
			const named = headers.get(tenantHeader)?.trim() || tenantId;
			if (named !== tenantId || tenantIdOf(user) !== tenantId) return false;
			if (isDisabled(user as KnownUser) || findAnyImpersonator(session)) return false;
			if (tenantId === PLATFORM_ID) return true;
			const tenant = joined as ReadTenant | null;
			return tenant?.id === tenantId && isOpen(tenant) && !tenant.policy;
		},
	};
}

/** Where the hooks of the first one let a session pass, those of the others have nothing to do. */
const OURS = ["tenant-auth-scope", "tenant-auth", "tenant-auth-last"];

/** Adds it to our own plugins. */
export function withSessionRead(
	plugins: BetterAuthPlugin[],
	sessionRead: ReturnType<typeof sessionReadOf>,
): BetterAuthPlugin[] {
	if (!sessionRead) return plugins;
	return plugins.map((plugin) => {
		const at = OURS.indexOf(plugin.id);
		return at === -1 ? plugin : { ...plugin, sessionRead: at === 0 ? sessionRead : {} };
	});
}
