import { AsyncLocalStorage } from "node:async_hooks";
import { type createAuthMiddleware, isAPIError } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";

/** What logs and metrics need to know about the running request. */
export type RequestRecord = {
	requestId: string;
	tenantId: string | null;
	/** The outcome of a sign-in; `null` if the request was not one. */
	signIn: "ok" | "failed" | null;
	signedUp: boolean;
	/**
	 * Whether a store did not answer. With `failed` the answer tells whether the request needed it. With
	 * `incomplete` it needed it, even if Better Auth answers that all is well.
	 */
	outage: "failed" | "incomplete" | null;
	/** Whether it only reads sessions or creates one, which the database can do without Redis. */
	worksWithoutRedis: boolean;
	/** Counters of this attempt, which are taken back if it succeeds. */
	countedAttempts: string[];
	/** Aborts if the client closes the connection. An answer cannot reach it, and a body may be cut off. */
	signal: AbortSignal;
};

export const newRecord = (requestId: string, request: Request): RequestRecord => ({
	requestId,
	tenantId: null,
	signIn: null,
	signedUp: false,
	outage: null,
	worksWithoutRedis: ["GET", "HEAD"].includes(request.method) || signsIn.test(request.url),
	countedAttempts: [],
	signal: request.signal,
});

const signsIn = /^https?:\/\/[^/]+\/api\/auth(\/tenant)?\/sign-(in|up)\/email$/;

const storage = new AsyncLocalStorage<RequestRecord>();

export const currentRequest = () => storage.getStore();

/** A store does not answer to the running request. */
export function noteOutage(outage: "failed" | "incomplete" = "failed"): void {
	const request = currentRequest();
	if (request && request.outage !== "incomplete") request.outage = outage;
}

export const runWithRecord = <T>(record: RequestRecord, work: () => T): T =>
	storage.run(record, work);

const signIn = /^(\/tenant)?\/sign-in\//;
const signUp = /^(\/tenant)?\/sign-up\//;
const callback = /^(\/tenant)?\/callback\//;

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** For a hook of Better Auth: records the tenant, and whether the request signed somebody in or up. */
export async function recordOutcome(ctx: HookContext): Promise<void> {
	const request = currentRequest();
	if (!request) return;
	request.tenantId = (await getCurrentTenantId()) ?? request.tenantId;
	const { path } = ctx;
	const { newSession, returned } = ctx.context;
	if (newSession && (signIn.test(path) || callback.test(path))) request.signIn = "ok";
	else if (isFailedSignIn(path, returned)) request.signIn ??= "failed";
	if (signUp.test(path) && returned && !isAPIError(returned)) request.signedUp = true;
}

function isFailedSignIn(path: string, returned: unknown): boolean {
	if (!isAPIError(returned)) return false;
	if (signIn.test(path)) return returned.statusCode >= 400 && returned.statusCode < 500;
	if (!callback.test(path)) return false;
	// A failed OAuth flow also ends in a redirect, with an error in the query.
	const location = new Headers(returned.headers).get("location") ?? "";
	return returned.statusCode >= 400 || /[?&]error=/.test(location);
}
