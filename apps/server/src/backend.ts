import { type Auth, type AuthParts, authOptions, createAuth } from "./auth";
import { migrate } from "./database/migrate";
import { openDatabase } from "./database/open-database";
import type { Log } from "./logs/log";
import { createMailer } from "./mail/mailer";
import { createMetrics, type Metrics } from "./metrics/metrics";
import { openRedis } from "./redis";
import type { ServiceConfig } from "./service-config";

/** Better Auth on its stores, without HTTP. */
export type Backend = AuthParts & {
	auth: Auth;
	metrics: Metrics;
	/** Lets mails and transactions finish, and hangs up. */
	close: () => Promise<void>;
};

/**
 * @throws StartError when a store cannot be used; nothing is left open then
 */
export async function openBackend(config: ServiceConfig, log: Log): Promise<Backend> {
	const { settings } = config;
	const metrics = createMetrics();
	const database = openDatabase(settings, log);
	const mailer = createMailer(settings.mail, log, metrics.noteMail);
	const parts: AuthParts = { database, redis: null, mailer, log };
	const close = async () => {
		await mailer.close();
		await parts.redis?.close();
		await database.db.destroy();
	};
	try {
		if (settings.redisUrl) {
			parts.redis = await openRedis(settings.redisUrl, log, config.redisPrefix);
		}
		await migrate(authOptions(config, parts), database);
		const auth = createAuth(config, parts);
		// It initializes in the background: what is wrong should stop the start, not the first request.
		await auth.$context;
		return { ...parts, auth, metrics, close };
	} catch (error) {
		await close();
		throw error;
	}
}
