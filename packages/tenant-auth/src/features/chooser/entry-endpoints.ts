import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint, isAPIError, signInSocial } from "better-auth/api";
import * as z from "zod";
import { resetAndEnter } from "../../call/context/gate";
import { digest } from "../../database/digest";
import { dispatchCore } from "../endpoints/dispatch-core";
import { redirectUriAt } from "./app-provider";
import { forgetBrowser, isOfBrowser, keepPrivate } from "./browser";
import { findCandidates } from "./candidates";
import { failChooser } from "./chooser-error";
import { findBaseURL, isHome, isHomeOf } from "./home";
import { findKept, type KeptEntry, keep, takeKept } from "./kept-values";
import { CONFIRM_PATH, ENTER_PATH, startWith } from "./tenant-flow";

/** The form of core's states. */
const STATE = /^[\w-]{32,128}$/;

/** Made once: its schemas cost more than the call. */
const coreSignInSocial = signInSocial();

const parameter = (name: string) => ({ name, in: "query", schema: { type: "string" } }) as const;

/** A browser is sent here, as to the callback. So it is in `auth.api`, but not in the client. */
const optionsOf = (operationId: string, description: string, parameters: string[]) =>
	({
		method: "GET",
		query: z.record(z.string(), z.unknown()).optional(),
		metadata: {
			scope: "server",
			openapi: {
				operationId,
				description,
				parameters: parameters.map(parameter),
				responses: {
					"302": { description: "To the next step; after an error to an error page, with `error`" },
				},
			},
		},
	}) as const;

/** At the host of the tenant: starts its flow there, so that the tenant's own rules and cookies apply. */
export const enterChosenTenant = createAuthEndpoint(
	ENTER_PATH,
	optionsOf(
		"enterChosenTenant",
		"Where the chooser sends the user on to the host of the tenant; responds with a redirect",
		["token"],
	),
	async (ctx) => {
		keepPrivate(ctx);
		const token: unknown = ctx.query?.token;
		const entry = await findKept(ctx, "entry", token);
		if (!entry || typeof token !== "string") return failChooser(ctx, "invalid_choice");
		const next = await enter(ctx, token, entry).catch((error: unknown) => {
			// The tenant was suspended or deleted, or the host belongs to another one.
			if (isAPIError(error)) return null;
			throw error;
		});
		if (!next) return failChooser(ctx, "tenant_not_found", entry.request);
		throw ctx.redirect(next);
	},
);

async function enter(
	ctx: GenericEndpointContext,
	token: string,
	entry: KeptEntry,
): Promise<string | null> {
	const { tenantId, person, request } = entry;
	if (!(await isHomeOf(ctx, tenantId))) return null;
	if ((await findCandidates(ctx, entry, tenantId)).tenants.length === 0) return null;
	await resetAndEnter(ctx, tenantId);
	startWith(token, entry);
	const { response } = await dispatchCore(ctx, coreSignInSocial, {
		body: { ...request, provider: person.providerId, disableRedirect: true },
		method: "POST",
	});
	const { url }: { url?: unknown } = Object(response);
	return typeof url === "string" ? url : null;
}

/** At the host where the user has signed in at the provider: the browser is the same, so the flow goes on. */
export const confirmChosenTenant = createAuthEndpoint(
	CONFIRM_PATH,
	optionsOf(
		"confirmChosenTenant",
		"Where the flow of the chosen tenant continues that of the chooser; responds with a redirect",
		["token", "state"],
	),
	async (ctx) => {
		keepPrivate(ctx);
		const { token, state }: { token?: unknown; state?: unknown } = ctx.query ?? {};
		if (typeof token !== "string" || typeof state !== "string" || !STATE.test(state)) {
			return failChooser(ctx, "invalid_choice");
		}
		// The browser is checked first. Otherwise somebody else could use up the choice of a user.
		const isSame = (await isOfBrowser(ctx, token)) && (await isHome(ctx).catch(() => false));
		const entry = isSame ? await takeKept(ctx, "entry", token) : null;
		if (!entry) return failChooser(ctx, "invalid_choice");
		const { person, tenantId, request } = entry;
		const baseURL = await findBaseURL(ctx, tenantId);
		if (!baseURL) return failChooser(ctx, "tenant_not_found", request);
		const code = await keep(ctx, "code", { person, tenantId, state: await digest(state) });
		forgetBrowser(ctx);
		const target = redirectUriAt(baseURL, person.providerId);
		throw ctx.redirect(`${target}?${new URLSearchParams({ code, state })}`);
	},
);
