import type { GenericEndpointContext } from "@better-auth/core";
import { isProduction } from "@better-auth/core/env";
import { getIP } from "@better-auth/core/utils/ip";
import { findState } from "../../call/context/current-state";
import { isOurs, signInMethodAt } from "../../call/context/endpoint-rules";
import { findPresentedSessionTokens, headersOf } from "../../call/context/presented-sessions";
import type { RequestState, TenantInstance } from "../../call/context/request-state";
import { PLATFORM, type TenantRow, tenantIdIn } from "../../call/context/tenant";
import { callApp, hasListeners, hasTransactionListeners, makeEvent } from "./emit";
import type { NewEvent } from "./event-types";
import { outcomeOf, type SignInOutcome, takeNotes } from "./sign-in-outcome";
import { SignInWriter } from "./sign-in-writer";

const MAX_USER_AGENT = 255;
const PROVIDER_ID = /^[\w.:-]{1,128}$/;

const writers = new WeakMap<TenantInstance, SignInWriter>();

function writerOf(instance: TenantInstance): SignInWriter {
	const writer = writers.get(instance) ?? new SignInWriter(instance);
	writers.set(instance, writer);
	return writer;
}

/** How a user signs in at a path; `null` if nobody does. */
const methodAt = (path: string | undefined, { features }: TenantInstance): string | null =>
	features.signInPaths.get(path ?? "") ?? signInMethodAt(path);

/** Whether a call is a sign-in of its own: core's endpoint inside of ours is reported with ours. */
export function isSignIn({ path }: { path?: string }, instance: TenantInstance): boolean {
	if (methodAt(path, instance) === null) return false;
	return isOurs(path) || !isOurs(findState(instance)?.endpoint?.path);
}

/**
 * Reports to the listeners of events how a sign-in ended, and lets plugins store it. It costs the
 * caller no statement, and it is the same work whatever was wrong.
 *
 * @param returned what the endpoint returns, or the error that it fails with
 */
export async function reportSignIn(
	ctx: GenericEndpointContext,
	instance: TenantInstance,
	returned: unknown,
): Promise<void> {
	const state = findState(instance);
	const method = methodAt(ctx.path, instance);
	const tenant = state && method && (await findTenant(state));
	const { recorders } = instance.features;
	if (!tenant) return explainOnPlatform(ctx, instance, returned);
	if (recorders.length === 0 && !hasListeners(instance, tenant)) return;
	// Somebody who is signed in adds a second factor.
	const isSignedIn = findPresentedSessionTokens(ctx).some(state.hasAccepted);
	if (method === "two-factor" && isSignedIn) return;
	const outcome = outcomeOf(returned, takeNotes());
	if (!outcome) return;
	const made = makeEvent(tenant.id, toEvent(ctx, method, outcome));
	const isWritten = hasTransactionListeners(instance, tenant, made.type);
	if (recorders.length > 0 || isWritten) {
		const rows = recorders.map(async ({ table, rowOf }) => ({
			table,
			row: await rowOf(ctx, made),
		}));
		await writerOf(instance).add({
			tenantId: tenant.id,
			type: made.type,
			rows: await Promise.all(rows),
			event: isWritten ? made : null,
		});
	}
	if (instance.options.onEvent) await callApp(instance, made);
}

/** Core logs that there is no such user. Where it has looked is what a developer needs to know. */
function explainOnPlatform(
	{ context }: GenericEndpointContext,
	instance: TenantInstance,
	returned: unknown,
): void {
	if (isProduction || findState(instance)?.scope !== PLATFORM) return;
	const outcome = outcomeOf(returned, takeNotes());
	if (outcome?.result !== "failed" || outcome.reason !== "USER_NOT_FOUND") return;
	context.logger.warn(
		`tenantAuth: the call named no tenant, so the user was looked for on the platform. Users of a tenant sign in with its id, for example in the header ${instance.options.tenantHeader}.`,
	);
}

/** The tenant that the call is in, or that refused it. An unknown one gets no events. */
async function findTenant(state: RequestState): Promise<TenantRow | null> {
	const { resolution, tenant } = state;
	if (tenant) return tenant;
	const isKnown = resolution.kind === "resolved" || resolution.kind === "refused";
	const tenantId = isKnown ? tenantIdIn(resolution.scope) : null;
	return tenantId === null ? null : state.findKnownTenant(tenantId);
}

type SignInEvent = Extract<NewEvent, { type: `sign-in.${string}` }>;

function toEvent(ctx: GenericEndpointContext, method: string, outcome: SignInOutcome): SignInEvent {
	const headers = headersOf(ctx);
	const origin = ctx.request ?? headers;
	const where = {
		method,
		providerId: findProviderId(ctx, method),
		ipAddress: origin ? getIP(origin, ctx.context.options) : null,
		userAgent: headers?.get("user-agent")?.slice(0, MAX_USER_AGENT) ?? null,
	};
	switch (outcome.result) {
		case "succeeded":
			return { type: "sign-in.succeeded", data: { userId: outcome.userId, ...where } };
		case "challenged":
			return { type: "sign-in.challenged", data: { userId: outcome.userId, ...where } };
		case "failed": {
			const { userId, reason } = outcome;
			return { type: "sign-in.failed", data: { userId, reason, ...where } };
		}
	}
}

function findProviderId({ body, params }: GenericEndpointContext, method: string) {
	if (method !== "social" && method !== "sso") return null;
	const given: Record<string, unknown> = { ...Object(body), ...Object(params) };
	const id = given.providerId ?? given.id ?? given.provider;
	return typeof id === "string" && PROVIDER_ID.test(id) ? id : null;
}
