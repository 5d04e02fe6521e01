/**
 * The formats of settings. A message completes a sentence that starts with the variable's name.
 */
import { isIP } from "node:net";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { parseRedisUrl } from "./redis-url";

type Message = string | { error: (issue: { input?: unknown }) => string };

/** Appends the wrong value to a message. Not for variables that may hold a secret. */
const showingValue = (message: string, verb = "but it is") => ({
	error: ({ input }: { input?: unknown }) => `${message}, ${verb} "${input}".`,
});

/** @param parse returns null for a wrong text */
const parsedBy = <T>(parse: (text: string) => T | null, message: Message) =>
	z.string().transform((input, ctx) => {
		const value = parse(input);
		if (value !== null) return value;
		const text = typeof message === "string" ? message : message.error({ input });
		ctx.addIssue({ code: "custom", input, message: text });
		return z.NEVER;
	});

const split = (text: string) => text.split(",").map((part) => part.trim());

export const commaSeparated = <T>(item: z.ZodType<T, string>) =>
	z.string().transform(split).pipe(z.array(item));

export const integer = (min: number, max: number) =>
	z
		.string()
		.refine(
			(text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
			showingValue(`must be a number from ${min} to ${max}`),
		)
		.transform(Number);

/** So many requests in so many seconds. */
export type Rate = { max: number; window: number };

/** `null` if there is no limit. */
export const rate = parsedBy((text): { limit: Rate | null } | null => {
	if (text.toLowerCase() === "off") return { limit: null };
	const [, max, window] = /^([1-9]\d{0,6})\/([1-9]\d{0,4})$/.exec(text) ?? [];
	return max && window ? { limit: { max: Number(max), window: Number(window) } } : null;
}, showingValue(
	"must be a number of requests and a number of seconds, such as 100/10, or off",
)).transform(({ limit }) => limit);

export const flag = z.stringbool({
	truthy: ["true", "1", "yes"],
	falsy: ["false", "0", "no"],
	error: "must be true or false.",
});

export const oneOf = <const T extends readonly string[]>(values: T) =>
	z.enum(values, showingValue(`must be one of ${values.join(", ")}`));

function parseUrl(text: string, schemes: string[]): URL | null {
	const url = URL.canParse(text) ? new URL(text) : null;
	return url && schemes.includes(url.protocol) && url.hostname !== "" ? url : null;
}

export const redisUrl = z.string().superRefine((input, ctx) => {
	const parsed = parseRedisUrl(input);
	if (typeof parsed === "string") ctx.addIssue({ code: "custom", input, message: parsed });
});

export const smtpUrl = z
	.string()
	.refine((text) => parseUrl(text, ["smtp:", "smtps:"]), "must be an smtp:// or smtps:// URL.");

export const hostName = z
	.string()
	.regex(
		/^[\w.:%-]+$/,
		showingValue("must be an IP address or a host name such as 127.0.0.1 or 0.0.0.0"),
	);

/** Compares the whole URL: a path, query, fragment or password would be ignored without a warning. */
export const origin = parsedBy((text) => {
	const parsed = parseUrl(text, ["http:", "https:"]);
	return parsed && parsed.href === `${parsed.origin}/` ? parsed.origin : null;
}, "must be an http or https URL without a path, such as https://auth.example.com.");

/** RFC 8707, section 2: an absolute URI without a fragment. */
export const resourceUri = z
	.string()
	.refine(
		(text) => parseUrl(text, ["http:", "https:"]) && !text.includes("#"),
		showingValue("must be a comma-separated list of http or https URLs", "but one is"),
	);

/** RFC 6749, section 3.3. */
export const scope = z
	.string()
	.regex(
		/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/,
		showingValue("must be a comma-separated list of scopes without spaces", "but one is"),
	);

const label = "[a-z\\d]([a-z\\d-]{0,61}[a-z\\d])?";

export const domain = z
	.string()
	.toLowerCase()
	.regex(
		new RegExp(`^(?![\\d.]+$)${label}(\\.${label})*$`),
		showingValue("must be a domain without scheme and port, such as example.com"),
	);

const webOrigin = /^https?:\/\/(\*\.)?[\w.-]+(:\d{1,5})?\/?$/i;
/** What links into a mobile app start with. */
const appScheme = /^(?!https?:|javascript:|data:|file:|blob:)[a-z][a-z\d+.-]*:\/\/[\w.-]*$/i;

export const trustedOrigin = parsedBy(
	(text) => {
		if (webOrigin.test(text)) return text.replace(/\/$/, "").toLowerCase();
		return appScheme.test(text) ? text : null;
	},
	showingValue(
		"must be a comma-separated list of origins without a path, such as https://app.example.com or https://*.example.com",
		"but one is",
	),
);

/** The number of proxies in front of the server, or their IP addresses and ranges. */
export type TrustedProxies = { hops: number } | { addresses: string[] };

export const trustedProxies = parsedBy((text): TrustedProxies | null => {
	if (/^\d$/.test(text)) return { hops: Number(text) };
	const addresses = split(text);
	return addresses.every(isAddressOrRange) ? { addresses } : null;
}, showingValue(
	"must be the number of proxies in front of the server (0 to 9) or a comma-separated list of their IP addresses, such as 10.0.0.0/8",
));

function isAddressOrRange(text: string): boolean {
	const [address = "", prefix, ...rest] = text.split("/");
	const version = isIP(address);
	if (version === 0 || rest.length > 0) return false;
	if (prefix === undefined) return true;
	return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

const MIN_SECRET_LENGTH = 32;

export const secret = z.string().min(MIN_SECRET_LENGTH, {
	error: ({ input }) =>
		`must have at least ${MIN_SECRET_LENGTH} characters, but it has ${String(input).length}.`,
});

/** Secrets of Better Auth, each with the number by which encrypted values refer to it. */
export const versionedSecrets = commaSeparated(
	parsedBy((text) => {
		const [, version, value = ""] = /^(\d{1,9}):\s*(.*)$/.exec(text) ?? [];
		return value.length < MIN_SECRET_LENGTH ? null : { version: Number(version), value };
	}, `must be a comma-separated list such as 2:new,1:old, with secrets of at least ${MIN_SECRET_LENGTH} characters.`),
).refine(
	(secrets) => new Set(secrets.map(({ version }) => version)).size === secrets.length,
	"must not contain a version twice.",
);

/** Visible characters without a space: a bearer token must contain nothing else. */
export const managementKey = z
	.string()
	.regex(/^[!-~]+$/, "must be a comma-separated list of keys without spaces, none of them empty.");

export const userId = z
	.string()
	.regex(/^[!-~]{1,128}$/, "must be a comma-separated list of user ids, none of them empty.");

type DatabaseUrl = { type: "sqlite"; path: string } | { type: "postgres" | "mysql"; url: string };

export const databaseUrl = parsedBy((text): DatabaseUrl | null => {
	if (text.startsWith("file:")) {
		const path = parseFileUrl(text);
		return path === null ? null : { type: "sqlite", path };
	}
	const parsed = parseUrl(text, ["postgres:", "postgresql:", "mysql:"]);
	if (!parsed || parsed.pathname.length < 2) return null;
	// The drivers take a list of hosts for the name of one host, and find nobody there.
	const hosts = [parsed.hostname, parsed.searchParams.get("host") ?? ""];
	if (hosts.some((host) => host.includes(","))) return null;
	return { type: parsed.protocol === "mysql:" ? "mysql" : "postgres", url: text };
}, "must be file: and a path, or a postgres:// or mysql:// URL that names one host and a database.");

/** Also takes a relative path, as in `file:./auth.db`. */
function parseFileUrl(text: string): string | null {
	const path = text.slice("file:".length);
	if (path === "" || path === "/" || /[?#]/.test(path)) return null;
	if (!path.startsWith("//")) return path;
	try {
		return fileURLToPath(text);
	} catch {
		return null;
	}
}

const email = /^[^\s<>@"]+@[^\s<>@"]+$/;
const nameAndEmail = /^[^<>@\r\n]+<([^<>]+)>$/;

export const sender = z
	.string()
	.refine(
		(text) => email.test(nameAndEmail.exec(text)?.[1] ?? text),
		"must be an email address such as login@example.com or Example <login@example.com>.",
	);
