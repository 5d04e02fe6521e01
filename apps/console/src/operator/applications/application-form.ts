import type { Application, ApplicationSettings, ApplicationType } from "../api/applications";
import { TYPES } from "./application-types";

/** How an application on a server proves that it is the one. */
export type Authentication = "secret" | "keys" | "published-keys";

/** The values of the form. A list of URLs is a text with one URL per line. */
export type ApplicationValues = {
	type: ApplicationType;
	name: string;
	logoUrl: string;
	redirectUris: string;
	postLogoutRedirectUris: string;
	/** Empty for none. */
	backchannelLogoutUri: string;
	backchannelLogoutSessionRequired: boolean;
	/** `null`: nobody has typed any, so a single-page app gets those of its redirect URIs. */
	allowedOrigins: string | null;
	/** `null`: everything that the type can use. */
	scopes: string[] | null;
	firstParty: boolean;
	requirePkce: boolean;
	deviceFlow: boolean;
	dpop: boolean;
	/** `null`: nobody has chosen, so the type decides. */
	offlineAccess: boolean | null;
	/** A number of days; empty for the limit of the service. */
	refreshDays: string;
	/** Numbers of minutes; empty for the limits of the service. */
	accessTokenMinutes: string;
	idTokenMinutes: string;
	claimsInIdToken: boolean;
	authentication: Authentication;
	/** JSON. */
	jwks: string;
	jwksUri: string;
	/** One claim per line: `name = source`. */
	claims: string;
};

export const newApplicationValues: ApplicationValues = {
	type: "web",
	name: "",
	logoUrl: "",
	redirectUris: "",
	postLogoutRedirectUris: "",
	backchannelLogoutUri: "",
	backchannelLogoutSessionRequired: true,
	allowedOrigins: null,
	scopes: null,
	firstParty: false,
	requirePkce: true,
	deviceFlow: false,
	dpop: false,
	offlineAccess: null,
	refreshDays: "",
	accessTokenMinutes: "",
	idTokenMinutes: "",
	claimsInIdToken: true,
	authentication: "secret",
	jwks: "",
	jwksUri: "",
	claims: "",
};

export const toApplicationValues = (application: Application): ApplicationValues => ({
	type: application.type,
	name: application.name,
	logoUrl: application.logoUrl ?? "",
	redirectUris: application.redirectUris.join("\n"),
	postLogoutRedirectUris: application.postLogoutRedirectUris.join("\n"),
	backchannelLogoutUri: application.backchannelLogoutUri ?? "",
	backchannelLogoutSessionRequired: application.backchannelLogoutSessionRequired,
	allowedOrigins: application.allowedOrigins.join("\n"),
	scopes: application.scopes,
	firstParty: application.firstParty,
	requirePkce: application.requirePkce,
	deviceFlow: application.deviceFlow,
	dpop: application.dpop,
	offlineAccess: application.offlineAccess,
	refreshDays: String(application.refreshDays ?? ""),
	accessTokenMinutes: String(application.accessTokenMinutes ?? ""),
	idTokenMinutes: String(application.idTokenMinutes ?? ""),
	claimsInIdToken: application.claimsInIdToken,
	authentication: application.jwks ? "keys" : application.jwksUri ? "published-keys" : "secret",
	jwks: application.jwks ? JSON.stringify(application.jwks, null, 2) : "",
	jwksUri: application.jwksUri ?? "",
	claims: Object.entries(application.claims)
		.map((claim) => claim.join(" = "))
		.join("\n"),
});

const linesOf = (text: string): string[] => [
	...new Set(
		text
			.split("\n")
			.map((line) => line.trim())
			.filter(Boolean),
	),
];

