import type { Application, ApplicationSettings, ApplicationType } from "../api/applications";
import { TYPES } from "./application-types";

/** The values of the form. A list of URLs is a text with one URL per line. */
export type ApplicationValues = {
	type: ApplicationType;
	name: string;
	logoUrl: string;
	redirectUris: string;
	postLogoutRedirectUris: string;
	/** `null`: nobody has typed any, so a single-page app gets those of its redirect URIs. */
	allowedOrigins: string | null;
	/** `null`: everything that the type can use. */
	scopes: string[] | null;
	firstParty: boolean;
	requirePkce: boolean;
	/** `null`: nobody has chosen, so the type decides. */
	offlineAccess: boolean | null;
	/** A number of days; empty for the limit of the service. */
	refreshDays: string;
	claimsInIdToken: boolean;
	/** One claim per line: `name = source`. */
	claims: string;
};

export const newApplicationValues: ApplicationValues = {
	type: "web",
	name: "",
	logoUrl: "",
	redirectUris: "",
	postLogoutRedirectUris: "",
	allowedOrigins: null,
	scopes: null,
	firstParty: false,
	requirePkce: true,
	offlineAccess: null,
	refreshDays: "",
	claimsInIdToken: true,
	claims: "",
};

export const toApplicationValues = (application: Application): ApplicationValues => ({
	type: application.type,
	name: application.name,
	logoUrl: application.logoUrl ?? "",
	redirectUris: application.redirectUris.join("\n"),
	postLogoutRedirectUris: application.postLogoutRedirectUris.join("\n"),
	allowedOrigins: application.allowedOrigins.join("\n"),
	scopes: application.scopes,
	firstParty: application.firstParty,
	requirePkce: application.requirePkce,
	offlineAccess: application.offlineAccess,
	refreshDays: String(application.refreshDays ?? ""),
	claimsInIdToken: application.claimsInIdToken,
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

/** What the service stores. `scopes` is `null` for everything that the type can use. */
export function toSettings(
	values: ApplicationValues,
): Omit<ApplicationSettings, "scopes"> & { scopes: string[] | null } {
	const { hasUsers } = TYPES[values.type];
	const uris = (text: string) => (hasUsers ? linesOf(text) : []);
	return {
		name: values.name.trim(),
		logoUrl: values.logoUrl.trim() || null,
		redirectUris: uris(values.redirectUris),
		postLogoutRedirectUris: uris(values.postLogoutRedirectUris),
		// Browsers show an origin with a slash.
		allowedOrigins: uris(shownOrigins(values)).map((origin) => origin.replace(/\/$/, "")),
		scopes: values.scopes,
		firstParty: hasUsers && values.firstParty,
		requirePkce: values.type === "web" ? values.requirePkce : true,
		offlineAccess: hasUsers && shownOfflineAccess(values),
		refreshDays: hasUsers && values.refreshDays !== "" ? Number(values.refreshDays) : null,
		claimsInIdToken: values.claimsInIdToken,
		claims: Object.fromEntries(linesOf(values.claims).map(parseClaim)),
	};
}

type Problems = Partial<
	Record<
		"logoUrl" | "redirectUris" | "postLogoutRedirectUris" | "allowedOrigins" | "scopes" | "claims",
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
		allowedOrigins: firstProblem(settings.allowedOrigins, findOriginProblem),
		scopes: settings.scopes?.length === 0 ? "Choose at least one scope." : "",
		claims: firstProblem(linesOf(values.claims), findClaimProblem),
	};
	return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem));
}

/** Whether nothing that the type needs is missing. */
export function isComplete(values: ApplicationValues): boolean {
	const { name, redirectUris } = toSettings(values);
	return name !== "" && (redirectUris.length > 0 || !TYPES[values.type].hasUsers);
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
