import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { findCertificate } from "./certificate";
import { redirectHosts } from "./provider-hosts";

export interface Listening {
	port: number;
	close(): Promise<void>;
}

function startServer(server: Server): Promise<Listening> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", () => {
			resolve({
				port: (server.address() as AddressInfo).port,
				close: () =>
					new Promise((closed) => {
						server.close(() => closed());
						server.closeAllConnections();
					}),
			});
		});
	});
}

export function listen(listener: RequestListener): Promise<Listening> {
	return startServer(createServer(listener));
}

/** Serves these hosts over TLS, for requests of this process. */
export async function listenAs(
	hosts: readonly string[],
	listener: RequestListener,
	addresses?: readonly string[],
): Promise<Listening> {
	const { cert, key } = await findCertificate(hosts);
	const listening = await startServer(createSecureServer({ cert, key }, listener));
	const restore = redirectHosts(hosts, {
		port: listening.port,
		certificate: cert,
		...(addresses ? { addresses } : {}),
	});
	return {
		port: listening.port,
		async close() {
			await restore();
			await listening.close();
		},
	};
}
