import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { APIError } from "@better-auth/core/error";
import { dispatchAuthEndpoint, isAPIError } from "better-auth/api";
import { kAPIErrorHeaderSymbol } from "better-call";
import { findState, requireInstance, withCurrentState } from "../../call/context/current-state";
import { rulesOf } from "../../call/context/endpoint-rules";
import { dropRejectedSession } from "../../isolation/sessions";

type CoreEndpoint = Parameters<typeof dispatchAuthEndpoint>[0];
type NewSession = NonNullable<AuthContext["newSession"]>;
type Status = Parameters<GenericEndpointContext["setStatus"]>[0];

export interface CoreResult {
	response: unknown;
	/** The session that core created, if it did. */
	newSession: NewSession | null;
}

/**
 * Runs one of core's own endpoints as a part of ours, with the app's hooks for core's path. Passes on
 * the status, the headers and the cookies that it and its after-hooks set, also when it fails or
 * redirects.
 *
 * Better Auth has `dispatchAuthEndpoint` for this. It copies the context, so we hear of a new session
 * only through `setNewSession`.
 */
export async function dispatchCore(
	ctx: GenericEndpointContext,
	endpoint: CoreEndpoint,
	input: {
		body?: unknown;
		query?: unknown;
		params?: Record<string, string>;
		method: "GET" | "POST";
	},
): Promise<CoreResult> {
	let newSession: NewSession | null = null;
	const context = {
		...withCurrentState(ctx.context),
		// A hook may have read the session before the tenant was known. Core must read it again.
		session: null,
		setNewSession(this: AuthContext, session: NewSession | null) {
			newSession = session;
			this.newSession = session;
		},
	};
	const inner = {
		...ctx,
		body: undefined,
		params: undefined,
		...input,
		path: endpoint.path,
		context,
		asResponse: false,
		returnHeaders: true,
		returnStatus: true,
	} as Parameters<typeof dispatchAuthEndpoint>[1];
	const run = needsHooks(ctx, endpoint) ? dispatchAuthEndpoint(endpoint, inner) : endpoint(inner);
	const { headers, response, status } = (await run.catch((error: unknown) => {
		throw isAPIError(error) ? passOnError(ctx, error) : error;
	})) as { headers?: Headers | null; response: unknown; status?: Status };
	passOnHeaders(ctx, headers);
	if (status) ctx.setStatus(status);
	const state = findState();
	if (newSession && state) dropRejectedSession(ctx, state);
	return { response, newSession };
}

/**
 * Without hooks, core's endpoint is called as it is: running no hooks for it costs as much as the endpoint
 * itself. Our own hooks run for our path, except those of a sign-up.
 */
function needsHooks({ context }: GenericEndpointContext, { path }: CoreEndpoint): boolean {
	return requireInstance(context).hasOtherHooks || rulesOf(path).hashesInTransaction === true;
}

/**
 * A redirect is an error too. Its headers are those from before the after-hooks. What these made of them
 * is under `kAPIErrorHeaderSymbol`, and Better Auth would let the error's own win.
 */
function passOnError(
	ctx: GenericEndpointContext,
	error: APIError & { [kAPIErrorHeaderSymbol]?: Headers },
): APIError {
	const final = new Headers(error[kAPIErrorHeaderSymbol]);
	const own = [...new Headers(error.headers)].filter(([name]) => !final.has(name));
	for (const [name, value] of own) final.append(name, value);
	passOnHeaders(ctx, final);
	error.headers = ctx.responseHeaders;
	// A hook may have translated the message. It runs again for our path, and asks for the original.
	if (typeof error.body?.originalMessage === "string") error.message = error.body.originalMessage;
	return error;
}

function passOnHeaders(ctx: GenericEndpointContext, headers: Headers | null | undefined): void {
	headers?.forEach((value, name) => {
		if (name === "set-cookie") ctx.responseHeaders.append(name, value);
		else ctx.responseHeaders.set(name, value);
	});
}
