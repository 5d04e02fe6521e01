import type { DatabaseConnection, Dialect, Driver } from "kysely";
import { waitForStore } from "./wait-for-store";

/** A little more than what PostgreSQL's pool waits. The pool of mysql2 would wait forever. */
const ACQUIRE_TIMEOUT_MS = 6000;

/** Called with each error of the database. */
type OnError = (error: unknown) => void;

/**
 * Reports errors of the database where they occur. Better Auth turns some of them into other errors: a
 * sign-up during an outage would report that the user could not be created.
 */
export function watchedDialect(dialect: Dialect, onError: OnError): Dialect {
	return {
		createAdapter: () => dialect.createAdapter(),
		createDriver: () => watchDriver(dialect.createDriver(), onError),
		createIntrospector: (db) => dialect.createIntrospector(db),
		createQueryCompiler: () => dialect.createQueryCompiler(),
	};
}

function watchDriver(driver: Driver, onError: OnError): Driver {
	const watched = new WeakSet<DatabaseConnection>();
	const report = (error: unknown): never => {
		onError(error);
		throw error;
	};
	const acquire = driver.acquireConnection.bind(driver);
	driver.acquireConnection = async () => {
		const connection = await waitForStore(acquire, {
			atMostMs: ACQUIRE_TIMEOUT_MS,
			onLate: (late) => driver.releaseConnection(late),
		}).catch(report);
		// As Kysely does for its log. A driver may use a connection object again.
		if (!watched.has(connection)) {
			watched.add(connection);
			const execute = connection.executeQuery.bind(connection);
			connection.executeQuery = (query) => execute<never>(query).catch(report);
		}
		return connection;
	};
	const { beginTransaction, commitTransaction } = driver;
	driver.beginTransaction = (...input) => beginTransaction.apply(driver, input).catch(report);
	driver.commitTransaction = (...input) => commitTransaction.apply(driver, input).catch(report);
	return driver;
}
