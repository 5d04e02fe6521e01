import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { type TenantAuthOptions, tenantAuth } from "better-auth-tenant";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantOpenId } from "better-auth-tenant/openid";
import type Database from "libsql";
import { type App, Browser } from "../http/browser";
import type { Brand, Client, IdentityProvider } from "../providers/identity-provider";
import { MANAGEMENT_KEY } from "./instance";
import { makePlainApp, type PlainApp } from "./plain-app";

export interface OAuthConfigInput {
	tenantId: string;
	providerId: string;
	clientId: string | string[];
	clientSecret: string;
	scopes?: string[];
	redirectURI?: string;
	enabled?: boolean;
	trustEmails?: string[];
	options?: Record<string, unknown>;
}

export interface SocialSignIn {
	tenantId?: string;
	provider: string;
	callbackURL?: string;
	errorCallbackURL?: string;
	[field: string]: unknown;
}

/** An app whose tenants are managed over HTTP. */
export interface ManagedApp extends App {
	/** The redirect URI that a client of a tenant registers at the provider. Own providers have one per tenant. */
	callbackOf(providerId: string, tenantId?: string): string;
	createTenant(): Promise<string>;
	deleteTenant(tenantId: string): Promise<void>;
	registerConfig(config: OAuthConfigInput): Promise<Record<string, unknown>>;
	deleteConfig(config: { tenantId: string; providerId: string }): Promise<void>;
}

export interface SocialApp extends PlainApp, ManagedApp {
	origin: string;
}

interface SocialAppOptions extends Omit<BetterAuthOptions, "database" | "baseURL"> {
	tenants?: TenantAuthOptions;
	baseURL?: string;
	/** Whether tenants can have identity providers of their own. @default true */
	openId?: boolean;
	/** Plugins before `tenantAuth()`. */
	pluginsBefore?: BetterAuthPlugin[];
	/** The database of another app. */
	sqlite?: Database.Database;
}

let tenantsMade = 0;

/** An app with the plugin, managed over HTTP with a key. */
export async function makeSocialApp(options: SocialAppOptions = {}): Promise<SocialApp> {
	const { tenants, sqlite, plugins = [], pluginsBefore = [], openId = true, ...rest } = options;
	const origin = options.baseURL ?? "https://app.example.com";
	const plugin = tenantAuth({
		managementKeys: [MANAGEMENT_KEY],
		allowPrivateProviderHosts: true,
		...tenants,
	});
	const added = [tenantImports(), ...(openId ? [tenantOpenId()] : []), ...plugins];
	const app = await makePlainApp(
		{ ...rest, baseURL: origin, plugins: [...pluginsBefore, plugin, ...added] },
		sqlite,
	);
	return { ...app, ...manageOverHttp(app), origin };
}

/** Manages an app with a key. */
export function manageOverHttp(app: App): ManagedApp {
	async function manage(path: string, body: unknown): Promise<Record<string, unknown>> {
		const response = await app.handler(
			new Request(`${app.baseURL}/tenant${path}`, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					authorization: `Bearer ${MANAGEMENT_KEY}`,
				},
				body: JSON.stringify(body),
			}),
		);
		const answer = (await response.json()) as Record<string, unknown>;
		if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
		return answer;
	}

	return {
		...app,
		callbackOf: (providerId, tenantId) =>
			`${app.baseURL}/tenant/callback/${tenantId ? `${providerId}:${tenantId}` : providerId}`,
		async createTenant() {
			tenantsMade += 1;
			const slug = `tenant-${tenantsMade}`;
			return String((await manage("/create", { name: slug, slug })).id);
		},
		async deleteTenant(tenantId) {
			await manage("/delete", { tenantId });
		},
		registerConfig: (config) => manage("/oauth-config/register", config),
		async deleteConfig(config) {
			await manage("/oauth-config/delete", config);
		},
	};
}

/** Starts a social sign-in, and returns the response. */
export function askSocialSignIn(
	browser: Browser,
	body: SocialSignIn,
	headers: Record<string, string> = {},
): Promise<Response> {
	return browser.fetch("/tenant/sign-in/social", { body, headers });
}

/** Starts a social sign-in, by default in a new browser. */
export async function beginSocial(app: App, body: SocialSignIn, browser = new Browser(app)) {
	const response = await askSocialSignIn(browser, {
		callbackURL: "/home",
		errorCallbackURL: "/failed",
		...body,
	});
	const answer = (await response.json()) as { url?: string };
	if (!answer.url) throw new Error(`No URL in ${response.status} ${JSON.stringify(answer)}`);
	return { browser, url: answer.url };
}

export interface Session {
	user: { id: string; email: string; name: string; tenantId: string | null };
	session: { id: string; tenantId: string | null };
}

export async function readSession(
	browser: Browser,
	headers: Record<string, string> = {},
): Promise<Session | null> {
	return (await browser.fetch("/get-session", { headers })).json() as Promise<Session | null>;
}

/** The options of an OAuth config for a provider on loopback. */
function optionsFor(brand: Brand, { url }: IdentityProvider): Record<string, unknown> | undefined {
	if (brand === "gitlab") return { issuer: url };
	if (brand === "microsoft") return { authority: url };
	return undefined;
}

/** Settings for `socialProviders`, with a client of the app. */
export function hostProvider(brand: Brand, provider: IdentityProvider, client: Client) {
	const { clientId, clientSecret } = client;
	return { [brand]: { clientId, clientSecret, ...optionsFor(brand, provider) } };
}

/** A tenant with its own client at the provider. */
export async function addTenantAt(
	app: ManagedApp,
	brand: Brand,
	provider: IdentityProvider,
	change: Partial<OAuthConfigInput> = {},
) {
	const tenantId = change.tenantId ?? (await app.createTenant());
	const redirectURIs = [change.redirectURI ?? app.callbackOf(brand)];
	const client = await provider.addClient({ redirectURIs });
	const config: OAuthConfigInput = {
		tenantId,
		providerId: brand,
		clientId: client.clientId,
		clientSecret: client.clientSecret,
		...change,
	};
	const options = change.options ?? optionsFor(brand, provider);
	if (options) config.options = options;
	await app.registerConfig(config);
	return { tenantId, client, config };
}
