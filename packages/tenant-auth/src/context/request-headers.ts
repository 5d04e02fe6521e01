import type { GenericEndpointContext } from "@better-auth/core";

/** The headers of a call; `undefined` where server code made it with none. */
export function headersOf(ctx: GenericEndpointContext): Headers | undefined {
	return ctx.headers ?? ctx.request?.headers;
}

export function findBearerToken(ctx: GenericEndpointContext): string | undefined {
	return headersOf(ctx)
		?.get("authorization")
		?.match(/^bearer\s+(\S+)\s*$/i)?.[1];
}
