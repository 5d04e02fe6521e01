// Runs the migrations in the folder `drizzle` that the database does not have yet.
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { db } from "./database.js";

await migrate(db, { migrationsFolder: "drizzle" });
process.exit();
