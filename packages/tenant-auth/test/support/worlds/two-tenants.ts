import { makeMemoryStorage } from "../databases/memory-storage";
import { type InstanceOptions, makeInstance, ORIGIN } from "./instance";

/** The order of the plugins. */
export const orders: [string, () => Pick<InstanceOptions, "pluginsFirst">][] = [
	["listed after tenantAuth", () => ({})],
	["listed before tenantAuth", () => ({ pluginsFirst: true })],
];

/** Where verification values are stored, and with them most codes and links. */
export const stores: [string, () => InstanceOptions][] = [
	["in the database", () => ({})],
	["in secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
	[
		"in secondary storage and the database",
		() => ({ secondaryStorage: makeMemoryStorage(), verification: { storeInDatabase: true } }),
	],
	["hashed", () => ({ verification: { storeIdentifier: "hashed" } })],
];

/** An instance with two tenants without users. */
export async function makeTwoTenants(options: InstanceOptions = {}) {
	const instance = await makeInstance(options);
	const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
	/** The session of a browser with this cookie, if the request names this tenant or none. */
	const sessionOf = async (cookie: string, tenant?: string) =>
		(await instance.call("/get-session", { cookie, ...(tenant ? { tenant } : {}) })).body;
	const pathOf = (url: string) => url.slice(`${ORIGIN}/api/auth`.length);
	return { ...instance, a, b, sessionOf, pathOf };
}

/** Two tenants, each with a user. Both users have the same email and password. */
export async function makeTwoUsers(options: InstanceOptions = {}) {
	const app = await makeTwoTenants(options);
	const [ada, bob] = [await app.signUp(app.a), await app.signUp(app.b)];
	return { ...app, ada, bob };
}
