// Creates the tables, or changes them after a change of the options.
import { getMigrations } from "better-auth/db/migration";
// Not ./auth: Better Auth would complain about missing tables.
import { options } from "./options";

await (await getMigrations(options)).runMigrations();
process.exit();
