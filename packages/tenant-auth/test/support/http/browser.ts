import type { Person } from "../providers/identity-provider";
import { isReachable } from "../providers/identity-provider/provider-hosts";
import { CookieJar } from "./cookie-jar";
import { findForm, type HtmlForm } from "./html-form";

/** The app under test. It needs no server: the browser passes requests for its URL to the handler. */
export interface App {
	/** With the base path, e.g. `http://localhost:3000/api/auth`. */
	baseURL: string;
	handler(request: Request): Promise<Response>;
	/** Other origins that the app serves. */
	otherOrigins?: readonly string[];
}

/** What the person does on the pages of the provider. */
export interface Behavior {
	/** Who logs in. Without it, the browser stops at the login page. */
	as?: Pick<Person, "email" | "password">;
	/** @default "allow" */
	consent?: "allow" | "deny";
	/** Called with each URL before it is loaded. `true` stops the browser there. */
	until?(url: URL): boolean;
}

/** Where the browser stopped. */
export interface Visit {
	/** The callback URL, an error page, or a page that waits for input. */
	url: URL;
	/** The status of the page at `url`, or `null` if it is outside and was not loaded. */
	status: number | null;
	page: string;
	/** All URLs, including the last one. */
	visited: URL[];
}

interface Navigation {
	url: URL;
	method: string;
	body?: URLSearchParams;
	/** The origins of this navigation: the first page, and each page that redirected. */
	chain: string[];
}

interface ScriptRequest {
	method?: string;
	body?: unknown;
	headers?: Record<string, string>;
}

const maximumSteps = 25;

/** A browser with its own cookies. */
export class Browser {
	readonly cookies = new CookieJar();
	readonly #app: App;
	readonly #base: URL;

	constructor(app: App) {
		this.#app = app;
		this.#base = new URL(app.baseURL);
	}

	/** Sends a request as a script on a page of the app. `path` is relative to the base URL. */
	async fetch(path: string, { method, body, headers }: ScriptRequest = {}): Promise<Response> {
		const url = new URL(this.#base.href.replace(/\/$/, "") + path);
		const verb = method ?? (body === undefined ? "GET" : "POST");
		const sent = new Headers({
			"sec-fetch-site": "same-origin",
			"sec-fetch-mode": "cors",
			"sec-fetch-dest": "empty",
			...headers,
		});
		if (verb !== "GET") sent.set("origin", this.#base.origin);
		if (body !== undefined) sent.set("content-type", "application/json");
		const cookie = this.cookies.header(url, { crossSite: false, method: verb });
		if (cookie) sent.set("cookie", cookie);
		const init = {
			method: verb,
			headers: sent,
			body: body === undefined ? null : JSON.stringify(body),
		};
		const response = await this.#app.handler(new Request(url, init));
		this.cookies.store(url, response);
		return response;
	}

	/** Opens a URL from a page of the app, and follows redirects and forms to the end. */
	async follow(target: string | URL, behavior: Behavior = {}): Promise<Visit> {
		const visited: URL[] = [];
		let next: Navigation = { url: new URL(target), method: "GET", chain: [this.#base.origin] };
		for (let step = 0; step < maximumSteps; step += 1) {
			const { url } = next;
			visited.push(url);
			if (this.#isOutside(url) || behavior.until?.(url)) {
				return { url, status: null, page: "", visited };
			}
			const response = await this.#load(next);
			const page = await response.text();
			const onward = redirectOf(response, next) ?? submissionOf(response, page, next, behavior);
			if (!onward) return { url, status: response.status, page, visited };
			next = onward;
		}
		throw new Error(`Too many redirects: ${visited.map((url) => url.href).join(" → ")}`);
	}

	#isOurs(url: URL): boolean {
		return [this.#base.origin, ...(this.#app.otherOrigins ?? [])].includes(url.origin);
	}

	/** Other pages of the app, and hosts without a server in this test. */
	#isOutside(url: URL): boolean {
		if (this.#isOurs(url)) return !`${url.pathname}/`.startsWith(`${this.#base.pathname}/`);
		return !isReachable(url.hostname);
	}

	async #load({ url, method, body, chain }: Navigation): Promise<Response> {
		const crossSite = chain.some((origin) => site(new URL(origin)) !== site(url));
		const headers = new Headers({
			accept: "text/html",
			"sec-fetch-site": fetchSite(chain, url, crossSite),
			"sec-fetch-mode": "navigate",
			"sec-fetch-dest": "document",
		});
		// After a redirect to another origin, a browser sends no origin with a POST.
		if (method === "POST")
			headers.set("origin", new Set(chain).size === 1 ? String(chain[0]) : "null");
		const cookie = this.cookies.header(url, { crossSite, method });
		if (cookie) headers.set("cookie", cookie);
		const init: RequestInit = { method, headers, body: body ?? null, redirect: "manual" };
		const response = this.#isOurs(url)
			? await this.#app.handler(new Request(url, init))
			: await fetch(url, init);
		this.cookies.store(url, response);
		return response;
	}
}

function redirectOf(response: Response, from: Navigation): Navigation | null {
	const location = response.headers.get("location");
	if (response.status < 300 || response.status > 399 || !location) return null;
	const chain = [...from.chain, from.url.origin];
	const url = new URL(location, from.url);
	const keepsMethod = response.status === 307 || response.status === 308;
	return keepsMethod ? { ...from, url, chain } : { url, method: "GET", chain };
}

function submissionOf(
	response: Response,
	page: string,
	from: Navigation,
	behavior: Behavior,
): Navigation | null {
	const isPage = response.headers.get("content-type")?.includes("text/html");
	const form = isPage ? findForm(page) : null;
	// A login page with status 401 has rejected the password.
	if (!form || response.status === 401 || !fill(form, behavior)) return null;
	const url = new URL(form.action || from.url, from.url);
	return { url, method: form.method, body: form.fields, chain: [from.url.origin] };
}

/** Tells whether the person or the page submits the form. */
function fill({ fields, sendsItself }: HtmlForm, { as, consent = "allow" }: Behavior): boolean {
	if (fields.has("password")) {
		if (!as) return false;
		fields.set("login", as.email);
		fields.set("password", as.password);
		return true;
	}
	if (fields.has("decision")) {
		fields.set("decision", consent);
		return true;
	}
	return sendsItself;
}

function fetchSite(chain: readonly string[], url: URL, crossSite: boolean): string {
	if (crossSite) return "cross-site";
	return chain.every((origin) => origin === url.origin) ? "same-origin" : "same-site";
}

/** Scheme and registrable domain, without the port. */
function site(url: URL): string {
	const isName = !/^[\d.]+$/.test(url.hostname) && !url.hostname.startsWith("[");
	const domain = isName ? url.hostname.split(".").slice(-2).join(".") : url.hostname;
	return `${url.protocol}//${domain}`;
}
