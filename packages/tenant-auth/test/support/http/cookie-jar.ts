interface Cookie {
	name: string;
	value: string;
	host: string;
	hostOnly: boolean;
	path: string;
	secure: boolean;
	httpOnly: boolean;
	sameSite: "strict" | "lax" | "none";
	expiresAt: number;
}

/** What decides whether a SameSite cookie travels with a request. */
export interface RequestKind {
	crossSite: boolean;
	method: string;
}

/** A browser's cookies, by the rules of RFC 6265bis as far as a sign-in can break on them. */
export class CookieJar {
	#cookies: Cookie[] = [];

	/** @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-20#section-5.7 */
	store(url: URL, response: Response): void {
		for (const line of response.headers.getSetCookie()) {
			const cookie = parseCookie(url, line);
			if (!cookie || !isAcceptable(url, cookie)) continue;
			this.#cookies = this.#cookies.filter((old) => !isSameCookie(old, cookie));
			if (cookie.expiresAt > Date.now()) this.#cookies.push(cookie);
		}
	}

	/** The value of the `Cookie` header, or `null` when no cookie travels. */
	header(url: URL, { crossSite, method }: RequestKind): string | null {
		const safe = method === "GET" || method === "HEAD";
		const traveling = this.#at(url).filter((cookie) => {
			if (!crossSite || cookie.sameSite === "none") return true;
			return cookie.sameSite === "lax" && safe;
		});
		return traveling.length
			? traveling.map(({ name, value }) => `${name}=${value}`).join("; ")
			: null;
	}

	/** Everything that a same-site request to this address would carry. */
	list(url: URL | string): { name: string; value: string }[] {
		return this.#at(new URL(url)).map(({ name, value }) => ({ name, value }));
	}

	#at(url: URL): Cookie[] {
		return this.#cookies.filter(
			(cookie) =>
				cookie.expiresAt > Date.now() &&
				(cookie.hostOnly ? url.hostname === cookie.host : isUnder(url.hostname, cookie.host)) &&
				isOnPath(url.pathname, cookie.path) &&
				(!cookie.secure || url.protocol === "https:"),
		);
	}
}

function parseCookie(url: URL, line: string): Cookie | null {
	const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
	const equals = pair.indexOf("=");
	if (equals < 1) return null;
	const given = new Map<string, string>();
	for (const attribute of attributes) {
		const [key = "", ...value] = attribute.split("=");
		given.set(key.toLowerCase(), value.join("="));
	}
	const domain = given.get("domain")?.replace(/^\./, "").toLowerCase();
	const path = given.get("path");
	const sameSite = given.get("samesite")?.toLowerCase();
	return {
		name: pair.slice(0, equals),
		value: pair.slice(equals + 1),
		host: domain || url.hostname,
		hostOnly: !domain,
		path: path?.startsWith("/") ? path : defaultPath(url),
		secure: given.has("secure"),
		httpOnly: given.has("httponly"),
		// Browsers treat a missing attribute as Lax.
		sameSite: sameSite === "strict" || sameSite === "none" ? sameSite : "lax",
		expiresAt: expiry(given.get("max-age"), given.get("expires")),
	};
}

function expiry(maxAge: string | undefined, expires: string | undefined): number {
	if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Date.now() + Number(maxAge) * 1000;
	const date = expires === undefined ? Number.NaN : Date.parse(expires);
	return Number.isNaN(date) ? Number.POSITIVE_INFINITY : date;
}

function isAcceptable(url: URL, cookie: Cookie): boolean {
	if (!isUnder(url.hostname, cookie.host)) return false;
	if (cookie.secure && url.protocol !== "https:") return false;
	if (cookie.sameSite === "none" && !cookie.secure) return false;
	if (cookie.name.startsWith("__Secure-")) return cookie.secure;
	if (cookie.name.startsWith("__Host-"))
		return cookie.secure && cookie.hostOnly && cookie.path === "/";
	return true;
}

function isSameCookie(one: Cookie, other: Cookie): boolean {
	return one.name === other.name && one.host === other.host && one.path === other.path;
}

function isUnder(host: string, parent: string): boolean {
	return host === parent || host.endsWith(`.${parent}`);
}

function isOnPath(path: string, parent: string): boolean {
	return path === parent || path.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}

function defaultPath(url: URL): string {
	return url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf("/")));
}
