import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { dispatchAuthEndpoint, isAPIError } from "better-auth/api";
import { kAPIErrorHeaderSymbol } from "better-call";
import { dropRefusedSession } from "../isolation/sessions";

type CoreEndpoint = Parameters<typeof dispatchAuthEndpoint>[0];
type NewSession = NonNullable<AuthContext["newSession"]>;

export interface CoreAnswer {
	response: unknown;
	/** The session that core created on the way, if it did. */
	newSession: NewSession | null;
}

/**
 * Runs one of core's own endpoints as a part of ours, with the host's hooks for core's path, and
 * passes on the headers and cookies that it sets, also when it fails.
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
		...ctx.context,
		// A hook may have read it before the tenant was entered: it is to be asked for again in there.
		session: null,
		// The dispatched endpoint works on a copy of the context: this is how we hear of its session.
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
	if (newSession) await dropRefusedSession(ctx);
	return { response, newSession };
}

function headersOf(error: object): Headers | undefined {
	return (error as { [kAPIErrorHeaderSymbol]?: Headers })[kAPIErrorHeaderSymbol];
}

function passOnHeaders(ctx: GenericEndpointContext, headers: Headers | null | undefined): void {
	headers?.forEach((value, name) => {
		if (name === "set-cookie") ctx.responseHeaders.append(name, value);
		else ctx.responseHeaders.set(name, value);
	});
}
