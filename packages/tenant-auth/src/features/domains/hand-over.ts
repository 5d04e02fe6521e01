import type { GenericEndpointContext } from "@better-auth/core";
import { generateRandomString } from "better-auth/crypto";
import * as z from "zod";
import { requireInstance, requireState } from "../../call/context/current-state";
import { VERIFICATIONS } from "../../call/context/endpoint-rules";
import { tenantIdIn } from "../../call/context/tenant";
import type { ProviderResponse } from "../../call/port/tenant-plugin";
import { digest } from "../../database/digest";
import { failFlow } from "../../management/oauth-clients/failed-flows";
import { returnHostIn } from "./platform-callback";

const storedSchema = z.object({
	host: z.string(),
	providerId: z.string(),
	parameters: z.record(z.string(), z.string()),
});

export const HAND_OVER_PATH = "/tenant/hand-over";
const LIFETIME_MS = 60_000;

/** The form of core's states. */
const STATE = /^[\w-]{32,128}$/;

/**
 * Hands a social sign-in over to the host of the tenant at which it started, if it did.
 *
 * The provider knows the callback of the platform only. The cookies of the browser are at that host:
 * the one that the flow is bound to, and the one that its session will have. So nothing is
 * finished here. What the provider sent is stored for a minute, under a code that works once, in the
 * tenant and at the host of the flow. There core finishes it, with its own check of the browser.
 */
export async function handOverFlow(
	ctx: GenericEndpointContext,
	response: ProviderResponse,
): Promise<void> {
	const { hosts } = requireInstance(ctx.context).options;
	const { host: called, pathname } = new URL(ctx.context.baseURL);
	if (!hosts?.isPlatformHost(called)) return;
	const started = await findStart(ctx, response.parameters.state ?? "");
	if (!started) return;
	const { host, tenantId } = started;
	const origin = hosts.originOfDomain(host);
	const slug = hosts.slugOf(new URL(origin).host);
	const state = requireState(ctx.context);
	const owner =
		slug === null
			? await state.readTenantByHost(ctx.context, host)
			: await state.readTenantBySlug(slug);
	// The tenant has lost the domain, or changed its slug, while the user was away.
	if (owner?.id !== tenantId) return failFlow(ctx, "domain_not_verified");
	const code = await store(ctx, { ...response, host });
	ctx.setHeader("referrer-policy", "no-referrer");
	ctx.setHeader("cache-control", "no-store");
	const target = `${origin}${pathname.replace(/\/$/, "")}${HAND_OVER_PATH}`;
	throw ctx.redirect(`${target}?${new URLSearchParams({ code })}`);
}

/** Where a flow started, as its state says. The state is not used up. */
async function findStart(
	ctx: GenericEndpointContext,
	oauthState: string,
): Promise<{ host: string; tenantId: string } | null> {
	if (!STATE.test(oauthState)) return null;
	const state = requireState(ctx.context);
	// Older versions of Better Auth store a state without a prefix.
	for (const identifier of [`auth-state:${oauthState}`, oauthState]) {
		state.awaitToken("oauth-state", VERIFICATIONS, { tenantOnly: true });
		// A tenant that was deleted meanwhile. Core's own look at the state finds out again.
		const found = await ctx.context.internalAdapter
			.findVerificationValue(identifier)
			.catch(() => null);
		const tenantId = state.scope && tenantIdIn(state.scope);
		if (!found || !tenantId) continue;
		const host = returnHostIn(JSON.parse(found.value));
		return host ? { host, tenantId } : null;
	}
	return null;
}

/** Only a digest of the code is stored. The row belongs to the tenant of the flow. */
async function store(
	{ context }: GenericEndpointContext,
	value: z.output<typeof storedSchema>,
): Promise<string> {
	const code = generateRandomString(32);
	await context.internalAdapter.createVerificationValue({
		identifier: await identifierOf(code),
		value: JSON.stringify(value),
		expiresAt: new Date(Date.now() + LIFETIME_MS),
	});
	return code;
}

const identifierOf = async (code: string) => `tenant-hand-over:${await digest(code)}`;

/**
 * Takes what was handed over to the host that was called. The code is used up in any case.
 *
 * @returns `null` for a code that is unknown, was used, has expired, is for another tenant or host, or
 *   belongs to a flow of another browser
 */
export async function takeHandOver(
	ctx: GenericEndpointContext,
	code: string,
): Promise<ProviderResponse | null> {
	const found = await ctx.context.internalAdapter.consumeVerificationValue(
		await identifierOf(code),
	);
	if (!found) return null;
	const { host, ...response } = storedSchema.parse(JSON.parse(found.value));
	if (host !== new URL(ctx.context.baseURL).hostname) return null;
	return (await isSameBrowser(ctx, response)) ? response : null;
}

/**
 * Whether the flow started in this browser. Core checks it too, but the app can turn that off. Somebody
 * could otherwise sign a victim in to an account of their own, with a link.
 */
async function isSameBrowser(
	ctx: GenericEndpointContext,
	{ parameters }: ProviderResponse,
): Promise<boolean> {
	const { name } = ctx.context.createAuthCookie("state");
	const started = await ctx.getSignedCookie(name, ctx.context.secret);
	return Boolean(started) && started === parameters.state;
}
