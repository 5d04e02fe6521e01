import { auth } from "../auth";

export const load = async () => {
	const tenants = await auth.api.listTenants({});
	return { tenants: tenants.map(({ name, slug }) => ({ name, slug })) };
};
