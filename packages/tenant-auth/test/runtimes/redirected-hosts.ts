import dns from "node:dns";
import type { IncomingMessage } from "node:http";
import https from "node:https";

/** What the test tells the runtime about hosts that only exist there. */
export interface RedirectedHost {
	name: string;
	/** What the name resolves to. */
	address: string;
	/** Where a server for it listens on loopback. */
	port: number;
	certificate: string;
}

/**
 * Makes host names known to this process. Connections to their addresses go to loopback; name, TLS
 * handshake and certificate are real. Other names are not resolved, so no test leaves the machine.
 */
export function redirectHosts(): void {
	const hosts: RedirectedHost[] = JSON.parse(process.env.REDIRECTED_HOSTS ?? "[]");
	const lookup = async (name: string) => {
		const { address } = requireHost(
			hosts.find((host) => host.name === name),
			name,
		);
		return [{ address, family: 4 }];
	};
	Object.assign(dns.promises, { lookup });
	const original = https.request;
	const request = (
		options: https.RequestOptions,
		listener: (incoming: IncomingMessage) => void,
	) => {
		const opened = String(options.host);
		const { port, certificate } = requireHost(
			hosts.find((host) => host.address === opened),
			opened,
		);
		return original({ ...options, host: "127.0.0.1", port, ca: certificate }, listener);
	};
	Object.assign(https, { request });
}

function requireHost<T>(found: T | undefined, what: string): T {
	if (!found) throw new Error(`Tests stay on loopback: ${what} is not redirected`);
	return found;
}
