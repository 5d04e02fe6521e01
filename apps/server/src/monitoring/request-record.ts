import { AsyncLocalStorage } from "node:async_hooks";
import { createAuthMiddleware, isAPIError } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import type { Language } from "../language";

/** What logs and metrics need to know about the running request. */
export type RequestRecord = {
	requestId: string;
	tenantId: string | null;
	/** The outcome of a sign-in; `null` if the request was not one. */
	signIn: "ok" | "failed" | null;
	signedUp: boolean;
	/** What the client wants to read. */
	language: Language;
	/** Aborts if the client closes the connection. An answer cannot reach it, and a body may be cut off. */
	signal: AbortSignal;
};

const storage = new AsyncLocalStorage<RequestRecord>();

export const currentRequest = () => storage.getStore();

/** The language of emails. Code without a request has no reader that we know. */
export const currentLanguage = (): Language => currentRequest()?.language ?? "en";

export const runWithRecord = <T>(record: RequestRecord, work: () => T): T =>
	storage.run(record, work);

const signIn = /^(\/tenant)?\/sign-in\//;
const signUp = /^(\/tenant)?\/sign-up\//;
const callback = /^(\/tenant)?\/callback\//;

/** A hook for Better Auth: records the tenant of the request, and whether it signed somebody in or up. */
export const recordOutcome = createAuthMiddleware(async (ctx) => {
	const request = currentRequest();
	if (!request) return;
	request.tenantId = (await getCurrentTenantId()) ?? request.tenantId;
	const { path } = ctx;
	const { newSession, returned } = ctx.context;
	if (newSession && (signIn.test(path) || callback.test(path))) request.signIn = "ok";
	else if (isFailedSignIn(path, returned)) request.signIn ??= "failed";
	if (signUp.test(path) && returned && !isAPIError(returned)) request.signedUp = true;
});

function isFailedSignIn(path: string, returned: unknown): boolean {
	if (!isAPIError(returned)) return false;
	if (signIn.test(path)) return returned.statusCode >= 400 && returned.statusCode < 500;
	if (!callback.test(path)) return false;
	// A failed OAuth flow also ends in a redirect, with an error in the query.
	const location = new Headers(returned.headers).get("location") ?? "";
	return returned.statusCode >= 400 || /[?&]error=/.test(location);
}
