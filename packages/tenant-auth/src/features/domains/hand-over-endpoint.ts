import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { requireInstance } from "../../call/context/current-state";
import { enterNamedTenant } from "../../call/context/gate";
import { findTenantIdOfHost } from "../../call/context/tenant-id";
import { failFlow } from "../../management/oauth-clients/failed-flows";
import { finishFlow, isRefusal } from "../endpoints/sign-in/callback";
import { HAND_OVER_PATH, takeHandOver } from "./hand-over";

/** At the host of a tenant, finishes a social sign-in that came back to the callback of the platform. */
export const tenantHandOver = createAuthEndpoint(
	HAND_OVER_PATH,
	{
		method: "GET",
		query: z.record(z.string(), z.unknown()).optional(),
		metadata: {
			// A browser is sent here, as to the callback.
			scope: "server",
			openapi: {
				operationId: "tenantHandOver",
				description:
					"Where the callback of the platform sends the user of another host; responds with a redirect",
				parameters: [{ name: "code", in: "query", schema: { type: "string" } }],
				responses: {
					"302": {
						description:
							"To the callbackURL of the flow; after an error to an error page, with `error`",
					},
				},
			},
		},
	},
	async (ctx) => {
		ctx.setHeader("referrer-policy", "no-referrer");
		ctx.setHeader("cache-control", "no-store");
		const code = ctx.query?.code;
		const isComplete = typeof code === "string" && (await enterTenantOfHost(ctx));
		const response = isComplete ? await takeHandOver(ctx, code) : null;
		if (!response) return failFlow(ctx, "invalid_hand_over");
		return finishFlow(ctx, response);
	},
);

/** The host alone decides. A code of another tenant is not found in this one. */
async function enterTenantOfHost(ctx: GenericEndpointContext): Promise<boolean> {
	const { options } = requireInstance(ctx.context);
	if ((await findTenantIdOfHost(ctx, options)) === null) return false;
	await enterNamedTenant(ctx, options).catch((error: unknown) => {
		if (isRefusal(error)) return failFlow(ctx, error.body?.code, error.message);
		throw error;
	});
	return true;
}
