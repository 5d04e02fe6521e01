import type { GenericEndpointContext } from "@better-auth/core";
import type { APIError } from "@better-auth/core/error";
import { callbackOAuth, createAuthEndpoint, isAPIError } from "better-auth/api";
import * as z from "zod";
import { requireInstance, requireState } from "../../../call/context/current-state";
import { VERIFICATIONS } from "../../../call/context/endpoint-rules";
import type { ProviderResponse } from "../../../call/port/tenant-plugin";
import {
	type CallbackTarget,
	callbackPathOf,
	readCallbackTarget,
} from "../../../management/oauth-clients/callback-path";
import { failFlow, noteFailedFlow } from "../../../management/oauth-clients/failed-flows";
import { isOwnProviderId } from "../../../providers";
import { dispatchCore } from "../dispatch-core";

/** What a provider sends. Other parameters, and those that come twice, are ignored. */
const PARAMETERS = ["code", "error", "error_description", "state", "device_id", "user", "iss"];

const anything = z.record(z.string(), z.unknown()).optional();

export const tenantOAuthCallback = createAuthEndpoint(
	"/tenant/callback/:providerId",
	{
		method: ["GET", "POST"],
		body: anything,
		query: anything,
		metadata: {
			// As core's own callback: in `auth.api`, but not in the client.
			scope: "server",
			allowedMediaTypes: ["application/x-www-form-urlencoded", "application/json"],
			openapi: {
				operationId: "tenantOAuthCallback",
				description: "The URL that a provider sends the user back to; responds with a redirect",
				parameters: [
					{ name: "providerId", in: "path", required: true, schema: { type: "string" } },
					...PARAMETERS.map((name) => ({
						name,
						in: "query" as const,
						schema: { type: "string" as const },
					})),
				],
				responses: {
					"302": {
						description:
							"To the callbackURL of the flow; after an error to its errorCallbackURL, with `error` and sometimes `error_description`",
					},
				},
			},
		},
	},
	async (ctx) => {
		const target = readCallbackTarget(ctx.params.providerId);
		if (ctx.method === "POST") throw ctx.redirect(asGet(ctx, target));
		if (!bindToTenantOf(ctx, target)) return failFlow(ctx, "invalid_callback_request");
		const { providerId } = target;
		const response = { providerId, parameters: parametersOf(ctx.query) };
		const { hosts, socialFlows } = requireInstance(ctx.context).features;
		for (const { beforeCallback } of socialFlows) await beforeCallback?.(ctx, response);
		await hosts?.beforeCallback?.(ctx, response);
		return finishFlow(ctx, response);
	},
);

/** At the callback of one tenant's own provider, a flow of another tenant finishes nothing. */
function bindToTenantOf(
	{ context }: GenericEndpointContext,
	{ providerId, tenantId }: CallbackTarget,
): boolean {
	if (!isOwnProviderId(providerId)) return true;
	const state = requireState(context);
	if (tenantId === null || !state.admitsTokenOf(tenantId)) return false;
	state.bindToHost(tenantId);
	return true;
}

/** Lets core finish a social sign-in with what the provider has sent. */
export async function finishFlow(
	ctx: GenericEndpointContext,
	{ providerId, parameters }: ProviderResponse,
): Promise<unknown> {
	requireState(ctx.context).awaitToken("oauth-state", VERIFICATIONS, { tenantOnly: true });
	const { response } = await dispatchCore(ctx, callbackOAuth, {
		query: parameters,
		params: { id: providerId },
		method: "GET",
	}).catch(async (error: unknown) => {
		await noteFailedFlow(ctx, providerId, error);
		if (isRefusal(error)) return failFlow(ctx, error.body?.code, error.message);
		if (isAPIError(error)) throw error;
		// For example, the provider cannot be reached. The user still needs a page to land on.
		ctx.context.logger.error("A tenant's OAuth callback failed", error);
		return failFlow(ctx);
	});
	// Core always redirects. This is what an after-hook returns in its place.
	return response;
}

/** The tenant was suspended or deleted while the user was away. Core's errors are redirects already. */
export const isRefusal = (error: unknown): error is APIError =>
	isAPIError(error) &&
	(error.body?.code === "TENANT_SUSPENDED" || error.body?.code === "TENANT_NOT_FOUND");

/**
 * A `form_post` comes from the provider's site, so the browser sends no state cookie along with it.
 * The GET that follows is a plain navigation and carries it.
 */
function asGet(ctx: GenericEndpointContext, { providerId, tenantId }: CallbackTarget): string {
	const parameters = { ...parametersOf(ctx.body), ...parametersOf(ctx.query) };
	const path = callbackPathOf(providerId, tenantId ?? "");
	return `${ctx.context.baseURL}${path}?${new URLSearchParams(parameters)}`;
}

function parametersOf(source: Record<string, unknown> | undefined): Record<string, string> {
	return Object.fromEntries(
		PARAMETERS.map((name) => [name, source?.[name]]).filter(
			(entry): entry is [string, string] => typeof entry[1] === "string",
		),
	);
}
