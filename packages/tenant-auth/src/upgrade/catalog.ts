import type { Connection, DatabaseType, HostDatabase } from "./host-database";
import { mysqlCatalog } from "./mysql-catalog";
import { postgresCatalog } from "./postgres-catalog";
import { sqliteCatalog } from "./sqlite-catalog";

export interface TableIndex {
	name: string;
	unique: boolean;
	/** `null` for an expression. */
	columns: (string | null)[];
	/** Whether it has a condition. */
	partial: boolean;
	/** Whether it came with a constraint of the table and goes with it only. */
	ofConstraint: boolean;
	/** The statement that made it, where the database keeps one. */
	definition: string;
}

export interface Column {
	name: string;
	/** Whether it is too long for an index, as MySQL's `text` is. */
	isUnbounded: boolean;
	/** Everything of the column's definition behind its type, on MySQL. */
	attributes: string;
}

/** What a live database holds. Names are physical ones. */
export interface Catalog {
	type: DatabaseType;
	/** A table's name as it stands in a statement. */
	table(name: string): string;
	quote(name: string): string;
	/** None for a table that is not there. */
	columnsOf(table: string): Promise<Column[]>;
	/** Without the primary key's. */
	indexesOf(table: string): Promise<TableIndex[]>;
	/** The tables with a foreign key to the column. */
	referrersOf(table: string, column: string): Promise<string[]>;
}

const CATALOGS = { sqlite: sqliteCatalog, postgres: postgresCatalog, mysql: mysqlCatalog };

export function openCatalog(database: HostDatabase, connection: Connection): Promise<Catalog> {
	return CATALOGS[database.type](connection, database.schemaName);
}
