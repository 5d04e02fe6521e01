import { services } from "../../../../../testing/services";
import { type OpenDatabase, openMysql, openPostgres, openSqlite } from "./databases";

type Open = () => Promise<OpenDatabase>;

const { postgres, mysql } = services;

/**
 * The databases of this run: SQLite, and in `npm run test:all` PostgreSQL and MariaDB if their URLs are
 * set. The end of a run says which of them it used: it finds suites by `on PostgreSQL` in their title.
 *
 * @example
 * describe.each(eachDatabase)("webhooks on %s", (_, open) => { … });
 */
export const eachDatabase: [name: string, open: Open][] = [
	["SQLite", openSqlite],
	...(postgres ? [["PostgreSQL", () => openPostgres(postgres)] as [string, Open]] : []),
	...(mysql ? [["MariaDB", () => openMysql(mysql)] as [string, Open]] : []),
];
