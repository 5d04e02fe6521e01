// Creates the tables, and two tenants at the first start.
import { getMigrations } from "better-auth/db/migration";
import { auth, options } from "./auth";

await (await getMigrations(options)).runMigrations();

const tenants = await auth.api.listTenants({ query: { limit: 1 } });
if (tenants.length === 0) {
	await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	await auth.api.createTenant({ body: { name: "Globex", slug: "globex" } });
}
process.exit();
