import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Instance, makeInstance } from "../support/worlds/instance";

type Options = Record<string, unknown>;

const pool = { domain: "auth.example.com", region: "eu-west-1", userPoolId: "eu-west-1_Ab1" };

async function registerIn(
	{ manage }: Instance,
	tenantId: string,
	providerId: string,
	options: Options,
) {
	return manage("/tenant/oauth-config/register", {
		body: { tenantId, providerId, clientId: "client-id", clientSecret: "secret", options },
	});
}

describe("the options of an OAuth config", () => {
	let instance: Instance;
	let tenantId: string;

	beforeAll(async () => {
		instance = await makeInstance();
		tenantId = await instance.makeTenant();
	});

	const register = (providerId: string, options: Options) =>
		registerIn(instance, tenantId, providerId, options);

	it.each<[string, Options]>([
		["apple", { appBundleIdentifier: "com.example.app", audience: ["a", "b"] }],
		["cognito", { ...pool, identityProvider: "Google", requireClientSecret: true }],
		["discord", { permissions: 8 }],
		["dropbox", { accessType: "offline" }],
		["facebook", { configId: "1", fields: ["id", "email"] }],
		["gitlab", { issuer: "https://gitlab.example.com" }],
		["google", { hd: "example.com", accessType: "offline", prompt: "consent", display: "page" }],
		["microsoft", { tenantId: "0f8fad5b-d9cb-469f-a165-70867728950e", prompt: "login" }],
		["microsoft", { tenantId: "acme.onmicrosoft.com", authority: "https://login.example.com" }],
		["paybin", { issuer: "https://paybin.example.com/" }],
		["paypal", { environment: "live" }],
		["reddit", { duration: "permanent" }],
		["salesforce", { environment: "sandbox" }],
		["salesforce", { loginUrl: "acme.my.salesforce.com" }],
		["tiktok", { clientKey: "key" }],
		["twitch", { claims: ["email"] }],
		["vk", { scheme: "dark" }],
		["wechat", { lang: "en" }],
		["zoom", { pkce: true }],
	])("of %s come back as they were given: %j", async (providerId, options) => {
		const { status, body } = await register(providerId, options);
		expect([status, body.message]).toEqual([200, undefined]);
		expect(body.options).toEqual(options);
		const { body: listed } = await instance.manage("/tenant/oauth-config/list", {
			query: { tenantId },
		});
		expect(listed).toContainEqual(body);
	});

	it.each<[string, Options, RegExp]>([
		["gitlab", { issuer: "https://gitlab.example.com" }, /^https:\/\/gitlab\.example\.com\/oauth/],
		[
			"salesforce",
			{ loginUrl: "acme.my.salesforce.com" },
			/^https:\/\/acme\.my\.salesforce\.com\//,
		],
		["cognito", pool, /^https:\/\/auth\.example\.com\//],
		["cognito", { ...pool, domain: "https://auth.example.com" }, /^https:\/\/auth\.example\.com\//],
		["microsoft", { tenantId: "acme" }, /^https:\/\/login\.microsoftonline\.com\/acme\//],
		["google", { hd: "example.com" }, /[?&]hd=example\.com/],
		["tiktok", { clientKey: "the-key" }, /[?&]client_key=the-key/],
		["tiktok", {}, /[?&]client_key=client-id/],
	])("of %s lead the sign-in where they say: %j", async (provider, options, expected) => {
		const tenantId = await instance.makeTenant();
		await registerIn(instance, tenantId, provider, options);
		const { body } = await instance.call("/tenant/sign-in/social", {
			body: { tenantId, provider },
		});
		expect(body.url).toMatch(expected);
	});

	it.each<[string, Options, string[]]>([
		["github", { issuer: "https://example.com" }, ["issuer"]],
		["google", { clientId: "x" }, ["clientId"]],
		["google", { hd: "example.com", one: 1, two: 2 }, ["one", "two"]],
		["google", { redirectURI: "https://example.com" }, ["redirectURI"]],
		["google", { disableIdTokenSignIn: true, mapProfileToUser: "x" }, ["mapProfileToUser"]],
		["google", { constructor: 1 }, ["constructor"]],
		["gitlab", { authorizationEndpoint: "https://example.com" }, ["authorizationEndpoint"]],
		["microsoft", { skipStateCookieCheck: true }, ["skipStateCookieCheck"]],
		["figma", { toString: "x" }, ["toString"]],
		["cognito", {}, ["domain", "region", "userPoolId"]],
		["cognito", { domain: "auth.example.com" }, ["region", "userPoolId"]],
		["cognito", { ...pool, userPoolId: undefined }, ["userPoolId"]],
		["cognito", { ...pool, region: "eu-west-1.evil.example/" }, ["region"]],
		["cognito", { ...pool, userPoolId: "../x" }, ["userPoolId"]],
		["google", { hd: 5 }, ["hd"]],
		["google", { hd: "exa mple" }, ["hd"]],
		["google", { accessType: "sometimes" }, ["accessType"]],
		["gitlab", { issuer: ["https://example.com"] }, ["issuer"]],
		["gitlab", { issuer: null }, ["issuer"]],
		["microsoft", { tenantId: "../evil" }, ["tenantId"]],
		["microsoft", { tenantId: "a/b" }, ["tenantId"]],
		["salesforce", { loginUrl: "https://acme.my.salesforce.com" }, ["loginUrl"]],
		["tiktok", { clientKey: "" }, ["clientKey"]],
		["tiktok", { clientKey: "a\u0000b" }, ["clientKey"]],
		["facebook", { fields: Array(65).fill("x") }, ["fields"]],
		["facebook", { fields: [] }, ["fields"]],
		["facebook", { fields: "email" }, ["fields"]],
		["facebook", { fields: ["x".repeat(65)] }, ["fields"]],
		["twitch", { claims: ["email", "email&claims={}"] }, ["claims"]],
		["apple", { audience: {} }, ["audience"]],
	])("of %s are refused by name: %j", async (providerId, options, named) => {
		const tenantId = await instance.makeTenant();
		const { status, body } = await registerIn(instance, tenantId, providerId, options);
		expect(status).toBe(400);
		expect(body.code).toBe("INVALID_PROVIDER_OPTIONS");
		for (const name of notEmpty(named)) expect(body.message).toContain(name);
		const { body: listed } = await instance.manage("/tenant/oauth-config/list", {
			query: { tenantId },
		});
		expect(listed).toEqual([]);
	});

	// Core writes them into the address of the profile as they are.
	it.each([
		"id&fields=id,picture,website.as(email),id.as(email_verified)",
		"website.as(email)",
		"website.as(email),id",
		"id,name",
		"picture{url}",
		"id&access_token=x",
		"id#",
		"id%26fields",
		"id\n",
		" id",
		"Id",
		"_id",
		"",
	])("of facebook name fields to read, and say nothing else: %j", async (field) => {
		const { status, body } = await register("facebook", { fields: ["id", field] });
		expect([status, body.code]).toEqual([400, "INVALID_PROVIDER_OPTIONS"]);
		expect(body.message).toContain("fields");
	});
});

const PUBLIC = [
	"https://gitlab.example.com",
	"https://gitlab.example.com:8443/sub/path",
	"https://8.8.8.8",
	"https://[2606:4700:4700::1111]",
	"https://test.example.com",
	"https://svc.consul.example",
];

const PRIVATE = [
	"http://gitlab.example.com",
	"ftp://gitlab.example.com",
	"file:///etc/passwd",
	"https://user@gitlab.example.com",
	"https://user:pass@gitlab.example.com",
	"https://gitlab.example.com/?q=1",
	"https://gitlab.example.com/#x",
	"https://gitlab.example.com/path?",
	"https://gitlab.example.com/path#",
	"https://gitlab.example.com ",
	"https://gitlab.example.com\t",
	"https://localhost",
	"https://localhost.",
	"https://LOCALHOST:8443",
	"https://app.localhost",
	"https://gitlab",
	"https://gitlab.",
	"https://gitlab.internal",
	"https://gitlab.local.",
	"https://gitlab.lan",
	"https://router.home.arpa",
	"https://localhost.localdomain",
	"https://router.localdomain.",
	"https://kubernetes.default.svc",
	"https://vault.service.consul",
	"https://kubernetes.default",
	"https://grafana.monitoring",
	"https://dashboard.kube-system",
	"https://gitlab.home.arpa",
	"https://1.0.0.10.in-addr.arpa",
	"https://host.docker.internal",
	"https://gitlab.lan1",
	"https://[2002:808:808::1]",
	"https://[64:ff9b::a9fe:a9fe]",
	"https://gitlab.test",
	"https://gitlab.invalid",
	"https://gitlab.home",
	"https://gitlab.corp",
	"https://gitlab.intranet",
	"https://gitlab.private",
	"https://metadata.google.internal",
	"https://metadata.google.internal.",
	"https://metadata.goog",
	"https://metadata",
	"https://169.254.169.254",
	"https://169.254.169.254.",
	"https://127.0.0.1",
	"https://127.1",
	"https://127.255.255.254",
	"https://2130706433",
	"https://0x7f000001",
	"https://0x7f.0.0.1",
	"https://0177.0.0.1",
	"https://017700000001",
	"https://0",
	"https://0.0.0.0",
	"https://10.0.0.1",
	"https://10.1",
	"https://172.16.0.1",
	"https://172.31.255.255",
	"https://192.168.1.1",
	"https://100.64.0.1",
	"https://198.18.0.1",
	"https://224.0.0.1",
	"https://255.255.255.255",
	"https://１２７.0.0.1",
	"https://127。0。0。1",
	"https://%31%32%37.0.0.1",
	"https://[::1]",
	"https://[::]",
	"https://[0:0:0:0:0:0:0:1]",
	"https://[::ffff:127.0.0.1]",
	"https://[::ffff:7f00:1]",
	"https://[::127.0.0.1]",
	"https://[::ffff:0:127.0.0.1]",
	"https://[::ffff:0:7f00:1]",
	"https://[0:0:0:0:ffff:0:a9fe:a9fe]",
	"https://[64:ff9b::7f00:1]",
	"https://[1::1]",
	"https://[4000::1]",
	"https://[2002:7f00:1::]",
	"https://[fe80::1]",
	"https://[fc00::1]",
	"https://[fd12:3456::1]",
	"https://[fd00:ec2::254]",
	"https://[ff02::1]",
	" https://localhost",
	"https:\\\\localhost",
	"https:localhost",
	"//gitlab.example.com",
	"gitlab.example.com",
	"",
	`https://gitlab.example.com/${"x".repeat(2048)}`,
];

const PRIVATE_HOSTS = [
	"localhost",
	"localhost:8443",
	"127.0.0.1",
	"2130706433",
	"0x7f000001",
	"[::1]",
	"[::ffff:0:7f00:1]",
	"metadata.google.internal.",
	"kubernetes.default.svc",
	"vault.service.consul:8200",
	"169.254.169.254",
	"auth",
	"https://localhost",
	"http://10.0.0.1",
	"auth.example.com/path",
	"auth.example.com?x",
	"auth.example.com#x",
	"user@auth.example.com",
	"auth.example.com\\@localhost",
	"auth.example.com:443@localhost",
	"",
	" ",
];

/** A tenant's administrator chooses these addresses, and the server calls them. */
describe("an address among the options", () => {
	let strict: Instance;
	let open: Instance;
	let tenantId: string;
	let openTenantId: string;

	beforeAll(async () => {
		strict = await makeInstance();
		open = await makeInstance({ tenants: { allowPrivateProviderHosts: true } });
		tenantId = await strict.makeTenant();
		openTenantId = await open.makeTenant();
	});

	const settings: [string, string][] = [
		["gitlab", "issuer"],
		["microsoft", "authority"],
		["paybin", "issuer"],
	];

	it.each(PUBLIC)("may be public: %s", async (address) => {
		for (const [providerId, name] of notEmpty(settings)) {
			const { status } = await registerIn(strict, tenantId, providerId, { [name]: address });
			expect([providerId, status]).toEqual([providerId, 200]);
		}
	});

	it.each(PRIVATE)("must not lead into a private network or elsewhere: %j", async (address) => {
		for (const [providerId, name] of notEmpty(settings)) {
			const { status, body } = await registerIn(strict, tenantId, providerId, { [name]: address });
			expect([providerId, status, body.code]).toEqual([
				providerId,
				400,
				"INVALID_PROVIDER_OPTIONS",
			]);
			expect(body.message).toContain(name);
		}
	});

	it.each(PRIVATE_HOSTS)("must not lead there as a host either: %j", async (host) => {
		for (const [providerId, options] of [
			["cognito", { ...pool, domain: host }],
			["salesforce", { loginUrl: host }],
		] as const) {
			const { status, body } = await registerIn(strict, tenantId, providerId, options);
			expect([providerId, status, body.code]).toEqual([
				providerId,
				400,
				"INVALID_PROVIDER_OPTIONS",
			]);
		}
	});

	it.each(["http://localhost:8080", "https://10.0.0.1", "http://gitlab.internal/sub"])(
		"may be %s when the host allows private ones",
		async (issuer) => {
			const { status } = await registerIn(open, openTenantId, "gitlab", { issuer });
			expect(status).toBe(200);
		},
	);

	it.each(["ftp://localhost", "file:///etc/passwd", "http://user:pass@localhost", "javascript:1"])(
		"may not be %s even then",
		async (issuer) => {
			const { status } = await registerIn(open, openTenantId, "gitlab", { issuer });
			expect(status).toBe(400);
		},
	);
});
