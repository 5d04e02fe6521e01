import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	it,
	onTestFinished,
	vi,
} from "vitest";
import { Browser } from "../support/http/browser";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import { findCertificate } from "../support/providers/identity-provider/certificate";
import { type Listening, listen, listenAs } from "../support/providers/identity-provider/listen";
import { network, redirectHosts } from "../support/providers/identity-provider/provider-hosts";
import { EMAIL } from "../support/worlds/instance";
import {
	addTenantAt,
	askSocialSignIn,
	beginSocial,
	makeSocialApp,
	readSession,
	type SocialApp,
} from "../support/worlds/social-app";

const provider = "gitlab";
const host = "gitlab.tenant.example";

/** The provider of a tenant may be any public server. It must not redirect this server to private ones. */
describe("a provider of a tenant that redirects to the private network", () => {
	let inside: Listening;
	let rogue: IdentityProvider;
	const asked: string[] = [];

	beforeAll(async () => {
		inside = await listen((request, response) => {
			asked.push(String(request.url));
			response.writeHead(200, { "content-type": "application/json" });
			response.end(JSON.stringify({ id: 1, state: "active", email: "inside@example.com" }));
		});
		rogue = await startIdentityProvider("gitlab", {
			hosts: [host],
			resources: { "/api/v4/user": () => new URL(`http://127.0.0.1:${inside.port}/metadata`) },
		});
	});

	afterAll(async () => {
		await rogue.close();
		await inside.close();
	});

	// A private provider that is allowed may still not choose where else this server sends requests.
	it.each([{ allowPrivateProviderHosts: false }, { allowPrivateProviderHosts: true }])(
		"is not followed there: %j",
		async (tenants) => {
			const app = await makeSocialApp({ tenants });
			const { tenantId } = await addTenantAt(app, "gitlab", rogue);
			const { browser, url } = await beginSocial(app, { tenantId, provider });
			const person = rogue.addPerson({ email: `${randomUUID()}@example.com` });
			const visit = await browser.follow(url, { as: person });
			expect(asked).toEqual([]);
			expect(visit.url.pathname).toBe("/failed");
			expect(await readSession(browser)).toBeNull();
		},
	);
});

const PRIVATE = [
	"127.0.0.1",
	"10.0.0.1",
	"172.16.0.1",
	"192.168.1.1",
	"169.254.169.254",
	"100.64.0.1",
	"224.0.0.1",
	"0.0.0.0",
	"::1",
	"::",
	"fe80::1",
	"fe80::1%eth0",
	"fd00:ec2::254",
	"ff02::1",
	"::ffff:10.0.0.1",
	"::ffff:0:10.0.0.1",
	"64:ff9b::a00:1",
	"64:ff9b::169.254.169.254",
	"64:ff9b:1::808:808",
	"2002:808:808::1",
	"2001::1",
	"not an address",
];

