import { type Instance, type InstanceOptions, makeInstance } from "./instance";

/** An app with one tenant. */
export async function makeDomainApp(options: InstanceOptions = {}) {
	const app = await makeInstance(options);
	return { ...app, tenantId: await app.makeTenant() };
}

/** Adds a domain to the tenant of the app, and does not verify it. */
export const addUnverified = (
	{ manage, tenantId }: Pick<Instance, "manage"> & { tenantId: string },
	host: string,
	purpose = "login",
) => manage("/tenant/domain/add", { body: { tenantId, host, purpose } });
