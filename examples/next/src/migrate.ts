// Creates the tables, or changes them after a change of the options.
import { getMigrations } from "better-auth/db/migration";
import { options } from "./auth";

await (await getMigrations(options)).runMigrations();
process.exit();
