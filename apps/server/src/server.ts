import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { Started } from "./announcement";
import { loadSecrets } from "./generated-secrets";
import { type Listener, listen } from "./listen";
import { createService } from "./service";
import type { Settings } from "./settings";

export type RunningServer = Started & {
	/** Lets what is under way finish, then closes the port and the database. */
	close: () => Promise<void>;
};

/**
 * Starts the server. The port comes first: if it is taken, no database and no key was made for
 * nothing, and when any free one will do, the base URL needs to know which.
 *
 * @throws StartError when it cannot start; nothing is left open then
 */
export async function startServer(settings: Settings): Promise<RunningServer> {
	const listener = await listen(settings.host, settings.port);
	try {
		return await serveOn(listener, settings);
	} catch (error) {
		await listener.close();
		throw error;
	}
}

async function serveOn(listener: Listener, settings: Settings): Promise<RunningServer> {
	const { dataDir } = settings;
	const secrets = loadSecrets(settings);
	const baseUrl = settings.baseUrl ?? `http://localhost:${listener.port}`;
	const { managementKeys, secret } = secrets;
	const service = await createService({
		baseUrl,
		alsoTrusted: otherLoopbackOrigins(baseUrl),
		secret,
		managementKeys,
		dataDir,
		// Nobody sets NODE_ENV for a server that is started by hand; who can be reached is known.
		limitsRates: !isLoopbackHost(settings.host),
	});
	listener.serve(service.app.fetch);
	return {
		baseUrl,
		localUrl: `http://${reachable(settings.host)}:${listener.port}`,
		dataDir,
		secrets,
		close: async () => {
			await listener.close();
			await service.close();
		},
	};
}

/** A server on this machine may be called by any of the names of this machine. */
function otherLoopbackOrigins(baseUrl: string): string[] {
	const { protocol, hostname, port } = new URL(baseUrl);
	if (!isLoopbackHost(hostname)) return [];
	return ["localhost", "127.0.0.1", "[::1]"].map(
		(name) => new URL(`${protocol}//${name}:${port}`).origin,
	);
}

/** As it stands in a URL; the addresses that mean "all of them" cannot be connected to everywhere. */
function reachable(host: string): string {
	if (host === "0.0.0.0") return "127.0.0.1";
	if (host === "::") return "[::1]";
	return host.includes(":") ? `[${host}]` : host;
}
