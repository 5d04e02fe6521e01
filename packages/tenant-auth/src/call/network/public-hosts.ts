import { isPublicRoutableHost } from "@better-auth/core/utils/host";

/**
 * Names that resolve only inside a private network: RFC 6761, 6762 and 8375, common practice, and names
 * that clusters have by default. No list can be complete: a cluster resolves `service.namespace` with any
 * namespace, and a router any name. So a name is also resolved when it is used, and that check decides.
 */
const PRIVATE_NAME = new RegExp(
	`(^|\\.)(${[
		"local|localhost|localdomain|domain|workgroup|internal|intern|intranet|private|priv",
		"lan|home|homenet|corp|office|test|invalid|onion|alt|arpa",
		"svc|default|cluster|consul|docker|kubernetes|monitoring|production|staging|stage|qa",
	].join("|")})$`,
);

/** The last label of a public name: letters, or letters of another script in Punycode. */
const PUBLIC_SUFFIX = /\.([a-z]{2,}|xn--[a-z\d-]+)$/;

/**
 * All public IPv6 addresses. Others may contain an IPv4 address in several ways, such as
 * `::ffff:0:127.0.0.1`. 6to4 (2002::/16) leads to an IPv4 address too.
 *
 * @see https://www.iana.org/assignments/ipv6-address-space (2000::/3)
 */
const GLOBAL_IPV6 = /^\[(?!2002:)[23][\da-f]{3}:/;

/**
 * An IPv4 address behind NAT64. In a network without IPv4, every name with an IPv4 address only resolves
 * to one of these.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6052#section-2.1
 */
const NAT64 = /^\[64:ff9b::([\da-f]{1,4}:[\da-f]{1,4}\])$/;

/**
 * Why the server must not send requests to a URL or host, or `null` if it may.
 *
 * A tenant's admin chooses them, and the server calls them. Without this check, the admin could make
 * the server call into its private network. A public name that resolves to a private IP address is
 * found when it is used (`call/network/public-fetch.ts`).
 */
export function findAddressProblem(address: URL, allowPrivate: boolean): string | null {
	if (!/^https?:$/.test(address.protocol)) return "must be an https URL";
	if (address.username || address.password) return "must not contain credentials";
	// Not `search` and `hash`: a lone `?` leaves them empty, but still cuts off what core appends.
	if (/[?#]/.test(address.href)) return "must not contain a query or a fragment";
	if (allowPrivate) return null;
	if (address.protocol !== "https:") return "must be an https URL";
	return isPublicHost(address) ? null : "must not be a private, loopback or link-local address";
}

/** Whether an IP address, as a resolver returns it, is public. */
export function isPublicAddress(address: string): boolean {
	const url = `https://${address.includes(":") ? `[${address}]` : address}`;
	return /^[\d.]+$|:/.test(address) && URL.canParse(url) && isPublicHost(new URL(url));
}

/** Takes a URL, because its parser knows all ways to write an IP address. */
function isPublicHost({ hostname }: URL): boolean {
	const host = hostname.toLowerCase().replace(/\.+$/, "");
	if (NAT64.test(host)) return isPublicRoutableHost(host.replace(NAT64, "[::ffff:$1"));
	if (!isPublicRoutableHost(host)) return false;
	if (host.startsWith("[")) return GLOBAL_IPV6.test(host);
	return /^[\d.]+$/.test(host) || (PUBLIC_SUFFIX.test(host) && !PRIVATE_NAME.test(host));
}
