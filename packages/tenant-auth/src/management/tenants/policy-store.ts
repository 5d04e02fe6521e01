import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { requireInstance } from "../../call/context/current-state";
import { pluginOf, SECOND_FACTOR } from "../../call/foreign";
import {
	changePolicy,
	type PolicyChanges,
	policyIn,
	storedPolicy,
	type TenantPolicy,
} from "../../call/policy/tenant-policy";
import type { ResolvedOptions } from "../../options";
import { isOwnProviderId } from "../../providers";
import { tenantError } from "../../tenant-error";
import { requireOwner } from "../access/acting-member";
import { requireActor } from "../audit/audit-event";
import { audited } from "../audit/audit-store";
import { writeTenant } from "./store";

export function changeTenantPolicy(
	ctx: GenericEndpointContext,
	tenantId: string,
	changes: PolicyChanges,
	options: ResolvedOptions,
): Promise<TenantPolicy> {
	return audited(
		ctx,
		async () => {
			const row = await writeTenant(ctx.context, tenantId, { updatedAt: new Date() });
			const policy = changePolicy(policyIn(row), changes);
			requireRightToLimit(policyIn(row), policy);
			requireEnforceable(ctx.context, policy);
			requirePossibleSignIn(ctx.context, policy, changes);
			await requireWithinLimits(policy, tenantId, options);
			await writeTenant(ctx.context, tenantId, { policy: storedPolicy(policy) });
			return policy;
		},
		() => ({ action: "policy:update", tenantId, detail: changes }),
	);
}

/** These sections decide how an owner gets in and stays signed in. A lower role could lock owners out. */
function requireRightToLimit(before: TenantPolicy, after: TenantPolicy): void {
	const sections = ["signIn", "session", "secondFactor"] as const;
	const changed = sections.filter(
		(name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
	);
	if (changed.length > 0) requireOwner(`Only an owner can change ${changed.join(" and ")}`);
}

/** A rule that the app cannot enforce would lock everybody out, or be an empty promise. */
function requireEnforceable(ctx: AuthContext, { signIn, secondFactor }: TenantPolicy): void {
	const plugins = (signIn.methods ?? []).map(pluginOf);
	if (secondFactor.required) plugins.push(SECOND_FACTOR.plugin);
	for (const id of plugins) {
		if (id === null || ctx.options.plugins?.some((plugin) => plugin.id === id)) continue;
		throw tenantError("INVALID_POLICY", {
			message: `This app cannot enforce the policy, because it does not have the ${id} plugin`,
		});
	}
}

/**
 * Only for a change of these rules: a provider may have been removed since, and that must not prevent
 * changes of other rules.
 */
function requirePossibleSignIn(
	ctx: AuthContext,
	{ signIn: { methods, providers } }: TenantPolicy,
	{ signIn: changes = {} }: PolicyChanges,
): void {
	const known = new Set<string>(ctx.socialProviders.map(({ id }) => id));
	const { ownProviders } = requireInstance(ctx).features;
	// A tenant may register its own provider later.
	const mayExist = (id: string) => known.has(id) || (ownProviders && isOwnProviderId(id));
	const unknown = changes.providers?.find((id) => !mayExist(id));
	if (unknown !== undefined) {
		throw tenantError("INVALID_POLICY", {
			message: `There is no social provider ${JSON.stringify(unknown)}`,
		});
	}
	const hasChanged = changes.methods !== undefined || changes.providers !== undefined;
	const possible = methods?.filter((method) => method !== "social" || providers?.length !== 0);
	if (hasChanged && possible?.length === 0) {
		throw tenantError("INVALID_POLICY", {
			message: "With this policy, nobody could sign in. Allow at least one method",
		});
	}
}

/** The app limits what callers may choose who do not manage all tenants. */
async function requireWithinLimits(
	policy: TenantPolicy,
	tenantId: string,
	{ limitPolicy }: ResolvedOptions,
): Promise<void> {
	const { kind } = requireActor();
	if (kind !== "member" && kind !== "host") return;
	const message = await limitPolicy?.(policy, { tenantId });
	if (message) throw tenantError("POLICY_NOT_ALLOWED", { message });
}
