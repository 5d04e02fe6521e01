import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Tenant } from "better-auth-tenant";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { type PagesParts, pages } from "../src/pages/pages";
import { hostsBelow } from "../src/settings/service-config";
import { runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const template = '<meta name="tenant-slug" content="{{tenant-slug}}" data-base="{{tenant-base}}">';
const fullTemplate = `${template}<meta content="{{callback-url}}"><meta content="{{suspended-tenant}}">`;
const script = "export const answer = 42;".repeat(100);

/** A minimal build of the pages. */
function builtPages(tenantPage = template): string {
	const directory = temporaryDirectory();
	mkdirSync(join(directory, "assets"));
	writeFileSync(join(directory, "console.html"), "the console");
	writeFileSync(join(directory, "tenant.html"), tenantPage);
	writeFileSync(join(directory, "admin.html"), `the pages of administrators ${template}`);
	writeFileSync(join(directory, "assets/main-abc.js"), script);
	writeFileSync(join(directory, "assets/main-abc.js.br"), brotliCompressSync(script));
	writeFileSync(join(directory, "assets/without-brotli.js"), script);
	return directory;
}

const times = { createdAt: new Date(0), updatedAt: new Date(0) };
const branding = { supportEmail: "help@lumen.example" };

const ICONS: Record<string, object> = {
	"with-icon": { faviconUrl: 'https://cdn.example/$&/{{callback-url}}"?a=1&b' },
	"with-bad-icon": { faviconUrl: "javascript:alert(1)" },
};

/** Every slug has a tenant, apart from these. */
async function findTenant(slug: string): Promise<Tenant | null> {
	if (slug === "nobody") return null;
	if (slug === "outage") throw new Error("The database does not answer");
	const metadata = { branding: { ...branding, ...ICONS[slug] } };
	const tenant = { id: slug, slug, name: `<${slug}> "&"`, metadata, ...times };
	return slug === "suspended" ? { ...tenant, suspendedAt: new Date(0) } : tenant;
}

const isTrustedTarget = async (url: string) => url.startsWith("https://app.example.com/");

function serve({
	tenantDomain = null as string | null,
	directory = builtPages(),
	baseUrl = "https://auth.example.com",
	hasAdminPages = true,
	captcha = null as PagesParts["captcha"],
	sendsCodes = false,
} = {}) {
	const hosts = tenantDomain ? hostsBelow(tenantDomain, baseUrl) : null;
	const findServiceInfo = hasAdminPages ? async () => ({ baseUrl }) : null;
	const app = pages({
		tenantHosts: hosts,
		findTenant,
		isTrustedTarget,
		hasSaml: async (tenantId) => tenantId === "with-saml",
		findServiceInfo,
		findAdminRights: async () => null,
		captcha,
		sendsCodes,
		logoOrigin: "https://auth.example.com",
		directory,
	});
	return (path: string, init?: RequestInit) =>
		app.request(path.startsWith("/") ? `${baseUrl}${path}` : path, init);
}

test("a page of a tenant knows whether the tenant has SAML", async () => {
	const open = serve({ directory: builtPages('<meta name="saml" content="{{saml}}">') });
	const textOf = async (path: string) => (await open(path)).text();
	expect(await textOf("/t/with-saml/sign-in")).toContain('content="yes"');
	expect(await textOf("/t/acme/sign-in")).toContain('content=""');
	expect(await textOf("/t/nobody/sign-in")).toContain('content=""');
});

test("a page runs no inline script, loads nothing from other origins, and cannot be framed", async () => {
	const get = serve();
	for (const path of ["/console", "/t/acme"]) {
		const { headers } = await get(path);
		expect(headers.get("content-security-policy")).toBe(
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		);
		expect(headers.get("x-frame-options")).toBe("DENY");
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("referrer-policy")).toBe("no-referrer");
		expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
		expect(headers.get("cache-control")).toBe("no-cache");
	}
});

const withCaptcha = {
	turnstile:
		"default-src 'none'; script-src 'self' https://challenges.cloudflare.com; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src https://challenges.cloudflare.com",
	hcaptcha:
		"default-src 'none'; script-src 'self' https://hcaptcha.com https://*.hcaptcha.com; style-src 'self' https://hcaptcha.com https://*.hcaptcha.com; img-src 'self' data: https:; connect-src 'self' https://hcaptcha.com https://*.hcaptcha.com; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src https://hcaptcha.com https://*.hcaptcha.com",
	recaptcha:
		"default-src 'none'; script-src 'self' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/; style-src 'self'; img-src 'self' data: https:; connect-src 'self' https://www.google.com/recaptcha/; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/; style-src-attr 'unsafe-inline'",
};

