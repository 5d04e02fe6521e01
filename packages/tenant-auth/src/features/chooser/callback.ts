import type { GenericEndpointContext } from "@better-auth/core";
import { appendQueryParams } from "@better-auth/core/utils/url";
import { isAPIError } from "better-auth/api";
import type { ProviderResponse } from "../../call/port/tenant-plugin";
import { accountIssuerOf } from "../../management/oauth-clients/provider-settings";
import { isCodeOfOtherServer } from "../../management/oauth-clients/sent-codes";
import { clientOf, findAppProvider, redirectUriAt } from "./app-provider";
import { bindToBrowser, isOfBrowser, keepPrivate } from "./browser";
import { findCandidates } from "./candidates";
import { failChooser } from "./chooser-error";
import { isHome } from "./home";
import { isChooserToken, type KeptChoice, type KeptFlow, keep, takeKept } from "./kept-values";
import { chooserOptions } from "./options";
import { askProvider, type Person } from "./person";
import { leadToTenant } from "./tenant-flow";

/** Runs at the callback of every social sign-in. It ends here for one that the chooser has started. */
export async function continueFlow(
	ctx: GenericEndpointContext,
	response: ProviderResponse,
): Promise<void> {
	const { state } = response.parameters;
	if (!isChooserToken(state)) return;
	keepPrivate(ctx);
	const flow = await takeFlow(ctx, response, state);
	if (!flow) return failChooser(ctx, "state_mismatch");
	const next = await findNext(ctx, response, flow).catch((error: unknown) => {
		// For example, the database cannot be reached. The user still needs a page to land on.
		if (!isAPIError(error))
			ctx.context.logger.error("The tenant of a sign-in was not found", error);
		return { error: "internal_server_error" };
	});
	if ("error" in next) return failChooser(ctx, next.error, flow.request);
	throw ctx.redirect(next.url);
}

/** The browser is checked first. Otherwise somebody else could use up the state of a user. */
async function takeFlow(
	ctx: GenericEndpointContext,
	{ providerId }: ProviderResponse,
	state: string,
): Promise<KeptFlow | null> {
	if (!(await isOfBrowser(ctx, state)) || !(await isHome(ctx))) return null;
	const flow = await takeKept(ctx, "flow", state);
	return flow?.providerId === providerId ? flow : null;
}

async function findNext(
	ctx: GenericEndpointContext,
	response: ProviderResponse,
	flow: KeptFlow,
): Promise<{ url: string } | { error: string }> {
	const person = await identify(ctx, response, flow);
	if ("error" in person) return person;
	const { home, request } = flow;
	const choice: KeptChoice = { home, request, person };
	const { tenants } = await findCandidates(ctx, choice);
	const [first] = tenants;
	if (!first) return { error: person.emailVerified ? "tenant_not_found" : "email_not_verified" };
	if (tenants.length === 1) return { url: await leadToTenant(ctx, choice, first) };
	const token = await keep(ctx, "choice", choice);
	await bindToBrowser(ctx, token);
	const page = new URL(chooserOptions(ctx).chooserURL, home).href;
	return { url: appendQueryParams(page, new URLSearchParams({ token })) };
}

/** The same checks as core's callback, before and after the code is exchanged. */
async function identify(
	ctx: GenericEndpointContext,
	{ providerId, parameters }: ProviderResponse,
	{ home, client, codeVerifier, nonce }: KeptFlow,
): Promise<Person | { error: string }> {
	const { code, error, iss, device_id: deviceId, user } = parameters;
	if (error) return { error };
	if (!code) return { error: "no_code" };
	const provider = await findAppProvider(ctx, providerId);
	if (!provider) return { error: "oauth_provider_not_found" };
	// The app has deployed another client meanwhile.
	if ((await clientOf(provider)) !== client) return { error: "oauth_config_changed" };
	if (iss && provider.issuer && iss !== provider.issuer) return { error: "issuer_mismatch" };
	if (provider.requiresIdTokenNonce && !nonce) return { error: "nonce_binding_missing" };
	const server = accountIssuerOf(providerId, provider.options);
	if (await isCodeOfOtherServer(ctx, providerId, server)) return { error: "invalid_code" };
	const redirectURI = redirectUriAt(home, providerId);
	return askProvider(ctx, provider, { code, codeVerifier, nonce, redirectURI, deviceId, user });
}
