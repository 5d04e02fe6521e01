import type { BetterAuthPlugin } from "better-auth";
import { type APIError, createAuthMiddleware, isAPIError } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import * as z from "zod";
import type { Log } from "./log";
import { currentRequest, type RequestRecord } from "./request-record";

const signIn =
	/^((\/tenant)?\/sign-in\/|\/tenant\/sign-in-link$|\/magic-link\/verify$|\/passkey\/verify-authentication$)/;
const secondFactor = /^\/two-factor\/verify-/;
const signUp = /^(\/tenant)?\/sign-up\//;
const callback = /^(\/tenant)?\/callback\//;

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Records the tenant, new sessions, and whether a request signed somebody in or up. Add it after the other
 * plugins: the two-factor plugin takes back the session of somebody who has not entered a code yet.
 */
export const outcomeRecorder = (log: Pick<Log, "warn">) =>
	({
		id: "outcome-recorder",
		hooks: {
			after: [
				{
					matcher: () => true,
					handler: createAuthMiddleware((ctx) => recordOutcome(ctx, log)),
				},
			],
		},
	}) satisfies BetterAuthPlugin;

async function recordOutcome(ctx: HookContext, log: Pick<Log, "warn">): Promise<void> {
	const request = currentRequest();
	if (!request) return;
	request.tenantId = (await getCurrentTenantId()) ?? request.tenantId;
	const { path } = ctx;
	const { newSession, returned } = ctx.context;
	if (newSession) {
		const { token, tenantId } = newSession.session;
		request.newSessions.set(token, typeof tenantId === "string" ? tenantId : "");
	}
	// Somebody who is signed in sets up a second factor.
	const isSecondFactor = secondFactor.test(path) && !ctx.context.session;
	if (newSession && (signIn.test(path) || callback.test(path) || isSecondFactor)) {
		request.signIn = "ok";
	} else if (isFailedSignIn(path, returned, isSecondFactor)) {
		// Our callback runs core's, so this is called twice.
		if (callback.test(path) && request.signIn === null) logFailedCallback(ctx, request, log);
		request.signIn ??= "failed";
	}
	if (signUp.test(path) && returned && !isAPIError(returned)) request.signedUp = true;
}

function isFailedSignIn(path: string, returned: unknown, isSecondFactor: boolean): boolean {
	if (!isAPIError(returned)) return false;
	const isRejected = returned.statusCode >= 400 && returned.statusCode < 500;
	if (isSecondFactor) return isRejected;
	if (signIn.test(path)) return isRejected || errorOf(returned) !== null;
	if (!callback.test(path)) return false;
	return returned.statusCode >= 400 || errorOf(returned) !== null;
}

/** A failed OAuth flow ends in a redirect, with an error in the query. */
function errorOf({ headers }: Pick<APIError, "headers">): string | null {
	const location = new Headers(headers).get("location") ?? "";
	return new URL(location, "http://relative").searchParams.get("error");
}

/** The plugin logs such an error. */
const invalidResponse = z.object({ name: z.literal("InvalidResponse"), code: z.string() });

/** Not an error of this server: the user, the provider or the tenant's config caused it. */
function logFailedCallback(
	{ params, context }: HookContext,
	{ callbackError, providerError }: RequestRecord,
	log: Pick<Log, "warn">,
): void {
	const { returned } = context;
	const sent = isAPIError(returned) ? (errorOf(returned) ?? returned.body?.code) : null;
	// The browser gets less than is known.
	const reason = invalidResponse.safeParse(callbackError).data?.code ?? sent;
	const provider: unknown = params?.providerId ?? params?.id;
	log.warn(
		{
			provider,
			reason,
			...(providerError ? { response: providerError } : {}),
			...(callbackError ? { err: callbackError } : {}),
		},
		"sign-in with a provider failed",
	);
}
