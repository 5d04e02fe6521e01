import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";

/** The header Better Auth reads the caller's address from, for rate limits and sessions. */
export const clientAddressHeader = "x-server-client-address";

/**
 * Tells Better Auth who is at the other end of the socket. Whatever the caller claims, in this
 * header or in `x-forwarded-for`, does not count: it would be a way around every rate limit.
 */
export const clientAddress: MiddlewareHandler<{ Bindings: HttpBindings }> = async (c, next) => {
	const { address } = getConnInfo(c).remote;
	c.req.raw.headers.delete(clientAddressHeader);
	if (address) c.req.raw.headers.set(clientAddressHeader, withoutZone(address));
	await next();
};

/** A link-local address arrives as `fe80::1%eth0`, which Better Auth does not take for an address. */
function withoutZone(address: string): string {
	return address.replace(/%.*$/, "");
}