test.each(["turnstile", "hcaptcha", "recaptcha"] as const)(
	"with a captcha of %s, a tenant's page may load what it needs, and other pages may not",
	async (provider) => {
		const settings = { provider, siteKey: "site-key", secretKey: "the secret" };
		const directory = builtPages('<meta name="captcha" content="{{captcha}}">');
		const get = serve({ captcha: settings, directory });
		const page = await get("/t/acme/sign-in");
		expect(page.headers.get("content-security-policy")).toBe(withCaptcha[provider]);
		expect(await page.text()).toBe(
			`<meta name="captcha" content="{&quot;provider&quot;:&quot;${provider}&quot;,&quot;siteKey&quot;:&quot;site-key&quot;}">`,
		);
		for (const path of ["/console", "/t/acme/admin"]) {
			const other = await get(path);
			expect(other.headers.get("content-security-policy")).toContain("script-src 'self';");
		}
		// The page that asks the server again needs it later.
		expect(await (await get("/t/outage/sign-in")).text()).toContain("site-key");
	},
);

test("a page knows whether the service sends codes by email", async () => {
	const directory = builtPages('<meta content="{{email-codes}}">');
	const textOf = async (sendsCodes: boolean) =>
		(await serve({ directory, sendsCodes })("/t/acme/two-factor")).text();
	expect(await textOf(true)).toBe('<meta content="yes">');
	expect(await textOf(false)).toBe('<meta content="">');
});

test("without a captcha, a page names none", async () => {
	const get = serve({ directory: builtPages('<meta name="captcha" content="{{captcha}}">') });
	expect(await (await get("/t/acme/sign-in")).text()).toBe('<meta name="captcha" content="">');
});

test.each(["/t/acme", "/t/acme/", "/t/acme/sign-in", "/t/acme/verify/done"])(
	"%s contains its tenant and its base path",
	async (path) => {
		const response = await serve()(path);
		expect(response.status).toBe(200);
		expect(await response.text()).toBe(
			'<meta name="tenant-slug" content="acme" data-base="/t/acme">',
		);
	},
);

test.each(["/t/acme/admin", "/t/acme/admin/", "/t/acme/admin/users/x"])(
	"%s is a page of the tenant's administrators",
	async (path) => {
		const response = await serve()(path, { headers: { "accept-language": "de" } });
		expect(response.status).toBe(200);
		expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
		expect(await response.text()).toBe(
			'the pages of administrators <meta name="tenant-slug" content="acme" data-base="/t/acme">',
		);
	},
);

test("the pages of administrators can be turned off", async () => {
	const get = serve({ hasAdminPages: false });
	for (const path of ["/t/acme/admin", "/t/acme/admin/users"]) {
		const response = await get(path);
		expect(response.status).toBe(404);
		expect(await response.text()).not.toContain("administrators");
	}
});

test.each([
	["/t/nobody/admin", 404],
	["/t/suspended/admin", 403],
	["/t/outage/admin", 503],
	["/t/acme/administrators", 404],
])("the status of %s is %i", async (path, status) => {
	expect((await serve()(path)).status).toBe(status);
});

test("an unknown page is a 404 with the tenant's page", async () => {
	const response = await serve()("/t/acme/nowhere");
	expect(response.status).toBe(404);
	expect(await response.text()).toContain('content="acme"');
});

test.each(["/t/%22%3E%3Cscript%3E", "/t/ACME", "/t/-a", "/t/a%00b", "/t/$&"])(
	"an impossible slug is not written into the page: %s",
	async (path) => {
		expect(await (await serve()(path)).text()).toBe(
			'<meta name="tenant-slug" content="" data-base="">',
		);
	},
);

