import { type InstanceOptions, makeInstance, ORIGIN } from "./instance";
import { makeMemoryStorage } from "./memory-storage";

/** The address that has a user in both tenants. */
export const SAME = "same@example.com";
export const PASSWORD = "correct horse battery";

/** Where other plugins may stand in the host's list. */
export const orders: [string, Pick<InstanceOptions, "pluginsFirst">][] = [
	["listed after tenantAuth", {}],
	["listed before tenantAuth", { pluginsFirst: true }],
];

/** Where verification values, and with them most codes and links, may be kept. */
export const stores: [string, () => InstanceOptions][] = [
	["in the database", () => ({})],
	["in a secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
	[
		"in a secondary storage and the database",
		() => ({ secondaryStorage: makeMemoryStorage(), verification: { storeInDatabase: true } }),
	],
	["hashed", () => ({ verification: { storeIdentifier: "hashed" } })],
];

/** An instance with two empty tenants. */
export async function makeTwoTenants(options: InstanceOptions = {}) {
	const instance = await makeInstance(options);
	const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
	const signIn = (tenantId: string, cookie = "", password = PASSWORD) =>
		instance.call("/tenant/sign-in/email", { cookie, body: { tenantId, email: SAME, password } });
	/** The session that a browser with this cookie has, in the tenant that it names, if any. */
	const sessionOf = async (cookie: string, tenant?: string) =>
		(await instance.call("/get-session", { cookie, ...(tenant ? { tenant } : {}) })).body;
	const pathOf = (url: string) => url.slice(`${ORIGIN}/api/auth`.length);
	return { ...instance, a, b, signIn, sessionOf, pathOf };
}

/** Two tenants, each with a user of the same address and password. */
export async function makeTwoUsers(options: InstanceOptions = {}) {
	const app = await makeTwoTenants(options);
	const [ada, bob] = [
		await app.signUp(app.a, SAME, PASSWORD),
		await app.signUp(app.b, SAME, PASSWORD),
	];
	return { ...app, ada, bob };
}
