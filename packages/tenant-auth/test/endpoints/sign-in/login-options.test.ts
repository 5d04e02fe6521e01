import { describe, expect, it } from "vitest";
import { makeInstance } from "../../support/worlds/instance";

const google = { clientId: "global", clientSecret: "secret" };

async function makeHost(options: Parameters<typeof makeInstance>[0] = {}) {
	const host = await makeInstance(options);
	const tenantId = await host.makeTenant("acme");
	const ask = async (query: Record<string, string> = { slug: "acme" }) =>
		host.call("/tenant/login-options", { query });
	const register = (providerId: string, more: object = {}) =>
		host.manage("/tenant/oauth-config/register", {
			body: { tenantId, providerId, clientId: "own", clientSecret: "own secret", ...more },
		});
	const effective = async (providerId: string) => {
		const { body } = await host.manage("/tenant/oauth-config/effective", { query: { tenantId } });
		return body.find((it: { providerId: string }) => it.providerId === providerId);
	};
	return { ...host, tenantId, ask, register, effective };
}

describe("login options", () => {
	it("tell anybody a tenant's name and ways in, by slug or id", async () => {
		const { ask, tenantId } = await makeHost({ socialProviders: { google } });
		const expected = {
			tenant: { id: tenantId, name: "acme", slug: "acme" },
			branding: {},
			email: { signIn: true, signUp: true, reset: false, verification: false },
			password: { minLength: 8, maxLength: 128 },
			providers: ["google"],
			methods: ["password", "social"],
			signUp: "open",
			secondFactorRequired: false,
		};
		expect((await ask()).body).toEqual(expected);
		expect((await ask({ tenantId })).body).toEqual(expected);
	});

	it("do not tell whose client a provider is", async () => {
		const { ask, register } = await makeHost({ socialProviders: { google } });
		const before = (await ask()).body;
		await register("google");
		expect((await ask()).body).toEqual(before);
	});

	it("show what works only", async () => {
		const { ask, register, db } = await makeHost();
		await register("github");
		await register("gitlab", { enabled: false });
		expect((await ask()).body.providers).toEqual(["github"]);
		await db.updateTable("tenantOauthConfig").set({ clientSecret: "broken" }).execute();
		expect((await ask()).body.providers).toEqual([]);
	});

	it("show of the metadata what is branding, and of that what is sound", async () => {
		const { ask, manage, tenantId } = await makeHost();
		const branding = {
			logoUrl: "javascript:alert(1)",
			primaryColor: "#0a7c5b",
			tagline: "Widgets",
			supportEmail: "help@acme.example",
			termsUrl: "https://acme.example/terms",
			privacyUrl: "http://acme.example/privacy",
			internal: "secret",
		};
		const metadata = { branding, plan: "gold" };
		await manage("/tenant/update", { body: { tenantId, metadata } });
		expect((await ask()).body.branding).toEqual({
			primaryColor: "#0a7c5b",
			tagline: "Widgets",
			supportEmail: "help@acme.example",
			termsUrl: "https://acme.example/terms",
		});
	});

	it("are those of the tenant that the request is for, if the query names none", async () => {
		const { auth, tenantId } = await makeHost({
			tenants: { resolveTenantId: (ctx) => ctx.headers?.get("x-team") },
		});
		for (const name of ["x-tenant-id", "x-team"]) {
			const { tenant } = await auth.api.tenantLoginOptions({ headers: { [name]: tenantId } });
			expect(tenant.slug).toBe("acme");
		}
	});

	it("are refused for a tenant that is not there, and with two names for it", async () => {
		const { ask, tenantId } = await makeHost();
		expect((await ask({ slug: "nobody" })).body.code).toBe("TENANT_NOT_FOUND");
		expect((await ask({})).body.code).toBe("TENANT_ID_REQUIRED");
		expect((await ask({ slug: "acme", tenantId })).body.code).toBe("VALIDATION_ERROR");
	});
});

describe("the effective providers of a tenant", () => {
	it("tell what would be used and why, and what to register at the provider", async () => {
		const { effective, register } = await makeHost({ socialProviders: { google } });
		const callbackURL = "http://localhost:3000/api/auth/tenant/callback/google";
		const answer = { providerId: "google", callbackURL, lastFailure: null };
		expect(await effective("google")).toEqual({ ...answer, source: "global", config: "absent" });
		await register("google", { enabled: false });
		expect(await effective("google")).toEqual({ ...answer, source: "global", config: "disabled" });
		await register("google");
		expect(await effective("google")).toEqual({ ...answer, source: "tenant", config: "own" });
		expect(await effective("github")).toMatchObject({ source: "none", config: "absent" });
	});

	it("show credentials that cannot be opened as such, and no other client in their place", async () => {
		const { effective, register, db } = await makeHost({ socialProviders: { google } });
		await register("google");
		await db.updateTable("tenantOauthConfig").set({ clientSecret: "broken" }).execute();
		expect(await effective("google")).toMatchObject({ source: "none", config: "unreadable" });
	});
});
