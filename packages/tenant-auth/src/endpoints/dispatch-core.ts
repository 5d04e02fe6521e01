import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { dispatchAuthEndpoint, isAPIError } from "better-auth/api";
import { kAPIErrorHeaderSymbol } from "better-call";
import { findState, withCurrentState } from "../context/current-state";
import { dropRejectedSession } from "../isolation/sessions";

type CoreEndpoint = Parameters<typeof dispatchAuthEndpoint>[0];
type NewSession = NonNullable<AuthContext["newSession"]>;

export interface CoreAnswer {
	response: unknown;
	/** The session that core created, if it did. */
	newSession: NewSession | null;
}

/**
 * Runs one of core's own endpoints as a part of ours, with the app's hooks for core's path, and passes
 * on the headers and cookies that it sets, also when it fails.
 *
 * Better Auth has `dispatchAuthEndpoint` for this. It copies the context, so we hear of a new session
 * only through `setNewSession`, and errors carry their headers under `kAPIErrorHeaderSymbol`.
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
): Promise<CoreAnswer> {
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
	const { headers, response } = (await dispatchAuthEndpoint(endpoint, {
		...ctx,
		body: undefined,
		query: undefined,
		params: undefined,
		...input,
		context,
		asResponse: false,
		returnHeaders: true,
		returnStatus: false,
	} as Parameters<typeof dispatchAuthEndpoint>[1]).catch((error: unknown) => {
		if (isAPIError(error)) passOnHeaders(ctx, headersOf(error));
		throw error;
	})) as { headers?: Headers | null; response: unknown };
	passOnHeaders(ctx, headers);
	const state = findState();
	if (newSession && state) dropRejectedSession(ctx, state);
	return { response, newSession };
}

function headersOf(error: object): Headers | undefined {
	const carrying: { [kAPIErrorHeaderSymbol]?: Headers } = error;
	return carrying[kAPIErrorHeaderSymbol];
}

function passOnHeaders(ctx: GenericEndpointContext, headers: Headers | null | undefined): void {
	headers?.forEach((value, name) => {
		if (name === "set-cookie") ctx.responseHeaders.append(name, value);
		else ctx.responseHeaders.set(name, value);
	});
}
