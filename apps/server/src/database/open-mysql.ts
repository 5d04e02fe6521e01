import { Kysely, MysqlDialect } from "kysely";
import { createPool, type PoolConnection } from "mysql2";

export function openMysql(url: string, poolSize: number): Kysely<unknown> {
	const pool = createPool({
		uri: url,
		connectionLimit: poolSize,
		connectTimeout: 5000,
		// Times are written and read as UTC, wherever the server and this process are.
		timezone: "Z",
		charset: "utf8mb4",
	});
	pool.on("connection", (connection: PoolConnection) => {
		connection.query("set time_zone = '+00:00'");
	});
	return new Kysely({ dialect: new MysqlDialect({ pool }) });
}
