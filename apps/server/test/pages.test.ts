import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pages } from "../src/pages/pages";
import { hostsBelow } from "../src/settings/service-config";
import { runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const template = '<meta name="tenant-slug" content="{{tenant-slug}}" data-base="{{tenant-base}}">';
const script = "export const answer = 42;".repeat(100);

/** A minimal build of the pages. */
function builtPages(): string {
	const directory = temporaryDirectory();
	mkdirSync(join(directory, "assets"));
	writeFileSync(join(directory, "console.html"), "the console");
	writeFileSync(join(directory, "tenant.html"), template);
	writeFileSync(join(directory, "assets/main-abc.js"), script);
	return directory;
}

function serve({
	tenantDomain = null as string | null,
	directory = builtPages(),
	baseUrl = "https://auth.example.com",
} = {}) {
	const hosts = tenantDomain ? hostsBelow(tenantDomain, baseUrl) : null;
	const app = pages({ tenantHosts: hosts }, directory);
	return (path: string, init?: RequestInit) =>
		app.request(path.startsWith("/") ? `${baseUrl}${path}` : path, init);
}

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
		const gzipped = await get("/assets/main-abc.js", {
			headers: { "accept-encoding": "br, gzip" },
		});
		expect(gzipped.headers.get("content-encoding")).toBe("gzip");
		expect((await gzipped.arrayBuffer()).byteLength).toBeLessThan(script.length / 5);
	});

	test.each([
		"/assets/nothing.js",
		"/assets/..%2fconsole.html",
		"/assets/%2e%2e/console.html",
		"/assets/",
	])("%s is not found", async (path) => {
		expect((await serve()(path)).status).toBe(404);
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
	expect((await call("/t/acme")).status).not.toBe(404);
	expect(await (await call("/")).text()).toContain("/api/auth");
	expect(await (await call("/assets/nothing.js")).json()).toMatchObject({ code: "NOT_FOUND" });
});
