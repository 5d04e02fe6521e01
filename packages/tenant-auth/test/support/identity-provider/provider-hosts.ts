import {
	Agent,
	buildConnector,
	type Dispatcher,
	getGlobalDispatcher,
	setGlobalDispatcher,
} from "undici";

/**
 * Redirects hosts that Better Auth has built in (accounts.google.com, github.com, …) to servers on
 * loopback. This happens below `fetch`: name, TLS handshake, certificate and HTTP are real, only the
 * socket connects to another port. Other hosts are rejected, so no test leaves the machine.
 */
interface Destination {
	port: number;
	certificate: string;
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

export function isReachable(host: string): boolean {
	return redirected.has(host) || loopback.has(host);
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
	}
	for (const host of hosts) redirected.set(host, destination);
	return async () => {
		for (const host of hosts) redirected.delete(host);
		if (redirected.size > 0 || !before) return;
		const ours = getGlobalDispatcher();
		setGlobalDispatcher(before);
		before = undefined;
		await ours.destroy();
	};
}
