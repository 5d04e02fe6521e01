export interface DatabaseKind {
	label: string;
	/** Packages that its files import, or that its scripts run. */
	packages: string[];
	/** Only for servers. SQLite is a file of the app. */
	server?: {
		label: string;
		/** Where a server that was just installed usually is. */
		url: (name: string) => string;
		/** A statement that creates the database. */
		create: (name: string) => string;
	};
	/** How its tables change later, for the README. The tables of the others follow the options. */
	migrations?: string;
}

const postgres = {
	label: "PostgreSQL",
	url: (name: string) => `postgres://postgres@localhost:5432/${name}`,
	create: (name: string) => `create database ${name}`,
};

/**
 * The database of the templates is SQLite. For each of the others, `databases` has a folder with the files that
 * replace those of a template. A framework whose template has tables of its own can have a second one, such
 * as `drizzle-postgres.hono-react`.
 */
export const DATABASES = {
	sqlite: { label: "SQLite", packages: ["kysely", "libsql"] },
	postgres: {
		label: postgres.label,
		packages: ["pg", "@types/pg"],
		server: postgres,
	},
	mysql: {
		label: "MySQL or MariaDB",
		packages: ["mysql2"],
		server: {
			label: "MySQL or MariaDB",
			url: (name) => `mysql://root@localhost:3306/${name}`,
			// With another collation, José and Jose would be the same.
			create: (name) => `create database ${name} character set utf8mb4 collate utf8mb4_bin`,
		},
	},
	"drizzle-postgres": {
		label: "PostgreSQL with Drizzle",
		packages: ["drizzle-orm", "drizzle-kit", "pg", "@types/pg"],
		server: postgres,
		migrations: `\`npm run migrate\` runs the migrations in the folder \`drizzle\`. After a change of the plugins in \`src/options.ts\`, write the schema and a migration again. The first command needs Node 22 or newer:

\`\`\`sh
npx auth generate --config src/auth.ts --output src/auth-schema.ts --yes
npm run generate
npm run migrate
\`\`\``,
	},
} satisfies Record<string, DatabaseKind>;

export type Database = keyof typeof DATABASES;

/** A name that needs no quotes in SQL. */
export const databaseName = (app: string) =>
	app.replaceAll(/[^a-z\d]+/g, "_").replace(/^(?=\d)|^$/, "app_");
