import { readFileSync } from "node:fs";
import { tenantHosts } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { makeInstance } from "../support/worlds/instance";
import { ownHosts } from "./own-hosts";

const HOST = "https://login.acme.com";

async function makeWorld() {
	const links: string[] = [];
	const app = await makeInstance({
		features: false,
		plugins: [ownHosts()],
		tenants: { hosts: tenantHosts({ domain: "example.com", customDomains: true }) },
		emailAndPassword: {
			enabled: true,
			sendResetPassword: async ({ url }) => void links.push(new URL(url).origin),
		},
	});
	const tenantId = await app.makeTenant("acme");
	const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
	const signUp = (origin = HOST) =>
		app.call(`${origin}/api/auth/tenant/sign-up/email`, { body, headers: { origin } });
	return { ...app, tenantId, links, signUp };
}

describe("a plugin that finds tenants by their hosts", () => {
	it("is the one of the document", () => {
		const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
		const page = read("../../../../docs/extending.md");
		const [, code] = page.match(/^```ts own-hosts\.ts\n(.*?)^```$/ms) ?? [];
		expect(code).toBe(read("./own-hosts.ts").replaceAll("\t", "  "));
	});

	it("decides the tenant, and unknown hosts get 404", async () => {
		const { signUp, tenantId } = await makeWorld();
		const { body } = await signUp();
		expect(body.user.tenantId).toBe(tenantId);
		expectRefusal(await signUp("https://login.globex.com"), 404, "TENANT_NOT_FOUND");
	});

	it("does not open a suspended tenant", async () => {
		const { auth, signUp, tenantId } = await makeWorld();
		await auth.api.suspendTenant({ body: { tenantId } });
		expectRefusal(await signUp(), 403, "TENANT_SUSPENDED");
	});

	it("leaves links as they are if a tenant has no host for them", async () => {
		const { call, signUp, links } = await makeWorld();
		await signUp();
		const origin = "https://acme.example.com";
		const body = { email: "ada@example.com", redirectTo: "/reset" };
		await call(`${origin}/api/auth/request-password-reset`, { body, headers: { origin } });
		expect(links).toEqual([origin]);
	});
});
