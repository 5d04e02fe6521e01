import type { DatabaseConnection, Dialect, Driver } from "kysely";

type Watch = {
	/** Called with each error of the database. */
	onError: (error: unknown) => void;
	/** How long to wait for a connection. The pool of mysql2 would wait forever. */
	acquireTimeoutMs: () => number;
};

/**
 * Reports errors of the database where they occur. Better Auth turns some of them into other errors: a
 * sign-up during an outage would report that the user could not be created.
 */
export function watchedDialect(dialect: Dialect, watch: Watch): Dialect {
	return {
		createAdapter: () => dialect.createAdapter(),
		createDriver: () => watchDriver(dialect.createDriver(), watch),
		createIntrospector: (db) => dialect.createIntrospector(db),
		createQueryCompiler: () => dialect.createQueryCompiler(),
	};
}

function watchDriver(driver: Driver, { onError, acquireTimeoutMs }: Watch): Driver {
	const watched = new WeakSet<DatabaseConnection>();
	const report = (error: unknown): never => {
		onError(error);
		throw error;
	};
	const acquire = driver.acquireConnection.bind(driver);
	driver.acquireConnection = async () => {
		const connection = await withTimeout(acquire(), acquireTimeoutMs(), (late) =>
			driver.releaseConnection(late),
		).catch(report);
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

async function withTimeout<T>(
	work: Promise<T>,
	milliseconds: number,
	onLate: (result: T) => Promise<void>,
): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const timeout = new Promise<"timeout">((resolve) => {
		timer = setTimeout(() => resolve("timeout"), milliseconds);
	});
	const first = await Promise.race([work, timeout]).finally(() => clearTimeout(timer));
	if (first !== "timeout") return first as T;
	work.then(onLate).catch(() => {});
	throw new Error(`No connection to the database in ${milliseconds} ms`);
}
