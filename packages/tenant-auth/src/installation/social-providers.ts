import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import {
	addOAuthServerContext,
	getOAuthState,
	getSessionFromCtx,
	isAPIError,
} from "better-auth/api";
import { currentScope, findCurrentTenantRow } from "../call/context/current-scope";
import { findEndpoint, findState, requireInstance } from "../call/context/current-state";
import { isOurs, isSocialCallback, rulesOf } from "../call/context/endpoint-rules";
import { asServerContext, findFlow, isSameFlow } from "../call/context/oauth-flow";
import { ALL_TENANTS, PLATFORM_ID, tenantIdIn } from "../call/context/tenant";
import { admitsAppProviders } from "../call/context/tenant-hosts";
import { policyIn } from "../call/policy/tenant-policy";
import {
	findAccountInUse,
	requireSameClient,
	setIssuer,
} from "../management/oauth-clients/account-issuer";
import { failFlow } from "../management/oauth-clients/failed-flows";
import { findEnabledConfig } from "../management/oauth-clients/find-configs";
import type { BoundProvider } from "../management/oauth-clients/provider";
import { accountIssuerOf, builtInProviderIds } from "../management/oauth-clients/provider-settings";
import { isCodeOfOtherServer } from "../management/oauth-clients/sent-codes";
import { isOwnProviderId, OWN_PROVIDER_PREFIX } from "../providers";
import type { ClientsOf, ProviderClients } from "./provider-clients";

type SocialProviders = AuthContext["socialProviders"];
type Entry = SocialProviders[number];
type OAuthState = Awaited<ReturnType<typeof getOAuthState>>;

/** What core compares ids with if there is no such provider. No caller can ask for this one. */
const NONE = { id: Symbol("no provider") as unknown } as OAuthProvider;

/**
 * The list in which core looks up a social provider, made tenant-aware: it returns the tenant's
 * own client, or with the host provider if the tenant has none enabled.
 *
 * Core resolves entries that are functions when it uses them, after it has parsed an OAuth state. It
 * reads `id` and `options` without resolving, so each function has those of the host provider.
 */
export function tenantAwareProviders(ctx: AuthContext, clientsOf: ClientsOf): SocialProviders {
	const hosts = ctx.socialProviders;
	rejectTenantIds(hosts);
	const entryFor = (id: string): Entry => {
		const host = hosts.find((entry) => entry.id === id);
		const clients = clientsOf(host);
		const resolve = () => (isOfOtherFlow(id) ? NONE : resolveProvider(id, clients, host));
		// Not by assignment: the `name` of a function is read-only.
		const visible = Object.getOwnPropertyDescriptors(host ?? { id });
		return Object.defineProperties(resolve, visible) as unknown as Entry;
	};
	// Other plugins add providers. A tenant may use them as the app configured them.
	const ids = new Set([...hosts.map(({ id }) => id), ...builtInProviderIds]);
	return [...[...ids].map(entryFor), ownEntry(clientsOf(undefined))];
}

/** The ids of tenants' own providers must not mean a provider of the app anywhere. */
function rejectTenantIds(hosts: SocialProviders): void {
	const taken = hosts.find(({ id }) => id.startsWith(OWN_PROVIDER_PREFIX));
	if (!taken) return;
	throw new BetterAuthError(
		`tenantAuth: the id of the provider ${taken.id} begins with ${OWN_PROVIDER_PREFIX}, which is for providers of tenants. Choose another id.`,
	);
}

/** One entry for all providers that tenants registered themselves. It returns the wanted one. */
function ownEntry(clients: ProviderClients): Entry {
	const find = (wanted: string | undefined) =>
		isOwnProviderId(wanted) ? resolveProvider(wanted, clients) : NONE;
	const resolve = () => {
		const ctx = findEndpoint();
		if (!ctx) return NONE;
		if (!rulesOf(ctx.path).usesAccountTokens) return find(findWantedProviderId(ctx));
		return findAccountInUse(ctx).then((account) => find(account?.providerId));
	};
	const visible = Object.getOwnPropertyDescriptors({ id: OWN_PROVIDER_PREFIX });
	return Object.defineProperties(resolve, visible) as unknown as Entry;
}

/**
 * Whether the call of a tenant is about another provider. Core asks one entry after the other, so most
 * of them have nothing to return. They return at once: a promise costs more than this check.
 */
function isOfOtherFlow(id: string): boolean {
	const tenantId = tenantIdIn(findState()?.scope ?? ALL_TENANTS);
	const ctx = tenantId === null ? undefined : findEndpoint();
	if (!ctx || rulesOf(ctx.path).usesAccountTokens) return false;
	const wanted = findWantedProviderId(ctx);
	return wanted !== undefined && wanted !== id;
}

