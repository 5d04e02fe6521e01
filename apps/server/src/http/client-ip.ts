import { BlockList, isIP } from "node:net";
import { normalizeIP } from "@better-auth/core/utils/ip";
import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";
import { clientIpHeader } from "../auth";
import type { TrustedProxies } from "../settings/settings";

/**
 * Passes the client's IP address to Better Auth. It is the address of the socket, unless that is a
 * trusted proxy. Headers from any other client are ignored, because they would bypass the rate limit.
 */
export function setClientIp(
	proxies: TrustedProxies,
): MiddlewareHandler<{ Bindings: HttpBindings }> {
	const clientIpOf = clientIpFinder(proxies);
	return async (c, next) => {
		const { headers } = c.req.raw;
		const client = clientIpOf(getConnInfo(c).remote.address, headers.get("x-forwarded-for"));
		headers.delete(clientIpHeader);
		if (client) headers.set(clientIpHeader, client);
		await next();
	};
}

type ForwardedFor = string | string[] | null | undefined;

/** Finds the client by the address of the socket and the value of `x-forwarded-for`. */
export function clientIpFinder(proxies: TrustedProxies) {
	const isProxy = proxyTest(proxies);
	return (address: string | undefined, forwarded: ForwardedFor): string | undefined =>
		address && findClientIp([address, ...nearestFirst(forwarded)], isProxy);
}

/** Each proxy appends its own client, so the entries further away may be forged. */
function nearestFirst(forwarded: ForwardedFor): string[] {
	return forwarded ? String(forwarded).split(",").reverse() : [];
}

/** The first address that is not a trusted proxy, or the last valid one before. */
function findClientIp(chain: string[], isProxy: (address: string, hop: number) => boolean): string {
	let client = normalize(chain[0] ?? "");
	for (let hop = 0; hop + 1 < chain.length && isProxy(client, hop); hop += 1) {
		const next = normalize(chain[hop + 1] ?? "");
		if (isIP(next) === 0) break;
		client = next;
	}
	return client;
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
 * A link-local address has a zone (`fe80::1%eth0`), which Better Auth does not accept. A dual-stack
 * socket has IPv4 addresses as `::ffff:10.0.0.1`. Some proxies add a port.
 */
function normalize(address: string): string {
	const bare = address
		.trim()
		.replace(/^\[(.*)\](:\d+)?$/, "$1")
		.replace(/%.*$/, "");
	const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(bare) ?? [];
	if (mapped) return mapped;
	return bare.replace(/^(\d+(?:\.\d+){3}):\d+$/, "$1");
}

/** The address by which a client is counted: it has a whole /64 of IPv6. */
export const countedAddress = (address: string): string =>
	address.includes(":") ? normalizeIP(address) : address;
