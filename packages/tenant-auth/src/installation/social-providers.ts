import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { addOAuthServerContext, getOAuthState, isAPIError } from "better-auth/api";
import { currentScope } from "../context/current-scope";
import { asServerContext, findFlow, isSameFlow } from "../context/oauth-flow";
import { ACROSS, findRequestScope, PLATFORM_ID } from "../context/scope";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";
import { enterOrigin, findAccountInUse, requireSameClient } from "../oauth-clients/account-issuer";
import { builtInProviderIds } from "../oauth-clients/built-in-providers";
import { failFlow } from "../oauth-clients/fail-flow";
import {
	type BoundProvider,
	borrowGlobalProvider,
	buildTenantProvider,
} from "../oauth-clients/provider";
import { findEnabledConfig } from "../oauth-clients/request-configs";
import type { ResolvedOptions } from "../options";
import { findTenant } from "../tenants/store";

type SocialProviders = AuthContext["socialProviders"];
type Entry = SocialProviders[number];

/** What core compares ids with when there is no such provider. No caller can ask for this one. */
const NONE = { id: Symbol("no provider") as unknown } as OAuthProvider;

/**
 * The list in which core looks up a social provider, made to answer for the current scope: the
 * tenant's own client, or the host's where the tenant has none enabled.
 *
 * Core resolves entries that are functions at the moment of use, after an OAuth state was parsed.
 * Each also bears the host's `id` and `options`, since core reads these without resolving.
 */
export function ambientProviders(ctx: AuthContext, options: ResolvedOptions): SocialProviders {
	const hosts = ctx.socialProviders;
	const entryFor = (id: string): Entry => {
		const host = hosts.find((entry) => entry.id === id);
		const resolve = async () => (await findProvider(id, host, options)) ?? NONE;
		// Not by assignment: a function's own `name` is read-only.
		const visible = Object.getOwnPropertyDescriptors(host ?? { id });
		return Object.defineProperties(resolve, visible) as unknown as Entry;
	};
	// Other plugins add providers of their own; a tenant may use them as the host set them up.
	const ids = new Set([...hosts.map(({ id }) => id), ...builtInProviderIds]);
	return [...ids].map(entryFor);
}

/** Whether the host has set the provider up itself. */
export const isOfHost = (entry: Entry): boolean => "createAuthorizationURL" in entry;

async function findProvider(
	id: string,
	host: OAuthProvider | undefined,
	options: ResolvedOptions,
): Promise<OAuthProvider | null> {
	const scope = await currentScope();
	if (scope === ACROSS) return host ?? null;
	if (scope.tenantId === PLATFORM_ID) return (await isTenantsCallback()) ? null : (host ?? null);
	const ctx = getCurrentAuthEndpointContext() as GenericEndpointContext;
	const account = await findAccountInUse(ctx);
	const wanted = account?.providerId ?? findWantedProviderId(ctx);
	// Core asks one entry after the other; those before the wanted one need not be built.
	if (wanted !== undefined && wanted !== id) return null;
	const row = await findEnabledConfig(ctx, scope.tenantId, id);
	const bound = row
		? await buildTenantProvider(ctx.context, row, host, options).catch((error) => {
				if (isCallback(ctx) && isAPIError(error))
					return failFlow(ctx, error.body?.code?.toLowerCase(), error.message);
				throw error;
			})
		: host && (await borrowGlobalProvider(scope.tenantId, host));
	if (isCallback(ctx)) {
		await requireSameFlow(ctx, bound);
		await requireOpenToLink(ctx, scope.tenantId);
	}
	if (!bound) return null;
	if (account) requireSameClient(account, bound.origin);
	await addOAuthServerContext(asServerContext(bound.flow));
	await enterOrigin(bound.origin);
	if (row) distrust(ctx, id);
	return bound.provider;
}

/** The tenant's callback finishes no flow of the platform. */
const isTenantsCallback = async () => findRequestScope()?.mustBeTenant === true;

const isCallback = (ctx: GenericEndpointContext) => ctx.path === "/callback/:id";

function findWantedProviderId(ctx: GenericEndpointContext): string | undefined {
	return ctx.params?.id ?? ctx.body?.provider ?? ctx.body?.providerId;
}

/**
 * A flow finishes on the credentials that it began with or not at all: a config that was deleted,
 * disabled or replaced meanwhile ends it, and so does a callback of another provider.
 */
async function requireSameFlow(ctx: GenericEndpointContext, bound: BoundProvider | undefined) {
	const state = await getOAuthState();
	const began = state && findFlow(state);
	if (began && bound && isSameFlow(began, bound.flow)) return;
	const description = "The provider's configuration changed during sign-in";
	return failFlow(ctx, "oauth_config_changed", description);
}

/**
 * A sign-in in a suspended tenant ends at its user or its session. Core reads and makes neither to
 * finish a link that was begun before: for that one, and only for it, the tenant is looked up.
 */
async function requireOpenToLink(ctx: GenericEndpointContext, tenantId: string): Promise<void> {
	if (!(await getOAuthState())?.link) return;
	const tenant = await findTenant(ctx.context, "id", tenantId);
	const isGone = !tenant || Boolean(tenant.erasingSince);
	if (!isGone && !tenant.suspendedAt) return;
	const { TENANT_NOT_FOUND, TENANT_SUSPENDED } = TENANT_AUTH_ERROR_CODES;
	const { code, message } = isGone ? TENANT_NOT_FOUND : TENANT_SUSPENDED;
	// As core spells it at the end of a sign-in there.
	return failFlow(ctx, code, message);
}

/**
 * The host's `trustedProviders` were trusted with the host's credentials. The context is this
 * request's own copy.
 */
function distrust(ctx: GenericEndpointContext, providerId: string): void {
	ctx.context.trustedProviders = ctx.context.trustedProviders.filter((id) => id !== providerId);
}