describe("the status and the data of a tenant's page", () => {
	const get = (path: string) => serve({ directory: builtPages(fullTemplate) })(path);

	test("say that a tenant is unknown, without its name", async () => {
		const response = await get("/t/nobody/sign-in");
		expect(response.status).toBe(404);
		expect(await response.text()).toContain('<meta content=""><meta content="">');
	});

	test("say that a tenant is suspended, with its name and branding", async () => {
		const response = await get("/t/suspended/sign-in");
		expect(response.status).toBe(403);
		expect(await response.text()).toContain(
			"{&quot;name&quot;:&quot;&lt;suspended&gt; \\&quot;&amp;\\&quot;&quot;,&quot;branding&quot;:{&quot;supportEmail&quot;:&quot;help@lumen.example&quot;}}",
		);
	});

	test("contain a trusted callbackURL, and no other one", async () => {
		const query = (url: string) => new URLSearchParams({ callbackURL: url });
		const trusted = await get(`/t/acme/sign-in?${query('https://app.example.com/?a=1&b="2')}`);
		expect(trusted.status).toBe(200);
		expect(await trusted.text()).toContain(
			'<meta content="https://app.example.com/?a=1&amp;b=&quot;2">',
		);
		const other = await get(`/t/acme/sign-in?${query("https://evil.example/")}`);
		expect(other.status).toBe(400);
		expect(await other.text()).not.toContain("evil");
	});

	test("ask to come back later if the database does not answer", async () => {
		const response = await get("/t/outage");
		expect(response.status).toBe(503);
		expect(response.headers.get("retry-after")).toBe("5");
		expect(await response.text()).toContain('content="outage"');
	});
});

describe("the icon of a tenant's pages", () => {
	const ownIcon = '<link rel="icon" href="/assets/icon-abc.svg" type="image/svg+xml" />';
	const withIcon = `${ownIcon}<meta content="{{callback-url}}">`;
	const get = (path: string) => serve({ directory: builtPages(withIcon) })(path);
	const textOf = async (path: string) => (await get(path)).text();

	test("is that of its branding, without a script", async () => {
		expect(await textOf("/t/with-icon/sign-in")).toContain(
			'<link rel="icon" href="https://cdn.example/$&amp;/{{callback-url}}&quot;?a=1&amp;b" />',
		);
	});

	test("contains no value of the page: the tenant chooses its URL", async () => {
		const target = "https://app.example.com/secret";
		const page = await textOf(`/t/with-icon/sign-in?callbackURL=${encodeURIComponent(target)}`);
		expect(page.split(target)).toHaveLength(2);
		expect(page).toContain(`<meta content="${target}">`);
	});

	test.each(["/t/acme/sign-in", "/t/nobody", "/t/with-bad-icon", "/error", "/t/outage"])(
		"is that of the service at %s",
		async (path) => {
			expect(await textOf(path)).toContain(ownIcon);
		},
	);
});

describe("the language of a page", () => {
	const get = (headers: Record<string, string>, query = "") =>
		serve({ directory: builtPages('<html lang="en">') })(`/t/acme/sign-in${query}`, { headers });

	test("is the one that the user chose, before those of the app and the browser", async () => {
		const cookie = "tenant-auth-language=ja";
		const response = await get({ cookie, "accept-language": "de" }, "?ui_locales=fr");
		expect(await response.text()).toBe('<html lang="ja" dir="ltr">');
		expect(response.headers.get("content-language")).toBe("ja");
		expect(response.headers.get("vary")).toBe("accept, accept-language, cookie");
	});

	test("is never a text of the cookie", async () => {
		const cookie = 'tenant-auth-language="><script>';
		expect(await (await get({ cookie })).text()).toBe('<html lang="en" dir="ltr">');
	});
});

test("the error page of the service names no tenant", async () => {
	const response = await serve()("/error?error=state_not_found");
	expect(response.status).toBe(200);
	expect(await response.text()).toBe('<meta name="tenant-slug" content="" data-base="">');
});

test("all paths of the console have the same page", async () => {
	const get = serve();
	for (const path of ["/console", "/console/tenants", "/console/tenants/1/users"]) {
		expect(await (await get(path)).text()).toBe("the console");
	}
});

