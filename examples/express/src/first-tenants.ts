// Creates two tenants, if there are none yet.
import { auth } from "./auth.js";

const tenants = await auth.api.listTenants({ query: { limit: 1 } });
if (tenants.length === 0) {
	await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	await auth.api.createTenant({ body: { name: "Globex", slug: "globex" } });
}
process.exit();
