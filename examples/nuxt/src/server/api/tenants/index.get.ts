import { auth } from "../../../auth";

export default defineEventHandler(async () => {
	const tenants = await auth.api.listTenants({});
	return tenants.map(({ name, slug }) => ({ name, slug }));
});
