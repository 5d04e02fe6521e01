import { existsSync } from "node:fs";
import { isAPIError } from "better-auth/api";
import type { Tenant } from "better-auth-tenant";
import { type Auth, type AuthParts, createAuth } from "../auth";
import { openDatabase } from "../database/open-database";
import { openRedis } from "../database/redis";
import type { ServiceConfig } from "../settings/service-config";
import { type Configuration, createParts, readConfiguration, requireSecret } from "./configuration";
import { Failure } from "./output";
import { withUpgrade } from "./upgrade";

type Work<T> = (auth: Auth, parts: AuthParts & Pick<ServiceConfig, "settings">) => Promise<T>;

/**
 * Runs `work` on the server's database and Redis: a command that ends sessions must end them in both.
 * Calls of `auth.api` without headers have the actor "server" in the audit log.
 *
 * @param change what is different from the server
 */
export async function withAuth<T>(
	work: Work<T>,
	change: Partial<Pick<ServiceConfig, "email">> = {},
): Promise<T> {
	const { config, log } = readConfiguration();
	const configuration = { config: { ...config, ...change }, log };
	requireSecret(config);
	await requireUpToDate(configuration);
	return openAuth(configuration, work);
}

/** Only for a database that is up to date. */
export async function openAuth<T>(configuration: Configuration, work: Work<T>): Promise<T> {
	const { config, log } = configuration;
	const { redisUrl } = config.settings;
	const database = openDatabase(config.settings, log);
	try {
		const redis = redisUrl ? await openRedis(redisUrl, log) : null;
		try {
			const parts = createParts(configuration, database, redis);
			const auth = createAuth(config, parts);
			await auth.$context;
			return await work(auth, { ...parts, settings: config.settings });
		} finally {
			await redis?.close();
		}
	} finally {
		await database.db.destroy();
	}
}

/** A command must not change tables that running servers of another version use. */
async function requireUpToDate(configuration: Configuration): Promise<void> {
	const { database } = configuration.config.settings;
	if (database.type === "sqlite" && !existsSync(database.file)) {
		throw new Failure(`There is no database at ${database.file} yet. Run migrate.`, {
			code: "NO_DATABASE",
		});
	}
	await withUpgrade(configuration, async ({ statements, blockers }) => {
		if (statements.length + blockers.length === 0) return;
		throw new Failure("The database is not up to date. Run migrate.", { code: "NOT_MIGRATED" });
	});
}

/** Finds a tenant by slug or id. */
export async function requireTenant({ api }: Auth, slugOrId: string): Promise<Tenant> {
	const bySlug = await orNull(() => api.getTenant({ query: { slug: slugOrId } }));
	const byId = await orNull(() => api.getTenant({ query: { id: slugOrId } }));
	if (bySlug && byId && bySlug.id !== byId.id) {
		throw new Failure(`${slugOrId} is the slug of one tenant and the id of another.`, {
			code: "AMBIGUOUS_TENANT",
		});
	}
	const found = bySlug ?? byId;
	if (found) return found;
	throw new Failure(`Tenant ${slugOrId} was not found.`, { code: "TENANT_NOT_FOUND" });
}

/** `null` for what an endpoint does not find or accept: an id may have the wrong format for a slug. */
async function orNull<T>(call: () => Promise<T>): Promise<T | null> {
	try {
		return await call();
	} catch (error) {
		if (isAPIError(error) && error.statusCode < 500) return null;
		throw error;
	}
}
