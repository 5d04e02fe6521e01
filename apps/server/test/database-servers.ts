import { services } from "../../../testing/services";
import { mysqlDatabase, postgresDatabase } from "./temporary-database";

const { postgres = "", mysql = "" } = services;

/** The database servers that the service supports. Each may be missing on this machine. */
export const databaseServers = [
	{
		name: "PostgreSQL",
		isMissing: !postgres,
		createDatabase: () => postgresDatabase(postgres),
	},
	{
		name: "MariaDB",
		isMissing: !mysql,
		createDatabase: () => mysqlDatabase(mysql),
	},
];