describe("assets", () => {
	test("can be cached forever, and are compressed if the client accepts it", async () => {
		const get = serve();
		const plain = await get("/assets/main-abc.js");
		expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
		expect(plain.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
		expect(plain.headers.get("vary")).toBe("accept-encoding");
		expect(await plain.text()).toBe(script);
		expect(plain.headers.get("content-encoding")).toBeNull();
		const decompress = { br: brotliDecompressSync, gzip: gunzipSync };
		for (const encoding of ["br", "gzip"] as const) {
			const headers = { "accept-encoding": encoding };
			const compressed = await get("/assets/main-abc.js", { headers });
			expect(compressed.headers.get("content-encoding")).toBe(encoding);
			expect(compressed.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
			expect(compressed.headers.get("vary")).toBe("accept-encoding");
			const bytes = Buffer.from(await compressed.arrayBuffer());
			expect(bytes.length).toBeLessThan(script.length / 5);
			expect(decompress[encoding](bytes).toString()).toBe(script);
		}
	});

	test.each([
		["gzip, deflate, br, zstd", "br"],
		["gzip, br;q=0.5", "gzip"],
		["br;q=0.5, gzip;q=0.9", "gzip"],
		["br;q=0, gzip", "gzip"],
		["br;q=0, gzip;q=0", null],
		["*", "br"],
		["*;q=0.1, gzip;q=0.5", "gzip"],
		["br;q=0, *", "gzip"],
		["identity", null],
		["", null],
		["BR", "br"],
		["gzipped, brotli", null],
		[";;,,=q", null],
	])("with Accept-Encoding %j are sent as %s", async (accepted, encoding) => {
		const headers = { "accept-encoding": accepted };
		const response = await serve()("/assets/main-abc.js", { headers });
		expect(response.headers.get("content-encoding")).toBe(encoding);
	});

	test("are sent with gzip if the build has no Brotli file", async () => {
		const headers = { "accept-encoding": "br, gzip;q=0.1" };
		const response = await serve()("/assets/without-brotli.js", { headers });
		expect(response.headers.get("content-encoding")).toBe("gzip");
	});

	test("have an ETag for each coding, and are not sent again to a client that has them", async () => {
		const get = serve();
		const ask = (encoding: string, tag = "") =>
			get("/assets/main-abc.js", {
				headers: { "accept-encoding": encoding, "if-none-match": tag },
			});
		const tags = await Promise.all(
			["br", "gzip", ""].map(async (one) => (await ask(one)).headers.get("etag") ?? ""),
		);
		expect(new Set(tags).size).toBe(3);
		const [ofBrotli = ""] = tags;
		const known = await ask("br", `"x", ${ofBrotli}`);
		expect([known.status, await known.text()]).toEqual([304, ""]);
		expect(known.headers.get("vary")).toBe("accept-encoding");
		expect((await ask("gzip", ofBrotli)).status).toBe(200);
	});

	test.each([
		"/assets/nothing.js",
		"/assets/main-abc.js.br",
		"/assets/..%2fconsole.html",
		"/assets/%2e%2e/console.html",
		"/assets/",
	])("%s is not found", async (path) => {
		expect((await serve()(path)).status).toBe(404);
	});
});

describe("what belongs to no tenant", () => {
	const person = {
		headers: { accept: "text/html,application/xhtml+xml", "accept-language": "de" },
	};
	const ofService = '<meta name="tenant-slug" content="" data-base="">';

	test("is a page for a browser", async () => {
		const get = serve();
		const statuses = {
			"/": 200,
			"/?error=INVALID_TOKEN": 200,
			"/nowhere": 404,
			"/assets/x.js": 404,
		};
		for (const [path, status] of notEmpty(Object.entries(statuses))) {
			const response = await get(path, person);
			expect([path, response.status]).toEqual([path, status]);
			expect(response.headers.get("content-language")).toBe("de");
			expect(response.headers.get("vary")).toBe("accept, accept-language, cookie");
			expect(await response.text()).toBe(ofService);
		}
	});

	test.each(["/api/nowhere", "/api", "/service/nowhere"])("is no page below %s", async (path) => {
		const response = await serve()(path, person);
		expect([response.status, await response.text()]).toEqual([404, "404 Not Found"]);
	});

	test("is no page for a program, for another method, or without a build", async () => {
		const post = { ...person, method: "POST" };
		for (const path of ["/", "/nowhere"]) {
			expect(await (await serve()(path)).text()).toBe("404 Not Found");
			expect(await (await serve()(path, post)).text()).toBe("404 Not Found");
			const notBuilt = serve({ directory: temporaryDirectory() });
			expect(await (await notBuilt(path, person)).text()).toBe("404 Not Found");
		}
	});

	test("is the tenant's page on the tenant's host, and no page on a host of nobody", async () => {
		const get = serve({ tenantDomain: "example.com" });
		const own = await get("https://acme.example.com/nowhere", person);
		expect(own.status).toBe(404);
		expect(await own.text()).toContain('content="acme"');
		const others = await get("https://a.b.example.com/nowhere", person);
		expect([others.status, await others.text()]).toEqual([404, "404 Not Found"]);
	});
});

describe("with TENANT_DOMAIN", () => {
	test("the host of a tenant has the tenant's pages at its root", async () => {
		const get = serve({ tenantDomain: "example.com" });
		for (const path of ["/", "/sign-in", "/verify/done"]) {
			const response = await get(`https://acme.example.com${path}`);
			expect(response.status).toBe(200);
			expect(await response.text()).toBe('<meta name="tenant-slug" content="acme" data-base="">');
		}
	});

	test.each(["/console", "/console/tenants", "/t/acme", "/t/globex/sign-in", "/nowhere"])(
		"the host of a tenant has no %s",
		async (path) => {
			const get = serve({ tenantDomain: "example.com" });
			expect((await get(`https://acme.example.com${path}`)).status).toBe(404);
		},
	);

	test.each([
		["/t/acme", "https://acme.example.com/"],
		["/t/acme/sign-in?callbackURL=%2Fhome", "https://acme.example.com/sign-in?callbackURL=%2Fhome"],
		["/t/acme//evil.example", "https://acme.example.com//evil.example"],
		["/t/acme/@evil.example", "https://acme.example.com/@evil.example"],
		["/t/acme/%61?token=%2e", "https://acme.example.com/%61?token=%2e"],
		["/t/acme/..%2f..", "https://acme.example.com/..%2f.."],
		["/t/acme\\evil.example", "https://acme.example.com/evil.example"],
	])("on the server's own host, %s redirects to the tenant's host", async (path, url) => {
		const response = await serve({ tenantDomain: "example.com" })(path);
		expect(response.status).toBe(302);
		expect(response.headers.get("location")).toBe(url);
	});

	test("the redirect keeps the port of the server", async () => {
		const get = serve({ tenantDomain: "example.com", baseUrl: "https://auth.example.com:844" });
		const response = await get("/t/acme/account");
		expect(response.headers.get("location")).toBe("https://acme.example.com:844/account");
		expect((await get("/t/%6133/account")).headers.get("location")).toBeNull();
	});

	test.each([
		"/t/auth",
		"/t/ACME",
		"/t/",
		"/t//evil.example",
		"/t/%61%62pany/new-password?token=secret",
		"/t/%61cme",
		"/%74/acme",
		"/t/evil.example",
		"/t/evil.example%2f",
		"/t/acme%2eevil.example",
		"/t/acme%2fevil.example",
		"/t/acme%5cevil.example",
		"/t/acme%3a8443",
		"/t/acme:8443",
		"/t/a%40evil.example",
		"/t/a@evil.example",
		"/t/acme%23",
		"/t/acme%3f",
		"/t/acme%00",
	])("%s is not found, because no tenant can have this slug", async (path) => {
		const response = await serve({ tenantDomain: "example.com" })(path);
		expect(response.status).toBe(404);
		expect(response.headers.get("location")).toBeNull();
	});

	test("invalid Punycode is a host or not found, as Node's URL parser decides", async () => {
		const response = await serve({ tenantDomain: "example.com" })("/t/xn--a");
		const isHost = URL.canParse("https://xn--a.example.com");
		expect([response.status, response.headers.get("location")]).toEqual(
			isHost ? [302, "https://xn--a.example.com/"] : [404, null],
		);
	});

	test("the server's own host has no tenant page at its root", async () => {
		expect((await serve({ tenantDomain: "example.com" })("/sign-in")).status).toBe(404);
	});
});

test("pages that are not built get a 503 with instructions", async () => {
	const get = serve({ directory: temporaryDirectory() });
	for (const path of ["/console", "/t/acme"]) {
		const response = await get(path);
		expect(response.status).toBe(503);
		expect(await response.text()).toBe(
			"The pages of this server are not built. Run `npm run build`.",
		);
	}
	expect((await get("/assets/main.js")).status).toBe(404);
});

test("the service has pages and endpoints", async () => {
	const { call } = await runningService();
	expect((await call("/console")).status).not.toBe(404);
	expect((await call("/t/acme")).headers.get("content-type")).not.toContain("json");
	expect(await (await call("/")).text()).toContain("/api/auth");
	expect(await (await call("/assets/nothing.js")).json()).toMatchObject({ code: "NOT_FOUND" });
});
