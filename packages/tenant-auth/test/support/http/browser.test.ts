import { describe, expect, it } from "vitest";
import { type App, Browser } from "./browser";
import { CookieJar } from "./cookie-jar";

function stored(address: string, ...lines: string[]): CookieJar {
	const jar = new CookieJar();
	const headers = lines.map((line): [string, string] => ["set-cookie", line]);
	jar.store(new URL(address), new Response(null, { headers }));
	return jar;
}

const names = (jar: CookieJar, address: string) => jar.list(address).map(({ name }) => name);

describe("the cookie jar", () => {
	it("keeps Lax cookies out of a cross-site POST and Strict ones out of everything cross-site", () => {
		const jar = stored(
			"https://app.example.com/",
			"lax=1; SameSite=Lax",
			"unsaid=1",
			"strict=1; SameSite=Strict",
			"none=1; SameSite=None; Secure",
		);
		const url = new URL("https://app.example.com/");
		expect(jar.header(url, { crossSite: false, method: "POST" })).toBe(
			"lax=1; unsaid=1; strict=1; none=1",
		);
		expect(jar.header(url, { crossSite: true, method: "GET" })).toBe("lax=1; unsaid=1; none=1");
		expect(jar.header(url, { crossSite: true, method: "POST" })).toBe("none=1");
	});

	it("refuses Secure over http, None without Secure, and prefixes that are not earned", () => {
		expect(names(stored("http://localhost/", "a=1; Secure"), "https://localhost/")).toEqual([]);
		expect(names(stored("https://a.test/", "a=1; SameSite=None"), "https://a.test/")).toEqual([]);
		expect(names(stored("https://a.test/", "__Secure-a=1"), "https://a.test/")).toEqual([]);
		const host = "__Host-a=1; Secure; Path=/; Domain=a.test";
		expect(names(stored("https://a.test/", host), "https://a.test/")).toEqual([]);
	});

	it("sends a cookie to its host and path, and to hosts below its domain only", () => {
		const jar = stored(
			"https://app.example.com/auth/start",
			"own=1; Path=/",
			"shared=1; Path=/; Domain=example.com",
			"deep=1; Path=/auth",
			"foreign=1; Path=/; Domain=other.com",
		);
		expect(names(jar, "https://app.example.com/auth/x")).toEqual(["own", "shared", "deep"]);
		expect(names(jar, "https://app.example.com/authority")).toEqual(["own", "shared"]);
		expect(names(jar, "https://www.example.com/")).toEqual(["shared"]);
		expect(names(jar, "https://other.com/")).toEqual([]);
	});

	it("forgets what has expired", () => {
		const past = new Date(0).toUTCString();
		const jar = stored("https://a.test/", "a=1", "b=1", "c=1; Max-Age=60", `d=1; Expires=${past}`);
		const headers = { "set-cookie": "a=; Max-Age=0" };
		jar.store(new URL("https://a.test/"), new Response(null, { headers }));
		expect(names(jar, "https://a.test/")).toEqual(["b", "c"]);
	});
});

describe("the browser", () => {
	const origin = "https://app.example.com";

	function answering(answer: (request: Request) => Response): { app: App; seen: Request[] } {
		const seen: Request[] = [];
		const handler = async (request: Request) => {
			seen.push(request);
			return answer(request);
		};
		return { app: { baseURL: `${origin}/api/auth`, handler }, seen };
	}

	it("stops at pages of the app outside its authentication and at foreign hosts", async () => {
		for (const end of [`${origin}/home`, `${origin}/api/authors`, "https://evil.example/"]) {
			const { app, seen } = answering(() => Response.redirect(end));
			const visit = await new Browser(app).follow(`${origin}/api/auth/go`);
			expect(visit).toMatchObject({ url: new URL(end), status: null });
			expect(seen).toHaveLength(1);
		}
	});

	it("does not send a script's headers or cookies of another browser", async () => {
		const { app, seen } = answering(
			() => new Response(null, { headers: { "set-cookie": "mine=1; Path=/" } }),
		);
		const browser = new Browser(app);
		await browser.fetch("/a", { body: {}, headers: { "x-tenant-id": "one" } });
		await browser.follow(`${origin}/api/auth/b`);
		await new Browser(app).follow(`${origin}/api/auth/c`);
		const told = seen.map(({ headers }) => [headers.get("x-tenant-id"), headers.get("cookie")]);
		expect(told).toEqual([
			["one", null],
			[null, "mine=1"],
			[null, null],
		]);
	});

	it("sends a form that posts itself, then follows the answer with GET", async () => {
		const form = `<form method="post" action="/api/auth/land"><input name="a" value="&quot;1&quot;"></form>
			<script>document.forms[0].submit()</script>`;
		const { app, seen } = answering((request) => {
			if (request.method === "POST") return Response.redirect(`${origin}/api/auth/end`);
			const isStart = request.url.endsWith("/start");
			return new Response(isStart ? form : "", { headers: { "content-type": "text/html" } });
		});
		const visit = await new Browser(app).follow(`${origin}/api/auth/start`);
		expect(seen.map(({ method }) => method)).toEqual(["GET", "POST", "GET"]);
		expect(await seen[1]?.text()).toBe("a=%221%22");
		expect(visit).toMatchObject({ url: new URL(`${origin}/api/auth/end`), status: 200 });
	});
});
