import { isPublicRoutableHost } from "@better-auth/core/utils/host";

/** Names that resolve inside a private network only (RFC 6761, 6762, 8375, and common practice). */
const PRIVATE_NAME =
	/(^|\.)(local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa|svc|consul|test|invalid)$/;

/**
 * All that is given out to the public. IPv4 addresses hide elsewhere in more than one way, such as
 * `::ffff:0:127.0.0.1`.
 *
 * @see https://www.iana.org/assignments/ipv6-address-space (2000::/3)
 */
const GLOBAL_IPV6 = /^\[[23][\da-f]{3}:/;

/**
 * Why the server must not send requests to `address`, or `null` if it may.
 *
 * A tenant's administrator chooses these addresses, and the server calls them: without a guard he
 * could have it call into the private network that it stands in. A public name that resolves to a
 * private address is not seen here: only the network can refuse that one.
 */
export function findAddressProblem(address: URL, allowPrivate: boolean): string | null {
	if (!/^https?:$/.test(address.protocol)) return "must be an https URL";
	if (address.username || address.password) return "must not contain credentials";
	// Not its `search` and `hash`: a lone `?` leaves these empty, and still cuts off what core appends.
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
