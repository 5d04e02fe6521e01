import { existsSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";

/**
 * Outside services that some suites need. Such a suite is named after what it needs
 * (`sessions.redis.test.ts`) and skips itself without it:
 *
 * @example
 * describe.skipIf(!services.redis)("sessions in Redis", () => { … });
 */
export const services = {
	/** Address of a PostgreSQL database that tests may fill and empty. */
	postgres: process.env.TEST_POSTGRES_URL || undefined,
	/** Address of a MariaDB or MySQL database that tests may fill and empty. */
	mysql: process.env.TEST_MYSQL_URL || undefined,
	/** Address of a Redis server that tests may fill and empty. */
	redis: process.env.TEST_REDIS_URL || undefined,
	/** Path of a Chromium to drive. */
	browser: findFile(
		process.env.CHROMIUM_PATH,
		"/usr/bin/chromium",
		"/usr/bin/chromium-browser",
		"/usr/bin/google-chrome",
		"/usr/bin/google-chrome-stable",
	),
	/** Path of an nginx to start; its suites need PostgreSQL and Redis too. */
	nginx: findFile(process.env.NGINX_PATH, "/usr/sbin/nginx", "/usr/local/sbin/nginx"),
	/** The package better-sqlite3, which this repository does not install. */
	"better-sqlite3": findPackage("better-sqlite3"),
	/** The SQLite that newer versions of Node bring along. */
	"node-sqlite": isBuiltin("node:sqlite") ? "node:sqlite" : undefined,
};

export type Service = keyof typeof services;

function findFile(...paths: (string | undefined)[]): string | undefined {
	return paths.find((path) => path && existsSync(path));
}

function findPackage(name: string): string | undefined {
	try {
		return createRequire(import.meta.url).resolve(name);
	} catch {
		return undefined;
	}
}
