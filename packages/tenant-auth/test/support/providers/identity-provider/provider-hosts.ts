import dns from "node:dns";
import tls from "node:tls";
import {
	Agent,
	buildConnector,
	type Dispatcher,
	getGlobalDispatcher,
	setGlobalDispatcher,
} from "undici";

/**
 * Redirects hosts that Better Auth has built in (accounts.google.com, github.com, …) to servers on
 * loopback. This happens below `fetch` and `node:https`: name, TLS handshake, certificate and HTTP are
 * real, only the socket connects to another port. Other hosts are rejected, so no test leaves the
 * machine.
 */
interface Destination {
	port: number;
	certificate: string;
	/** What the host resolves to. By default a public address that only this host has. */
	addresses?: readonly string[];
}

const redirected = new Map<string, Destination>();
const loopback = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);
const plain = buildConnector({});

let before: Dispatcher | undefined;

const connect: buildConnector.connector = (options, callback) => {
	const destination = redirected.get(options.hostname);
	if (destination) {
		const trusting = buildConnector({ ca: destination.certificate });
		const port = String(destination.port);
		const servername = options.hostname;
		return trusting(
			{ ...options, hostname: "127.0.0.1", host: "127.0.0.1", port, servername },
			callback,
		);
	}
	if (loopback.has(options.hostname)) return plain(options, callback);
	callback(new Error(`Tests stay on loopback: ${options.hostname} is not redirected`), null);
};

let lastAddress = 0;
const addressesOf = new Map<string, readonly string[]>();

/** The host names that were resolved, and the addresses that sockets were opened to. */
export const network = { resolved: [] as string[], opened: [] as string[] };

const lookup = dns.promises.lookup;
const openSocket = tls.connect;

async function lookupRedirected(name: string): Promise<{ address: string; family: number }[]> {
	network.resolved.push(name);
	const addresses = addressesOf.get(name);
	if (!addresses) throw new Error(`Tests stay on loopback: ${name} is not redirected`);
	return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
}

function openRedirected(options: tls.ConnectionOptions): tls.TLSSocket {
	const address = String(options.host);
	if (loopback.has(address)) return openSocket(options);
	network.opened.push(address);
	const [host] = [...addressesOf].find(([, addresses]) => addresses.includes(address)) ?? [];
	const destination = host && redirected.get(host);
	if (!destination) throw new Error(`Tests stay on loopback: ${address} is not redirected`);
	const { port, certificate: ca } = destination;
	return openSocket({ ...options, host: "127.0.0.1", port, ca });
}

export function isReachable(host: string): boolean {
	return redirected.has(host) || loopback.has(host);
}

/** Where a host is redirected to, for the tests of another process. */
export function requireDestination(host: string): Required<Destination> {
	const destination = redirected.get(host);
	if (!destination) throw new Error(`${host} is not redirected`);
	return { ...destination, addresses: addressesOf.get(host) ?? [] };
}

/** Returns a function that ends the redirection. */
export function redirectHosts(
	hosts: readonly string[],
	destination: Destination,
): () => Promise<void> {
	const taken = hosts.find((host) => redirected.has(host));
	if (taken) throw new Error(`${taken} is already redirected`);
	if (!before) {
		before = getGlobalDispatcher();
		setGlobalDispatcher(new Agent({ connect }));
		Object.assign(dns.promises, { lookup: lookupRedirected });
		Object.assign(tls, { connect: openRedirected });
	}
	lastAddress += 1;
	for (const host of hosts) {
		redirected.set(host, destination);
		addressesOf.set(host, destination.addresses ?? [`8.8.0.${lastAddress}`]);
	}
	return async () => {
		for (const host of hosts) {
			redirected.delete(host);
			addressesOf.delete(host);
		}
		if (redirected.size > 0 || !before) return;
		Object.assign(dns.promises, { lookup });
		Object.assign(tls, { connect: openSocket });
		const ours = getGlobalDispatcher();
		setGlobalDispatcher(before);
		before = undefined;
		await ours.destroy();
	};
}