async function resolveProvider(
	id: string,
	clients: ProviderClients,
	host: OAuthProvider = NONE,
): Promise<OAuthProvider> {
	const scope = await currentScope();
	if (scope === ALL_TENANTS) return host;
	const ctx = findEndpoint();
	if (scope.tenantId === PLATFORM_ID) {
		if (findState()?.isTenantOnly) return NONE;
		if (ctx && isSocialCallback(ctx.path) && ctx.params?.id === id) {
			await requireOwnCode(ctx, id, accountIssuerOf(id, host.options));
		}
		return host;
	}
	if (!ctx) throw new Error("A provider of a tenant can be used only inside of an endpoint");
	const account = await findAccountInUse(ctx);
	const wanted = account?.providerId ?? findWantedProviderId(ctx);
	if (wanted !== undefined && wanted !== id) return NONE;
	const row = await findEnabledConfig(ctx.context, scope.tenantId, id, wanted === id);
	const isCallback = isSocialCallback(ctx.path);
	const orFail = (error: unknown) => {
		if (!isCallback || !isAPIError(error)) throw error;
		return failFlow(ctx, error.body?.code?.toLowerCase(), error.message);
	};
	const isUsable = row !== undefined || (await mayUseHostProviders(ctx));
	const bound = isUsable ? await clients.find(scope.tenantId, id, row).catch(orFail) : undefined;
	const state = isCallback ? await getOAuthState() : null;
	if (isCallback) await requireSameFlow(ctx, state, bound);
	if (isCallback && (await bound?.own?.isForeignResponse(ctx.query).catch(orFail))) {
		return failFlow(ctx, "issuer_mismatch", "The response does not name its issuer");
	}
	if (!bound) return NONE;
	if (isCallback) await requireOwnCallback(ctx, bound);
	if (account) requireSameClient(account, bound.issuer);
	await addOAuthServerContext(asServerContext(bound.flow));
	setIssuer(bound.issuer);
	const link = state?.link;
	if (link) await requireLinkingUser(ctx, link.userId, bound);
	const isLink = link !== undefined || rulesOf(ctx.path).linksAccount === true;
	if (bound.flow.source === "tenant") limitTrust(ctx, bound, isLink);
	const { hosts: ofPlugin, socialFlows } = requireInstance(ctx.context).features;
	let { provider } = bound;
	for (const { adaptProvider } of socialFlows) {
		if (adaptProvider) provider = await adaptProvider(ctx, provider);
	}
	return ofPlugin?.adaptProvider?.(ctx, provider) ?? provider;
}

/**
 * Whether the tenant may use the app's own clients. At a custom domain only if the app allows it:
 * somebody who controls the DNS of the domain could read what a provider sends for a user who was lured
 * there.
 */
async function mayUseHostProviders({ context }: GenericEndpointContext): Promise<boolean> {
	if (!admitsAppProviders(context, requireInstance(context).options.hosts)) return false;
	const tenant = await findCurrentTenantRow();
	return tenant === null || policyIn(tenant).signIn.fallbackToGlobal;
}

/**
 * A code goes only to the server that the user was sent to. A tenant can choose the server, and the response
 * of another one must not come to it.
 */
async function requireOwnCallback(
	ctx: GenericEndpointContext,
	{ own, flow: { providerId }, issuer }: BoundProvider,
): Promise<void> {
	if (!own) return requireOwnCode(ctx, providerId, issuer.authority);
	// Our callback contains the tenant. Core's is the same for all.
	if (isOurs(findState()?.endpoint?.path)) return;
	return failFlow(ctx, "invalid_callback_request", `${providerId} has a callback of its own`);
}

async function requireOwnCode(
	ctx: GenericEndpointContext,
	providerId: string,
	server: string,
): Promise<void> {
	if (!(await isCodeOfOtherServer(ctx, providerId, server))) return;
	return failFlow(ctx, "invalid_code");
}

function findWantedProviderId(ctx: GenericEndpointContext): string | undefined {
	return ctx.params?.id ?? ctx.body?.provider ?? ctx.body?.providerId;
}

/**
 * A flow finishes with the credentials that it started with, or not at all. A config that was deleted,
 * disabled or replaced meanwhile ends it, and so does a callback of another provider.
 */
async function requireSameFlow(
	ctx: GenericEndpointContext,
	state: OAuthState,
	bound: BoundProvider | undefined,
) {
	const started = state && findFlow(state);
	if (started && bound && isSameFlow(started, bound.flow)) return;
	const description = "The provider's configuration changed during sign-in";
	return failFlow(ctx, "oauth_config_changed", description);
}

/**
 * A link finishes in the session of the user who started it. Core binds a flow to the browser only, and
 * somebody else may have signed in there meanwhile: their account would become a way into the first
 * user's. Without a session, as in the browser of a native app, core's rule for verified emails decides.
 * A provider that the tenant controls is exempt from that rule, so there the session is required.
 */
async function requireLinkingUser(
	ctx: GenericEndpointContext,
	userId: string,
	{ isTenantControlled }: BoundProvider,
) {
	const found = await getSessionFromCtx(ctx, { disableCookieCache: true, disableRefresh: true });
	if (found ? String(found.user.id) === userId : !isTenantControlled) return;
	return failFlow(ctx, "unable_to_link_account", "The link was started in another session");
}

/**
 * The app trusts its `trustedProviders` with its own credentials, not with a tenant's. The context is
 * the copy of this request.
 *
 * Core links an account explicitly only if its email is verified or its provider is trusted. What a
 * tenant's own identity provider says about emails proves nothing, so an implicit link is never based on
 * it. An explicit link needs no proof: the user is signed in on both sides.
 */
function limitTrust(
	ctx: GenericEndpointContext,
	{ provider, isTenantControlled }: BoundProvider,
	isLink: boolean,
): void {
	const others = ctx.context.trustedProviders.filter((id) => id !== provider.id);
	ctx.context.trustedProviders = isTenantControlled && isLink ? [...others, provider.id] : others;
}
