import { isPublicRoutableHost } from "@better-auth/core/utils/host";

/** Names that resolve only inside a private network (RFC 6761, 6762, 8375, and common practice). */
const PRIVATE_NAME =
	/(^|\.)(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|svc|consul|test|invalid)$/;

/**
 * All public IPv6 addresses. Others may contain an IPv4 address in several ways, such as
 * `::ffff:0:127.0.0.1`.
 *
 * @see https://www.iana.org/assignments/ipv6-address-space (2000::/3)
 */
const GLOBAL_IPV6 = /^\[[23][\da-f]{3}:/;

/**
 * Why the server must not send requests to a URL or host, or `null` if it may.
 *
 * A tenant's admin chooses them, and the server calls them. Without this check, the admin could make
 * the server call into its private network. A public name that resolves to a private IP address is not
 * found here: only the network can block it.
 */
export function findAddressProblem(address: URL, allowPrivate: boolean): string | null {
	if (!/^https?:$/.test(address.protocol)) return "must be an https URL";
	if (address.username || address.password) return "must not contain credentials";
	// Not `search` and `hash`: a lone `?` leaves them empty, but still cuts off what core appends.
	if (/[?#]/.test(address.href)) return "must not contain a query or a fragment";
	if (allowPrivate) return null;
	if (address.protocol !== "https:") return "must be an https URL";
	const host = address.hostname.toLowerCase().replace(/\.+$/, "");
	return isPublic(host) ? null : "must not be a private, loopback or link-local address";
}

function isPublic(host: string): boolean {
	if (!isPublicRoutableHost(host)) return false;
	if (host.startsWith("[")) return GLOBAL_IPV6.test(host);
	const isName = !/^[\d.]+$/.test(host);
	return !isName || (host.includes(".") && !PRIVATE_NAME.test(host));
}
