import { expect, test } from "vitest";
import { newTenant, runningService } from "./running-service";

const path = "/api/auth/open-api/generate-schema";

test("the OpenAPI document is built once, and is the same afterwards", async () => {
	const { call, backend } = await runningService();
	const first = await call(path);
	backend.auth.handler = () => Promise.reject(new Error("It is built again."));
	const second = await call(path);
	expect(second.status).toBe(200);
	expect(second.headers.get("content-type")).toBe(first.headers.get("content-type"));
	const document = (await second.json()) as { paths: Record<string, unknown> };
	expect(document).toEqual(await first.json());
	const paths = Object.keys(document.paths);
	expect(paths).toContain("/tenant/application/create");
	// Their paths are below the issuer of a tenant.
	expect(paths).not.toContain("/oauth2/token");
	expect(paths).not.toContain("/jwks");
});

test("the OpenAPI document at a tenant's host names that host", async () => {
	const { call, post } = await runningService({
		BETTER_AUTH_URL: "https://auth.example.com",
		TENANT_DOMAIN: "example.com",
	});
	await newTenant(post, "acme");
	const servers = async (host: string) => {
		const { servers } = (await (await call(`https://${host}${path}`)).json()) as {
			servers: { url: string }[];
		};
		return servers.map(({ url }) => url);
	};
	for (let n = 0; n < 2; n += 1) {
		expect(await servers("auth.example.com")).toEqual(["https://auth.example.com/api/auth"]);
		expect(await servers("acme.example.com")).toEqual(["https://acme.example.com/api/auth"]);
	}
	expect((await call(`https://nobody.example.com${path}`)).status).toBe(404);
});
