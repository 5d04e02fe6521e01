import {
	Agent,
	buildConnector,
	type Dispatcher,
	getGlobalDispatcher,
	setGlobalDispatcher,
} from "undici";

/**
 * Leads hosts that Better Auth has built in (accounts.google.com, github.com, …) to servers on
 * loopback. It works below `fetch`: name, TLS handshake, certificate and HTTP are all real, only the
 * socket ends elsewhere. Any other host outside loopback is refused, so no test leaves the machine.
 */
interface Destination {
	port: number;
	certificate: string;
}

const led = new Map<string, Destination>();
const loopback = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);
const plain = buildConnector({});

let before: Dispatcher | undefined;

const connect: buildConnector.connector = (options, callback) => {
	const destination = led.get(options.hostname);
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
	callback(new Error(`Tests stay on loopback: ${options.hostname} is not led anywhere`), null);
};

export function isReachable(host: string): boolean {
	return led.has(host) || loopback.has(host);
}

/** Returns the function that undoes it. */
export function leadHosts(hosts: readonly string[], destination: Destination): () => Promise<void> {
	const taken = hosts.find((host) => led.has(host));
	if (taken) throw new Error(`${taken} is led somewhere already`);
	if (!before) {
		before = getGlobalDispatcher();
		setGlobalDispatcher(new Agent({ connect }));
	}
	for (const host of hosts) led.set(host, destination);
	return async () => {
		for (const host of hosts) led.delete(host);
		if (led.size > 0 || !before) return;
		const ours = getGlobalDispatcher();
		setGlobalDispatcher(before);
		before = undefined;
		await ours.destroy();
	};
}
