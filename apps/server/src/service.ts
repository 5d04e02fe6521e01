import { type App, createApp } from "./app";
import { type AuthConfig, createAuth } from "./auth";
import { openDatabase } from "./database/open-database";

export type Service = {
	app: App;
	/** Lets transactions finish and closes the database. */
	close: () => Promise<void>;
};

/**
 * Everything behind the port: the database in `dataDir`, Better Auth on it, and the HTTP app.
 *
 * @throws StartError when the database cannot be used
 */
export async function createService(config: AuthConfig & { dataDir: string }): Promise<Service> {
	const database = openDatabase(config.dataDir);
	const close = () => database.db.destroy();
	try {
		return { app: createApp(await createAuth(config, database)), close };
	} catch (error) {
		await close();
		throw error;
	}
}