/** The name may be a URL with `=` in it, the source has none. */
function parseClaim(line: string): [name: string, source: string] {
	const at = line.lastIndexOf("=");
	return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** What the field for origins shows. */
export function shownOrigins({ type, allowedOrigins, redirectUris }: ApplicationValues): string {
	if (allowedOrigins !== null) return allowedOrigins;
	if (type !== "spa") return "";
	const origins = linesOf(redirectUris).flatMap(
		(uri) => /^https?:\/\/[^/?#]+/.exec(uri)?.[0] ?? [],
	);
	return [...new Set(origins)].join("\n");
}

/** What the switch for it shows. */
export const shownOfflineAccess = ({ type, offlineAccess }: ApplicationValues): boolean =>
	offlineAccess ?? type === "native";

/** A page in a browser does not need it, and a program without users has nobody to ask. */
export const canUseDeviceFlow = (type: ApplicationType): boolean =>
	type === "web" || type === "native";

const numberOf = (text: string): number | null => (text === "" ? null : Number(text));

/** What the service stores. `scopes` is `null` for everything that the type can use. */
export function toSettings(
	values: ApplicationValues,
): Omit<ApplicationSettings, "scopes"> & { scopes: string[] | null } {
	const { hasUsers, hasSecret } = TYPES[values.type];
	const authentication = hasSecret ? values.authentication : "secret";
	const uris = (text: string) => (hasUsers ? linesOf(text) : []);
	return {
		name: values.name.trim(),
		logoUrl: values.logoUrl.trim() || null,
		redirectUris: uris(values.redirectUris),
		postLogoutRedirectUris: uris(values.postLogoutRedirectUris),
		backchannelLogoutUri: (hasUsers && values.backchannelLogoutUri.trim()) || null,
		backchannelLogoutSessionRequired: values.backchannelLogoutSessionRequired,
		// Browsers show an origin with a slash.
		allowedOrigins: uris(shownOrigins(values)).map((origin) => origin.replace(/\/$/, "")),
		scopes: values.scopes,
		firstParty: hasUsers && values.firstParty,
		requirePkce: values.type === "web" ? values.requirePkce : true,
		deviceFlow: canUseDeviceFlow(values.type) && values.deviceFlow,
		dpop: values.dpop,
		offlineAccess: hasUsers && shownOfflineAccess(values),
		refreshDays: hasUsers ? numberOf(values.refreshDays) : null,
		accessTokenMinutes: numberOf(values.accessTokenMinutes),
		idTokenMinutes: hasUsers ? numberOf(values.idTokenMinutes) : null,
		claimsInIdToken: values.claimsInIdToken,
		jwks: authentication === "keys" ? parseKeys(values.jwks) : null,
		jwksUri: authentication === "published-keys" ? values.jwksUri.trim() : null,
		claims: Object.fromEntries(linesOf(values.claims).map(parseClaim)),
	};
}

type Problems = Partial<
	Record<
		| "logoUrl"
		| "redirectUris"
		| "postLogoutRedirectUris"
		| "backchannelLogoutUri"
		| "allowedOrigins"
		| "scopes"
		| "jwks"
		| "jwksUri"
		| "claims",
		string
	>
>;

/** Problems with what was typed. A missing name or redirect URI is not one yet. */
export function findApplicationProblems(values: ApplicationValues): Problems {
	const settings = toSettings(values);
	const isNative = values.type === "native";
	const found: Problems = {
		logoUrl:
			settings.logoUrl && !settings.logoUrl.startsWith("https://") ? "Use an https URL." : "",
		redirectUris: firstProblem(settings.redirectUris, (uri) => findUriProblem(uri, isNative)),
		postLogoutRedirectUris: firstProblem(settings.postLogoutRedirectUris, (uri) =>
			findUriProblem(uri, isNative),
		),
		backchannelLogoutUri: findTargetProblem(settings.backchannelLogoutUri),
		allowedOrigins: firstProblem(settings.allowedOrigins, findOriginProblem),
		scopes: settings.scopes?.length === 0 ? "Choose at least one scope." : "",
		jwks:
			values.authentication === "keys" && values.jwks !== "" && settings.jwks === null
				? 'This is not JSON such as { "keys": [ … ] }.'
				: "",
		jwksUri: findTargetProblem(settings.jwksUri || null),
		claims: firstProblem(linesOf(values.claims), findClaimProblem),
	};
	return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem));
}

/** What the type needs and nobody has entered yet. `null` if nothing is missing. */
export function findMissing(values: ApplicationValues): string | null {
	const { name, redirectUris, jwksUri, deviceFlow } = toSettings(values);
	const needsUri = redirectUris.length === 0 && TYPES[values.type].hasUsers && !deviceFlow;
	if (name === "")
		return needsUri ? "Enter a name and a redirect URI first." : "Enter a name first.";
	if (needsUri) return "Enter a redirect URI first.";
	if (TYPES[values.type].hasSecret && values.authentication === "keys" && values.jwks === "")
		return "Enter the keys first.";
	return jwksUri === "" ? "Enter the URL of the keys first." : null;
}

const firstProblem = (lines: string[], find: (line: string) => string | null): string =>
	lines.map((line) => ({ line, problem: find(line) })).find(({ problem }) => problem)?.problem ??
	"";

/** In a URL of an application of all tenants, it stands for the slug. The service checks where it is. */
const PLACEHOLDER = "{tenant}";
const filled = (text: string) => text.replace(PLACEHOLDER, "slug");

function parseWebUrl(text: string): URL | null {
	if (!URL.canParse(text)) return null;
	const url = new URL(text);
	return /^https?:$/.test(url.protocol) ? url : null;
}

function findUriProblem(text: string, isNative: boolean): string | null {
	if (!URL.canParse(filled(text))) return `“${text}” is not a URL.`;
	if (text.includes("#")) return `“${text}” must not have a fragment (#).`;
	const url = parseWebUrl(filled(text));
	if (!url) {
		return isNative
			? null
			: `“${text}” must start with https://. Only mobile and desktop apps can have schemes of their own.`;
	}
	return findHttpProblem(text, url);
}

/** The service knows which keys it can use. */
function parseKeys(text: string): ApplicationSettings["jwks"] {
	try {
		const value = JSON.parse(text) as NonNullable<ApplicationSettings["jwks"]>;
		return Array.isArray(value?.keys) ? { keys: value.keys } : null;
	} catch {
		return null;
	}
}

/** The service decides which hosts it calls. */
function findTargetProblem(text: string | null): string {
	if (text === null) return "";
	if (!parseWebUrl(filled(text))) return `“${text}” is not a URL such as https://app.example.com.`;
	return text.includes("#") ? `“${text}” must not have a fragment (#).` : "";
}

function findOriginProblem(text: string): string | null {
	const url = parseWebUrl(filled(text));
	if (!url) return `“${text}” is not an origin such as https://app.example.com.`;
	if (url.origin !== filled(text)) return `An origin has no path: use “${url.origin}”.`;
	return findHttpProblem(text, url);
}

/** The service knows which names and sources it allows. */
function findClaimProblem(line: string): string | null {
	const [name, source] = parseClaim(line);
	return name && source
		? null
		: `“${line}” needs a name and a source, such as department = user.metadata.department.`;
}

const isThisComputer = (host: string) =>
	/^(.*\.)?localhost$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(host);

const findHttpProblem = (text: string, { protocol, hostname }: URL): string | null =>
	protocol === "http:" && !isThisComputer(hostname)
		? `“${text}” must start with https://. Only localhost can have http.`
		: null;
