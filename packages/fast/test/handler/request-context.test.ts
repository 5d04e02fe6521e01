import type { AuthContext } from "@better-auth/core";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { fastHandler } from "better-auth-fast";
import { afterEach, describe, expect, it, vi } from "vitest";

const SECRET = "a secret of the tests of the handler";

type Variation = [name: string, options: BetterAuthOptions, request?: Request];

const at = (url: string, headers: Record<string, string> = {}) => new Request(url, { headers });

const tenantsOf = (request: Request | undefined) =>
	request ? [`https://${request.headers.get("x-partner") ?? "none"}.example.com`] : [];

const variations: Variation[] = [
	["a fixed base URL", { baseURL: "https://app.example.com" }],
	[
		"a base URL with a path",
		{ baseURL: "https://app.example.com/auth" },
		at("https://app.example.com/auth/ok"),
	],
	[
		"another base path",
		{ baseURL: "https://app.example.com", basePath: "/id" },
		at("https://app.example.com/id/ok"),
	],
	["no base URL", {}, at("http://tenant.localhost:3000/api/auth/ok")],
	[
		"a list of trusted origins",
		{ baseURL: "https://app.example.com", trustedOrigins: ["https://a.example.com", ""] },
	],
	[
		"a function for trusted origins",
		{ baseURL: "https://app.example.com", trustedOrigins: tenantsOf },
		at("https://app.example.com/api/auth/ok", { "x-partner": "b" }),
	],
	[
		"a function for trusted providers",
		{
			baseURL: "https://app.example.com",
			account: {
				accountLinking: { trustedProviders: async (request) => (request ? ["google", ""] : []) },
			},
		},
	],
	[
		"a list of trusted providers",
		{
			baseURL: "https://app.example.com",
			account: { accountLinking: { trustedProviders: ["github"] } },
		},
	],
	[
		"hosts that are allowed",
		{ baseURL: { allowedHosts: ["*.example.com", "https://x.example.org", "localhost:3000"] } },
		at("https://acme.example.com/api/auth/ok", { host: "acme.example.com" }),
	],
	[
		"hosts with a protocol and a fallback",
		{
			baseURL: {
				allowedHosts: ["*.example.com"],
				protocol: "http",
				fallback: "https://app.example.org/x",
			},
		},
		at("http://acme.example.com/api/auth/ok", { host: "acme.example.com" }),
	],
	[
		"a host that falls back",
		{ baseURL: { allowedHosts: ["*.example.com"], fallback: "https://app.example.org" } },
		at("https://evil.test/api/auth/ok", { host: "evil.test" }),
	],
	[
		"cookies across subdomains",
		{
			baseURL: { allowedHosts: ["*.example.com"], protocol: "auto" },
			advanced: { crossSubDomainCookies: { enabled: true } },
		},
		at("https://acme.example.com/api/auth/ok", { host: "acme.example.com" }),
	],
	[
		"a proxy that is trusted",
		{ baseURL: { allowedHosts: ["*.example.com"] }, advanced: { trustedProxyHeaders: true } },
		at("http://127.0.0.1:3000/api/auth/ok", {
			host: "127.0.0.1:3000",
			"x-forwarded-host": "acme.example.com",
			"x-forwarded-proto": "https",
		}),
	],
	[
		"a trusted proxy and no base URL",
		{ advanced: { trustedProxyHeaders: true } },
		at("http://127.0.0.1:3000/api/auth/ok", {
			"x-forwarded-host": "acme.example.com",
			"x-forwarded-proto": "https",
		}),
	],
];

type AnyAuth = Parameters<typeof fastHandler>[0] & {
	handler: (request: Request) => Promise<Response>;
};

/** What a request gets from a handler, and what its context has. */
async function observe(
	options: BetterAuthOptions,
	request: Request,
	handlerOf: (auth: AnyAuth) => (request: Request) => Promise<Response>,
) {
	const seen: unknown[] = [];
	const spy: BetterAuthPlugin = {
		id: "spy",
		onRequest: async (_, ctx: AuthContext) => {
			const { baseURL, trustedOrigins, trustedProviders, options } = ctx;
			const cookie = ctx.createAuthCookie("probe");
			seen.push({ baseURL, trustedOrigins, trustedProviders, ofOptions: options.baseURL, cookie });
			seen.push(ctx.authCookies, Object.keys(ctx));
		},
	};
	const auth = betterAuth({
		...options,
		secret: SECRET,
		database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
		plugins: [spy],
		logger: { disabled: true },
	});
	const handler = handlerOf(auth);
	const answers: unknown[] = [];
	// Twice: the second request may find what the first one left.
	for (const _ of [1, 2]) {
		answers.push(
			await handler(request.clone()).then(
				async (response) => [response.status, await response.text()],
				(error: Error) => error.name,
			),
		);
	}
	return { seen, answers };
}

describe("the context of a request", () => {
	afterEach(() => vi.unstubAllEnvs());

	it.each(variations)("is the same as in auth.handler with %s", async (_, options, request) => {
		const sent = request ?? at("https://app.example.com/api/auth/ok");
		const core = await observe(options, sent, (auth) => auth.handler);
		expect(await observe(options, sent, fastHandler)).toEqual(core);
		expect(core.seen).not.toEqual([]);
	});

	it("has the trusted origins of the environment", async () => {
		vi.stubEnv("BETTER_AUTH_TRUSTED_ORIGINS", "https://env.example.com,https://two.example.com");
		const sent = at("https://app.example.com/api/auth/ok");
		const options = { baseURL: "https://app.example.com" };
		const core = await observe(options, sent, (auth) => auth.handler);
		expect(await observe(options, sent, fastHandler)).toEqual(core);
		expect(JSON.stringify(core.seen)).toContain("https://env.example.com");
	});

	it("does not exist for a host that is not allowed", async () => {
		const options = { baseURL: { allowedHosts: ["*.example.com"] } };
		const sent = at("https://evil.test/api/auth/ok", { host: "evil.test" });
		const core = await observe(options, sent, (auth) => auth.handler);
		expect(await observe(options, sent, fastHandler)).toEqual(core);
		expect(core.seen).toEqual([]);
	});
});
