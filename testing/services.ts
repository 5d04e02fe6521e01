import { existsSync, readdirSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { areExamplesInstalled, installation } from "../scripts/examples.mjs";

/**
 * Set by `npm run test:all`. Without it, the same suites run on every machine, whatever is installed
 * there: no suite uses a service, and a suite with variations runs the first of them.
 */
export const TEST_ALL = process.env.TEST_ALL === "1";

/** Set by `npm run test:with`: suites use the databases whose URLs are set, but run as in `npm test`. */
const TEST_DATABASES = process.env.TEST_DATABASES === "1";

/** Where `scripts/install-runtimes.mjs` puts runtimes. */
const runtimes = fileURLToPath(
	new URL("../node_modules/.cache/runtimes/node_modules", import.meta.url),
);

/** Outside services that are on this machine. */
export const installed = {
	/** URL of a PostgreSQL database that tests may fill and empty. */
	postgres: process.env.TEST_POSTGRES_URL || undefined,
	/** URL of a MariaDB or MySQL database that tests may fill and empty. */
	mysql: process.env.TEST_MYSQL_URL || undefined,
	/** URL of a Redis server that tests may fill and empty. */
	redis: process.env.TEST_REDIS_URL || undefined,
	/** Path of a Chromium. */
	browser: findFile(
		process.env.CHROMIUM_PATH,
		"/usr/bin/chromium",
		"/usr/bin/chromium-browser",
		"/usr/bin/google-chrome",
		"/usr/bin/google-chrome-stable",
	),
	/** Path of an nginx. Its suites need PostgreSQL and Redis too. */
	nginx: findFile(process.env.NGINX_PATH, "/usr/sbin/nginx", "/usr/local/sbin/nginx"),
	/** Path of a Go, with Debian's package golang-github-coreos-go-oidc-dev. */
	go: existsSync("/usr/share/gocode/src/github.com/coreos/go-oidc")
		? findFile(process.env.GO_PATH, "/usr/bin/go", "/usr/local/go/bin/go")
		: undefined,
	/** Path of a Python with PyJWT, such as Debian's with the packages python3-jwt and python3-cryptography. */
	python: process.env.TEST_PYTHON ?? findDebianPython(),
	/** Servers that the suites start themselves: Redis, PostgreSQL, and MariaDB with Galera. */
	cluster: findAll(
		"/usr/bin/redis-server",
		"/usr/lib/postgresql",
		"/usr/sbin/mariadbd",
		"/usr/lib/galera/libgalera_smm.so",
		"/usr/bin/rsync",
	),
	/** Servers that run PostgreSQL with a failover of its own, and that the suites start themselves. */
	patroni: findAll("/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy", "/usr/lib/postgresql"),
	/** Path of the systemd program that checks units. */
	systemd: findFile("/usr/bin/systemd-analyze"),
	/** The socket of a Docker daemon. */
	docker: findFile("/var/run/docker.sock"),
	/** Path of the program that checks the rules of Prometheus. */
	promtool: findFile(process.env.PROMTOOL_PATH, "/usr/bin/promtool", "/usr/local/bin/promtool"),
	/** The package better-sqlite3: one that was installed by hand, or the newest one on Node 22 or newer. */
	"better-sqlite3": findPackage("better-sqlite3") ?? findBetterSqlite3(),
	/** Path of a Bun. */
	bun: findFile(process.env.BUN_PATH, ...findBinaries("@oven", "bin/bun")),
	/** Path of a Deno. */
	deno: findFile(process.env.DENO_PATH, ...findBinaries("@deno", "deno")),
	/** Path of the main module of miniflare, which runs workerd. */
	workerd: findFile(process.env.MINIFLARE_PATH, join(runtimes, "miniflare/dist/src/index.js")),
	/** Path of the protobuf definitions of OpenTelemetry. */
	opentelemetry: findFile(
		join(runtimes, "@opentelemetry/otlp-transformer/build/src/generated/root.js"),
	),
	/** The folder with the examples. */
	examples: areExamplesInstalled() ? installation : undefined,
	/** The SQLite module of newer Node versions. */
	"node-sqlite": isBuiltin("node:sqlite") ? "node:sqlite" : undefined,
};

export type Service = keyof typeof installed;

/**
 * Outside services that this run uses. A suite that needs one has its name (`sessions.redis.test.ts`) and
 * skips itself if the service is missing:
 *
 * @example
 * describe.skipIf(!services.redis)("sessions in Redis", () => { … });
 */
export const services: Partial<typeof installed> = TEST_ALL || TEST_DATABASES ? installed : {};

const databases = ["postgres", "mysql", "redis"];

/**
 * The files that only `npm run test:all` runs. `*.all.test.ts` needs no service, but installs, builds or
 * compiles something, or repeats a suite in another set-up.
 */
export const onlyInTestAll = `**/*.{${[...Object.keys(installed), "all"]
	.filter((name) => !(TEST_DATABASES && databases.includes(name)))
	.join(",")}}.test.ts`;

function findFile(...paths: (string | undefined)[]): string | undefined {
	return paths.find((path) => path && existsSync(path));
}

/** The first, if all exist. */
function findAll(...paths: string[]): string | undefined {
	return paths.every((path) => existsSync(path)) ? paths[0] : undefined;
}

function findDebianPython(): string | undefined {
	const packages = ["jwt", "cryptography"].map((name) => `/usr/lib/python3/dist-packages/${name}`);
	return packages.every((path) => existsSync(path)) ? findFile("/usr/bin/python3") : undefined;
}

/** Each package of such a scope has the program of one platform. Others are not installed. */
function findBinaries(scope: string, path: string): string[] {
	const folder = join(runtimes, scope);
	return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, path)) : [];
}

function findBetterSqlite3(): string | undefined {
	const hasNode22 = Number(process.versions.node.split(".")[0]) >= 22;
	return hasNode22 ? findFile(join(runtimes, "better-sqlite3/lib/index.js")) : undefined;
}

function findPackage(name: string): string | undefined {
	try {
		return createRequire(import.meta.url).resolve(name);
	} catch {
		return undefined;
	}
}
