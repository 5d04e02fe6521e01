import { type App, createApp } from "./app";
import { type Backend, openBackend } from "./backend";
import { dailyCounts } from "./counts/daily-counts";
import type { Log } from "./logs/log";
import { createHealth, type Health } from "./operations/health";
import type { ServiceConfig } from "./service-config";

export type Service = {
	app: App;
	backend: Backend;
	health: Health;
	/** Lets what is under way finish, and closes every store. */
	close: () => Promise<void>;
};

/**
 * Everything behind the port: the stores, Better Auth on them, and the HTTP app.
 *
 * @throws StartError when a store cannot be used
 */
export async function createService(config: ServiceConfig, log: Log): Promise<Service> {
	const backend = await openBackend(config, log);
	const counts = dailyCounts(backend.database, log);
	const health = createHealth(backend, log);
	return {
		app: createApp({ config, backend, counts, health }),
		backend,
		health,
		close: async () => {
			await counts.close();
			await backend.close();
		},
	};
}
