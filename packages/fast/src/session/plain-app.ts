import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from "@better-auth/core";
import { sessionReadOf } from "./session-read";

export const PATH = "/get-session";

/** With which values of an option Better Auth only reads the session. `true` stands for all. */
type Known<Options> = {
	[Name in keyof Required<Options>]: true | ((value: NonNullable<Options[Name]>) => boolean);
};

type SessionOptions = NonNullable<BetterAuthOptions["session"]>;
type AdvancedOptions = NonNullable<BetterAuthOptions["advanced"]>;

const off = (value: unknown) => !value;

const SESSION: Known<SessionOptions> = {
	modelName: true,
	fields: true,
	additionalFields: true,
	expiresIn: true,
	updateAge: true,
	freshAge: true,
	disableSessionRefresh: off,
	deferSessionRefresh: off,
	storeSessionInDatabase: true,
	preserveSessionInDatabase: true,
	cookieCache: ({ enabled }) => !enabled,
};

const ADVANCED: Known<AdvancedOptions> = {
	ipAddress: true,
	useSecureCookies: true,
	disableCSRFCheck: true,
	disableOriginCheck: true,
	crossSubDomainCookies: true,
	cookies: true,
	defaultCookieAttributes: true,
	cookiePrefix: true,
	database: true,
	trustedProxyHeaders: true,
	backgroundTasks: true,
	skipTrailingSlashes: true,
};

/** A new option of Better Auth does not compile before it is named here. At run time, it is not known. */
const OPTIONS: Known<BetterAuthOptions> = {
	appName: true,
	baseURL: (url) => typeof url === "string",
	basePath: true,
	secret: true,
	secrets: true,
	database: true,
	secondaryStorage: off,
	emailVerification: true,
	emailAndPassword: true,
	socialProviders: true,
	plugins: (plugins: BetterAuthPlugin[]) => plugins.every(isPlainPlugin),
	user: true,
	session: (options) => isKnown(options, SESSION),
	// Functions of the app run for each request.
	account: ({ accountLinking }) => typeof accountLinking?.trustedProviders !== "function",
	trustedOrigins: (origins) => typeof origins !== "function",
	verification: true,
	rateLimit: true,
	advanced: (options) => isKnown(options, ADVANCED),
	logger: true,
	databaseHooks: true,
	onAPIError: true,
	hooks: ({ before, after }) => !before && !after,
	disabledPaths: (paths) => !paths.includes(PATH),
	telemetry: true,
	experimental: true,
};

/** Whether all options are known, and none of them asks for more than to read the session. */
function isKnown<Options extends object>(options: Options, known: Known<Options>): boolean {
	return Object.entries(options).every(([name, value]) => {
		if (value === undefined || value === null) return true;
		const rule = Object.hasOwn(known, name) ? known[name as keyof Options] : undefined;
		return typeof rule === "function" ? rule(value) : rule === true;
	});
}

/** Plugins whose `init` changes neither the adapters nor what is read. */
const KNOWN_STARTS: ReadonlySet<string> = new Set([
	...["admin", "email-otp", "fast-statements", "generic-oauth", "have-i-been-pwned", "jwt"],
	...["phone-number", "username"],
]);

/** Its hooks are asked for each request. */
function isPlainPlugin(plugin: BetterAuthPlugin): boolean {
	if (sessionReadOf(plugin)) return true;
	const { id, init, onRequest, onResponse, adapter } = plugin;
	return !(onRequest || onResponse || adapter) && (!init || KNOWN_STARTS.has(id));
}

/** Whether the after-hooks of a plugin match the path, and do nothing for a response without cookies. */
export const hasQuietHooks = ({ id, options }: BetterAuthPlugin): boolean =>
	id === "bearer" || (id === "jwt" && options?.disableSettingJwtHeader === true);

/** The router takes endpoints and middlewares from the options that the app passed. */
function keepsEndpoint({ endpoints = {}, middlewares = [] }: BetterAuthPlugin): boolean {
	if (middlewares.length > 0 || "getSession" in endpoints) return false;
	return !Object.values(endpoints).some(({ path }) => path === PATH);
}

/**
 * Whether `GET /get-session` of an app does nothing but read a session and its user from the database, if
 * the session is valid and not due for renewal. It is a list of what is known: with any other option or
 * plugin, Better Auth responds.
 */
export function isPlainApp({ options }: AuthContext, app: BetterAuthOptions): boolean {
	return (
		// It is "" if the base URL is that of the request.
		Boolean(options.baseURL) &&
		isKnown(options, OPTIONS) &&
		(app.plugins ?? []).every(keepsEndpoint)
	);
}

const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/** Whether somebody collects the spans of Better Auth. The direct read has none. */
export function isTraced({ experimental }: BetterAuthOptions): boolean {
	if (experimental?.instrumentation?.enabled === false) return false;
	const registry = (globalThis as { [REGISTRY]?: { trace?: unknown } })[REGISTRY];
	return registry?.trace !== undefined;
}
