import { isPublicRoutableHost } from "@better-auth/core/utils/host";

/** Names that resolve inside a private network only (RFC 6762, RFC 8375, and common practice). */
const PRIVATE_NAME = /(^|\.)(local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

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
	if (address.search || address.hash) return "must not contain a query or a fragment";
	if (allowPrivate) return null;
	if (address.protocol !== "https:") return "must be an https URL";
	const host = address.hostname.toLowerCase().replace(/\.+$/, "");
	const isName = !host.startsWith("[") && !/^[\d.]+$/.test(host);
	if (!isPublicRoutableHost(host) || (isName && (!host.includes(".") || PRIVATE_NAME.test(host)))) {
		return "must not be a private, loopback or link-local address";
	}
	return null;
}
