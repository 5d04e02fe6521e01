import { StartError } from "../start-error";
import { type Read, splitList } from "./environment";

export function readHost(read: Read): string {
	const value = read("HOST") ?? "127.0.0.1";
	if (/^[\w.:%-]+$/.test(value)) return value;
	throw new StartError(
		`HOST must be an address or a host name such as 127.0.0.1 or 0.0.0.0, but it is "${value}".`,
	);
}

/** The origin callers see, such as `https://auth.example.com`. */
export function readBaseUrl(read: Read): string | null {
	const value = read("BETTER_AUTH_URL");
	if (value === null) return null;
	const url = URL.canParse(value) ? new URL(value) : null;
	// Compared as a whole: a path, a query, a fragment or a password would be dropped in silence.
	if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
	throw new StartError(
		"BETTER_AUTH_URL must be an http or https address without a path, such as https://auth.example.com.",
	);
}

const origin = /^https?:\/\/(\*\.)?[\w.-]+(:\d{1,5})?\/?$/i;
/** What the links of an app on a phone begin with. */
const appScheme = /^(?!https?:|javascript:|data:|file:|blob:)[a-z][a-z\d+.-]*:\/\/[\w.-]*$/i;

export function readTrustedOrigins(read: Read): string[] {
	const origins = splitList(read("TRUSTED_ORIGINS"));
	const wrong = origins.find((value) => !origin.test(value) && !appScheme.test(value));
	if (wrong === undefined)
		return origins.map((value) => (origin.test(value) ? bare(value) : value));
	throw new StartError(
		`TRUSTED_ORIGINS must be a comma separated list of addresses without a path, such as https://app.example.com or https://*.example.com, but one is "${wrong}".`,
	);
}

const bare = (value: string) => value.replace(/\/$/, "").toLowerCase();

const label = "[a-z\\d]([a-z\\d-]{0,61}[a-z\\d])?";
const domain = new RegExp(`^${label}(\\.${label})*$`);

export function readTenantDomain(read: Read): string | null {
	const value = read("TENANT_DOMAIN")?.toLowerCase() ?? null;
	if (value === null || (domain.test(value) && !/^[\d.]+$/.test(value))) return value;
	throw new StartError(
		`TENANT_DOMAIN must be a domain without scheme and port, such as example.com, but it is "${value}".`,
	);
}
