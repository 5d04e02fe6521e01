import { type TenantAuthOptions, type TenantHostsOptions, tenantHosts } from "better-auth-tenant";
import type { OpenDatabase } from "../databases/databases";
import { Browser } from "../http/browser";
import type { IdentityProvider } from "../providers/identity-provider";
import { cheapPasswords } from "./cheap-passwords";
import {
	EMAIL,
	type Instance,
	type InstanceOptions,
	makeInstance,
	ORIGIN,
	PASSWORD,
} from "./instance";
import { askSocialSignIn, hostProvider } from "./social-app";

export const ACME = "http://login.acme.example:3000";
export const GLOBEX = "http://login.globex.example:3000";
export const PENDING = "http://login.pending.example:3000";

export const user = { name: "Ada", email: EMAIL, password: PASSWORD };
export const credentials = { email: EMAIL, password: PASSWORD };

export const hostOf = (origin: string) => new URL(origin).hostname;
export const callbackAt = (origin: string) => `${origin}/api/auth/tenant/callback/gitlab`;

export const customDomainHosts = (
	customDomains: TenantHostsOptions["customDomains"] = { appProviders: true },
) => tenantHosts({ domain: "localhost:3000", customDomains });

/** The tenants acme and globex have a verified domain and a user each. Acme has a pending domain too. */
export async function makeTwoCustomDomains(
	{ db, type, pool }: OpenDatabase,
	gitlab: IdentityProvider,
) {
	const links: string[] = [];
	const client = await gitlab.addClient({ redirectURIs: [callbackAt(ORIGIN)] });
	const send = async ({ url }: { url: string }) => void links.push(url);
	const app = await makeInstance({
		on: { db, type, ...(pool ? { pool } : {}) },
		tenants: { hosts: customDomainHosts(), allowPrivateProviderHosts: true },
		emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
		emailVerification: { sendVerificationEmail: send },
		socialProviders: hostProvider("gitlab", gitlab, client),
		account: { accountLinking: { enabled: true } },
	});
	const at = (origin: string, path: string, given: Parameters<Instance["call"]>[1] = {}) =>
		app.call(`${origin}/api/auth${path}`, {
			...given,
			headers: { ...(given.cookie ? { origin } : {}), ...given.headers },
		});
	const acme = await app.makeTenant("acme");
	const globex = await app.makeTenant("globex");
	await app.addDomain(acme, hostOf(ACME));
	await app.addDomain(globex, hostOf(GLOBEX));
	const body = { tenantId: acme, host: hostOf(PENDING), purpose: "login" };
	await app.manage("/tenant/domain/add", { body });
	for (const origin of [ACME, GLOBEX]) await at(origin, "/tenant/sign-up/email", { body: user });
	return { app, acme, globex, links, at };
}

interface AppOptions
	extends Pick<
		InstanceOptions,
		"account" | "invitations" | "secondaryStorage" | "plugins" | "pluginsFirst"
	> {
	tenants?: TenantAuthOptions;
}

/** A tenant with a verified domain, and a browser there. */
export async function makeCustomDomain(
	gitlab: IdentityProvider,
	{ tenants, ...options }: AppOptions = {},
) {
	const client = await gitlab.addClient({ redirectURIs: [callbackAt(ORIGIN), callbackAt(ACME)] });
	const app = await makeInstance({
		...options,
		tenants: { hosts: customDomainHosts(), ...tenants },
		socialProviders: hostProvider("gitlab", gitlab, client),
	});
	const tenantId = await app.makeTenant("acme");
	await app.addDomain(tenantId, hostOf(ACME));
	const browser = new Browser({
		baseURL: `${ACME}/api/auth`,
		handler: app.auth.handler,
		otherOrigins: [ORIGIN],
	});
	const begin = async () => {
		const body = { provider: "gitlab", callbackURL: "/home" };
		const response = await askSocialSignIn(browser, body);
		return ((await response.json()) as { url: string }).url;
	};
	return { ...app, tenantId, browser, begin };
}
