import { BlockList, isIP } from "node:net";
import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";
import type { TrustedProxies } from "./settings/trusted-proxies";

/** The header Better Auth reads the caller's address from, for rate limits and sessions. */
export const clientAddressHeader = "x-server-client-address";

/**
 * Tells Better Auth who calls. That is who is at the other end of the socket, unless that is a proxy
 * which is trusted to say whom it speaks for. Whatever else a caller claims does not count: it would
 * be a way around every rate limit.
 */
export function clientAddress(
	proxies: TrustedProxies,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
	const isProxy = proxyTest(proxies);
	return async (c, next) => {
		const { headers } = c.req.raw;
		const { address } = getConnInfo(c).remote;
		const client = address && originOf([address, ...forwarders(headers)], isProxy);
		headers.delete(clientAddressHeader);
		if (client) headers.set(clientAddressHeader, client);
		await next();
	};
}

/** Each proxy adds on the right whom it heard from: what is left of that may be anybody's invention. */
function forwarders(headers: Headers): string[] {
	const value = headers.get("x-forwarded-for");
	return value ? value.split(",").reverse() : [];
}

/** The first in the chain that is no proxy of ours, as far as the chain can be believed. */
function originOf(chain: string[], isProxy: (address: string, hop: number) => boolean): string {
	let origin = normalized(chain[0] ?? "");
	for (let hop = 0; hop + 1 < chain.length && isProxy(origin, hop); hop += 1) {
		const next = normalized(chain[hop + 1] ?? "");
		if (isIP(next) === 0) break;
		origin = next;
	}
	return origin;
}

function proxyTest(proxies: TrustedProxies): (address: string, hop: number) => boolean {
	if ("hops" in proxies) return (_, hop) => hop < proxies.hops;
	const list = new BlockList();
	for (const entry of proxies.addresses) {
		const [address = "", prefix] = entry.split("/");
		const family = isIP(address) === 6 ? "ipv6" : "ipv4";
		if (prefix === undefined) list.addAddress(address, family);
		else list.addSubnet(address, Number(prefix), family);
	}
	return (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/**
 * A link-local address arrives as `fe80::1%eth0`, which Better Auth does not take for an address; an
 * IPv4 one on a socket for both as `::ffff:10.0.0.1`; and some proxies add a port.
 */
function normalized(address: string): string {
	const bare = address
		.trim()
		.replace(/^\[(.*)\](:\d+)?$/, "$1")
		.replace(/%.*$/, "");
	const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(bare) ?? [];
	if (mapped) return mapped;
	return bare.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
}
