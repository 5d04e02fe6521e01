import { isIP } from "node:net";
import { StartError } from "../start-error";
import { type Read, splitList } from "./environment";

/** How many proxies stand in front of the server, or which addresses they have. */
export type TrustedProxies = { hops: number } | { addresses: string[] };

export function readTrustedProxies(read: Read): TrustedProxies {
	const value = read("TRUST_PROXY");
	if (value === null) return { hops: 0 };
	if (/^\d$/.test(value)) return { hops: Number(value) };
	const addresses = splitList(value);
	if (addresses.every(isAddressOrRange)) return { addresses };
	throw new StartError(
		`TRUST_PROXY must be the number of proxies in front of the server (0 to 9) or a comma separated list of their addresses, such as 10.0.0.0/8, but it is "${value}".`,
	);
}

function isAddressOrRange(value: string): boolean {
	const [address = "", prefix, ...rest] = value.split("/");
	const version = isIP(address);
	if (version === 0 || rest.length > 0) return false;
	if (prefix === undefined) return true;
	return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}
