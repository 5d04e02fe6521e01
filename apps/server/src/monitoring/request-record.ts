import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthPlugin } from "better-auth";
import { type APIError, createAuthMiddleware, isAPIError } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import * as z from "zod";
import { type Language, languageOf } from "../language";
import type { Log } from "./log";

/** What logs and metrics need to know about the running request. */
export type RequestRecord = {
	requestId: string;
	tenantId: string | null;
	/** The outcome of a sign-in; `null` if the request was not one. */
	signIn: "ok" | "failed" | null;
	signedUp: boolean;
	/** The last error that Better Auth logged while a provider sent somebody back. */
	callbackError: unknown;
	/** What the provider answered then, in place of tokens. */
	providerError: ProviderError | null;
	/** Whether a provider has sent the browser. */
	isCallback: boolean;
	/** Whether a store did not answer. */
	hasOutage: boolean;
	/** Whether it only reads sessions or creates one, which the database can do without Redis. */
	worksWithoutRedis: boolean;
	/** Counters of this attempt, which are taken back if it succeeds. */
	countedAttempts: string[];
	/** What the client wants to read. */
	language: Language;
	/** Aborts if the client closes the connection. An answer cannot reach it, and a body may be cut off. */
	signal: AbortSignal;
};

export type ProviderError = { status: number; error?: string | undefined };

export const newRecord = (requestId: string, request: Request): RequestRecord => ({
	requestId,
	tenantId: null,
	signIn: null,
	signedUp: false,
	callbackError: null,
	providerError: null,
	isCallback: callbackUrl.test(request.url),
	hasOutage: false,
	worksWithoutRedis: ["GET", "HEAD"].includes(request.method) || signsIn.test(request.url),
	countedAttempts: [],
	language: languageOf(request.headers.get("accept-language") ?? undefined),
	signal: request.signal,
});

const callbackUrl = /^https?:\/\/[^/]+\/api\/auth(\/tenant)?\/(oauth2\/)?(callback|hand-over)\b/;
const signsIn = /^https?:\/\/[^/]+\/api\/auth(\/tenant)?\/sign-(in|up)\/email$/;

const storage = new AsyncLocalStorage<RequestRecord>();

export const currentRequest = () => storage.getStore();

/** A store does not answer to the running request. */
export function noteOutage(): void {
	const request = currentRequest();
	if (request) request.hasOutage = true;
}

/** The language of emails. Code without a request has no reader that we know. */
export const currentLanguage = (): Language => currentRequest()?.language ?? "en";

export const runWithRecord = <T>(record: RequestRecord, work: () => T): T =>
	storage.run(record, work);

const signIn =
	/^((\/tenant)?\/sign-in\/|\/tenant\/sign-in-link$|\/magic-link\/verify$|\/passkey\/verify-authentication$)/;
const secondFactor = /^\/two-factor\/verify-/;
const signUp = /^(\/tenant)?\/sign-up\//;
const callback = /^(\/tenant)?\/callback\//;

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Records the tenant, and whether a request signed somebody in or up. Add it after the other plugins: the
 * two-factor plugin takes back the session of somebody who has not entered a code yet.
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
	const answered = isAPIError(returned) ? (errorOf(returned) ?? returned.body?.code) : null;
	// The browser gets less than is known.
	const reason = invalidResponse.safeParse(callbackError).data?.code ?? answered;
	const provider: unknown = params?.providerId ?? params?.id;
	log.warn(
		{
			provider,
			reason,
			...(providerError ? { answer: providerError } : {}),
			...(callbackError ? { err: callbackError } : {}),
		},
		"sign-in with a provider failed",
	);
}

/** The request of a browser that comes back from a provider. */
export const findCallback = () => {
	const request = currentRequest();
	return request?.isCallback ? request : null;
};
