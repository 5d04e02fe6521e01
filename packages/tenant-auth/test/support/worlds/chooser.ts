import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { Browser } from "../http/browser";
import type { IdentityProvider, Person } from "../providers/identity-provider";
import { callbackAt } from "./custom-domains";
import { type InstanceOptions, makeInstance, ORIGIN } from "./instance";
import { hostProvider } from "./social-app";

const PAGES = {
	callbackURL: "/home",
	errorCallbackURL: "/sign-in",
	newUserCallbackURL: "/welcome",
};

/** A choice as its page gets it. */
export interface Choices {
	email: string;
	tenants: { id: string; name: string; slug: string }[];
	isComplete: boolean;
}

/** An app with one sign-in page for all tenants, and a client at a provider. */
export async function makeChooserApp(
	gitlab: IdentityProvider,
	options: InstanceOptions = {},
	ofProvider: object = {},
) {
	const client = await gitlab.addClient({ redirectURIs: [callbackAt(ORIGIN)] });
	const app = await makeInstance({
		...options,
		tenants: { allowPrivateProviderHosts: true, ...options.tenants },
		socialProviders: {
			gitlab: { ...hostProvider("gitlab", gitlab, client).gitlab, ...ofProvider },
		} as NonNullable<InstanceOptions["socialProviders"]>,
	});
	const { auth, manage, makeTenant } = app;

	const newBrowser = (otherOrigins: string[] = []) =>
		new Browser({ baseURL: `${ORIGIN}/api/auth`, handler: auth.handler, otherOrigins });

	const newPerson = (change: Partial<Person> = {}) =>
		gitlab.addPerson({ email: `${randomUUID()}@example.com`, ...change });

	async function addUser(tenantId: string, { email }: Pick<Person, "email">, emailVerified = true) {
		const body = { tenantId, email, name: "User", emailVerified };
		return auth.api.createTenantUser({ body });
	}

	/** Tenants in each of which the person has a user with this email. */
	async function makeTenantsOf(person: Person, count: number): Promise<string[]> {
		const ids: string[] = [];
		for (let made = 0; made < count; made += 1) {
			const tenantId = await makeTenant();
			await addUser(tenantId, person);
			ids.push(tenantId);
		}
		return ids;
	}

	/** Starts at the app's sign-in page, and returns the URL of the provider. */
	async function start(browser = newBrowser(), body: object = {}) {
		const response = await browser.fetch("/tenant/chooser/start", {
			body: { provider: "gitlab", ...PAGES, ...body },
		});
		const { url }: { url: string } = await response.json();
		expect(response.status).toBe(200);
		return { browser, url };
	}

	/** Signs in at the provider, and goes on as far as the browser gets by itself. */
	async function signIn(person: Person, browser = newBrowser(), body: object = {}) {
		const { url } = await start(browser, body);
		return { browser, ...(await browser.follow(url, { as: person })) };
	}

	/** The same for a person who gets to the chooser page. */
	async function toChooser(person: Person, browser = newBrowser()) {
		const { url } = await signIn(person, browser);
		expect(url.pathname).toBe("/choose-tenant");
		return { browser, token: url.searchParams.get("token") ?? "" };
	}

	async function list(browser: Browser, token: string): Promise<Choices> {
		const response = await browser.fetch(`/tenant/chooser/list?${new URLSearchParams({ token })}`);
		expect(response.status).toBe(200);
		return response.json() as Promise<Choices>;
	}

	const choose = (browser: Browser, token: string, tenantId: string, more: object = {}) =>
		browser.fetch("/tenant/chooser/choose", { body: { token, tenantId, ...more } });

	/** Chooses, and goes on to the end. */
	async function finish(browser: Browser, token: string, tenantId: string) {
		const response = await choose(browser, token, tenantId);
		expect(response.status).toBe(200);
		const { url }: { url: string } = await response.json();
		return browser.follow(url);
	}

	/** The person signs in to the tenant itself, and so has an account there. */
	async function link(tenantId: string, person: Person) {
		const browser = newBrowser();
		const response = await browser.fetch("/tenant/sign-in/social", {
			body: { tenantId, provider: "gitlab", callbackURL: "/home" },
		});
		const { url }: { url: string } = await response.json();
		expect((await browser.follow(url, { as: person })).url.pathname).toBe("/home");
		return browser;
	}

	/** A tenant's own client at the provider. */
	async function addOwnClient(tenantId: string, enabled = true) {
		const own = await gitlab.addClient({ redirectURIs: [callbackAt(ORIGIN)] });
		const answer = await manage("/tenant/oauth-config/register", {
			body: {
				...{ tenantId, providerId: "gitlab", enabled, options: { issuer: gitlab.url } },
				...{ clientId: own.clientId, clientSecret: own.clientSecret },
			},
		});
		expect(answer.status).toBe(200);
	}

	async function setPolicy(tenantId: string, policy: object) {
		const answer = await manage("/tenant/policy/update", { body: { tenantId, ...policy } });
		expect(answer.status).toBe(200);
	}

	return {
		...app,
		...{ newBrowser, newPerson, addUser, makeTenantsOf, start, signIn, toChooser, list, choose },
		...{ finish, link, addOwnClient, setPolicy },
	};
}

export type ChooserApp = Awaited<ReturnType<typeof makeChooserApp>>;

export const errorIn = ({ url }: { url: URL }) => [url.pathname, url.searchParams.get("error")];