/** A tenant's admin decides what the name of the tenant's provider resolves to. */
describe("the name of a tenant's provider", () => {
	const known = "known.tenant.example";
	const rebound = "rebound.tenant.example";
	let asked: string[] = [];
	let answer: (response: ServerResponse) => void;
	let app: SocialApp;
	let server: Listening;
	let rogue: IdentityProvider;
	let restore = async () => {};

	beforeAll(async () => {
		app = await makeSocialApp({ tenants: { allowPrivateProviderHosts: false } });
		rogue = await startIdentityProvider("gitlab", { hosts: [host] });
		server = await listenAs([known], (request, response) => {
			asked.push(String(request.url));
			answer(response);
		});
	});

	beforeEach(() => {
		asked = [];
		answer = (response) => response.writeHead(500).end();
		network.opened = [];
		network.resolved = [];
	});

	afterEach(async () => {
		await restore();
		restore = async () => {};
	});

	afterAll(async () => {
		await rogue.close();
		await server.close();
	});

	const resolveTo = (addresses: string[], name = rebound) => {
		restore = redirectHosts([name], { port: server.port, certificate: "", addresses });
	};

	async function signInAt(name: string) {
		const tenantId = await app.createTenant();
		const client = { clientId: "client", clientSecret: "secret" };
		const options = { issuer: `https://${name}` };
		await app.registerConfig({ tenantId, providerId: provider, ...client, options });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const state = new URL(url).searchParams.get("state");
		// No provider issues a code twice, and one that was sent to a server counts at no other.
		const answer = `code=${randomUUID()}&state=${state}`;
		const visit = await browser.follow(`${app.callbackOf(provider)}?${answer}`);
		return visit.url.href;
	}

	const failed = "https://app.example.com/failed?error=invalid_code";

	it("is resolved once per request, and the connection goes to that address", async () => {
		const { tenantId } = await addTenantAt(app, "gitlab", rogue);
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: rogue.addPerson({ email: EMAIL }) });
		expect(await readSession(browser)).toMatchObject({ user: { email: EMAIL, tenantId } });
		expect(network.resolved).toEqual([host, host]);
		expect(new Set(network.opened)).toEqual(new Set([expect.stringMatching(/^8\.8\.0\./)]));
	});

	it.each(PRIVATE)("must not resolve to %s", async (address) => {
		resolveTo([address]);
		expect(await signInAt(rebound)).toBe(failed);
		expect(network).toEqual({ resolved: [rebound], opened: [] });
	});

	it.each(["fritz.box", "easy.box", "gitlab.router"])(
		"is not asked if it is the name of a router, such as %s",
		async (name) => {
			resolveTo(["192.168.178.1"], name);
			expect(await signInAt(name)).toBe(failed);
			expect(network).toEqual({ resolved: [name], opened: [] });
		},
	);

	it("must not resolve to a private address beside a public one", async () => {
		resolveTo(["8.8.8.8", "10.0.0.1"]);
		expect(await signInAt(rebound)).toBe(failed);
		expect(network.opened).toEqual([]);
	});

	it.each(["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808"])(
		"may resolve to %s",
		async (address) => {
			resolveTo([address]);
			// The server there has no certificate for this name.
			expect(await signInAt(rebound)).toBe(failed);
			expect(network.opened).toEqual([address]);
		},
	);

	it("is what the certificate is checked against", async () => {
		await signInAt(known);
		expect(asked).toEqual(["/oauth/token"]);
		const { cert: certificate } = await findCertificate([known]);
		restore = redirectHosts([rebound], { port: server.port, certificate, addresses: ["8.8.4.4"] });
		expect(await signInAt(rebound)).toBe(failed);
		expect(network.opened).toContain("8.8.4.4");
		expect(asked).toEqual(["/oauth/token"]);
	});

	it("fails in the same way if it does not resolve", async () => {
		expect(await signInAt("unknown.tenant.example")).toBe(failed);
		expect(network.opened).toEqual([]);
	});

	it.each([
		["redirect", { location: "https://known.tenant.example/elsewhere" }, 307],
		["length that is too large", { "content-length": String(2 ** 21) }, 204],
	])(
		"may answer without a body and with a %s, and only the sign-in fails",
		async (_, headers, status) => {
			answer = (response) => response.writeHead(status, headers).end();
			expect(await signInAt(known)).toBe(failed);
			expect(asked).toEqual(["/oauth/token"]);
		},
	);

	it("is not asked in a runtime that cannot resolve it", async () => {
		const builtin = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
		onTestFinished(() => builtin.mockRestore());
		expect(await signInAt(known)).toBe(failed);
		expect(builtin).toHaveBeenCalledWith("node:dns");
		expect(asked).toEqual([]);
	});

	it("is checked too when keys of an id token are fetched", async () => {
		resolveTo(["10.0.0.1"]);
		const tenantId = await app.createTenant();
		await app.registerConfig({
			tenantId,
			providerId: "microsoft",
			clientId: "client",
			clientSecret: "secret",
			options: { authority: `https://${rebound}` },
		});
		const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
		const token = `${part({ alg: "RS256", kid: "one" })}.${part({ sub: "1" })}.c2ln`;
		const body = { tenantId, provider: "microsoft", idToken: { token } };
		const response = await askSocialSignIn(new Browser(app), body);
		expect([response.status, (await response.json()).code]).toEqual([401, "INVALID_TOKEN"]);
		expect(network).toEqual({ resolved: [rebound], opened: [] });
	});
});
