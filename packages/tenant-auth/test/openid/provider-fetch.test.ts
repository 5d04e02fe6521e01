import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { fetchFromProvider, findProviderUrlProblem } from "../../src/features/openid";

const seen: string[] = [];

beforeEach(() => {
	seen.length = 0;
});

/** A server on loopback. */
async function running(): Promise<string> {
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		seen.push(`${request.url} ${request.headers.accept}${body && ` ${request.method} ${body}`}`);
		if (request.url === "/slow") return;
		if (request.url === "/redirect") response.writeHead(302, { location: "/" });
		response.end("<x/>");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(async () => {
		server.closeAllConnections();
		server.close();
		await once(server, "close");
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("reads a document of a private host only if that is allowed", async () => {
	const url = `${await running()}/metadata?a=1`;
	const accept = "text/xml";
	await expect(fetchFromProvider(url, { accept, allowPrivate: false })).rejects.toThrow();
	expect(seen).toEqual([]);
	const found = await fetchFromProvider(url, { accept, allowPrivate: true });
	expect([found.status, found.body]).toEqual([200, "<x/>"]);
	expect(found.headers.get("date")).toMatch(/GMT$/);
	expect(seen).toEqual(["/metadata?a=1 text/xml"]);
});

test("never follows a redirect, and has a limit of size", async () => {
	const origin = await running();
	const options = { accept: "*/*", allowPrivate: true } as const;
	await expect(fetchFromProvider(`${origin}/redirect`, options)).rejects.toThrow();
	const found = await fetchFromProvider(`${origin}/redirect`, {
		...options,
		returnsRedirects: true,
	});
	expect(found.status).toBe(302);
	expect(seen).toEqual(["/redirect */*", "/redirect */*"]);
	await expect(fetchFromProvider(origin, { ...options, maxBytes: 3 })).rejects.toThrow();
});

test("sends a form, and waits no longer than it should", async () => {
	const origin = await running();
	const options = { accept: "*/*", allowPrivate: true } as const;
	const form = { logout_token: "a b&c" };
	expect((await fetchFromProvider(`${origin}/form`, { ...options, form })).status).toBe(200);
	expect(seen).toEqual(["/form */* POST logout_token=a+b%26c"]);
	const slow = fetchFromProvider(`${origin}/slow`, { ...options, form, timeout: 50 });
	await expect(slow).rejects.toThrow("No response within 50 ms");
	const refused = fetchFromProvider(`${origin}/private`, { ...options, form, allowPrivate: false });
	await expect(refused).rejects.toThrow();
	expect(seen.filter((line) => line.startsWith("/private"))).toEqual([]);
});

test("says what is wrong with a URL", () => {
	expect(findProviderUrlProblem("https://idp.example.com/metadata?a=1", false)).toBeNull();
	expect(findProviderUrlProblem("http://localhost/metadata", true)).toBeNull();
	expect(findProviderUrlProblem("http://idp.example.com/", false)).toBe("must be an https URL");
	expect(findProviderUrlProblem("https://a:b@idp.example.com/", true)).toContain("credentials");
	expect(findProviderUrlProblem("https://10.0.0.1/", false)).toContain("private");
	expect(findProviderUrlProblem("idp", true)).toBe("is not valid");
});
