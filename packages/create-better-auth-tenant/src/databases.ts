export interface DatabaseKind {
	label: string;
	/** Packages that its `src/database.ts` imports, or whose types it needs. */
	packages: string[];
	/** Only for servers. SQLite is a file of the app. */
	server?: {
		/** Where a server that was just installed usually is. */
		url: (name: string) => string;
		/** A statement that creates the database. */
		create: (name: string) => string;
	};
}

/** The database of the templates is SQLite. For the others, `databases` has the file that replaces it. */
export const DATABASES = {
	sqlite: { label: "SQLite", packages: ["kysely", "libsql"] },
	postgres: {
		label: "PostgreSQL",
		packages: ["pg", "@types/pg"],
		server: {
			url: (name) => `postgres://postgres@localhost:5432/${name}`,
			create: (name) => `create database ${name}`,
		},
	},
	mysql: {
		label: "MySQL or MariaDB",
		packages: ["mysql2"],
		server: {
			url: (name) => `mysql://root@localhost:3306/${name}`,
			// With another collation, José and Jose would be the same.
			create: (name) => `create database ${name} character set utf8mb4 collate utf8mb4_bin`,
		},
	},
} satisfies Record<string, DatabaseKind>;

export type Database = keyof typeof DATABASES;

/** A name that needs no quotes in SQL. */
export const databaseName = (app: string) =>
	app.replaceAll(/[^a-z\d]+/g, "_").replace(/^(?=\d)|^$/, "app_");
