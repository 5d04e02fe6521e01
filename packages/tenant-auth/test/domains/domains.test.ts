import { describe, expect, it, onTestFinished } from "vitest";
import { openSqlite } from "../support/databases";
import { startDnsServer } from "../support/dns-server";
import { describeDomains } from "../support/domain-behaviors";
import { type Instance, type InstanceOptions, makeInstance, ORIGIN } from "../support/instance";
import { expectRefusal } from "../support/refusal";
import { useWorld } from "../support/world";

describe("domains on SQLite", () => describeDomains(openSqlite));

async function makeApp(options: InstanceOptions = {}) {
	const app = await makeInstance(options);
	return { ...app, tenantId: await app.makeTenant() };
}

const add = (
	{ manage, tenantId }: Pick<Instance, "manage"> & { tenantId: string },
	host: string,
	purpose = "login",
) => manage("/tenant/domain/add", { body: { tenantId, host, purpose } });

describe("the host name of a domain", () => {
	const world = useWorld(() => makeApp());

	it.each([
		["Login.Acme.COM", "login.acme.com"],
		["  login.acme.com ", "login.acme.com"],
		["bücher.example", "xn--bcher-kva.example"],
		["xn--bcher-kva.example", "xn--bcher-kva.example"],
		["例え.テスト.example", "xn--r8jz45g.xn--zckzah.example"],
		// Letters of another script that look like Latin ones stay visible as what they are.
		["\u0430cme.com", "xn--cme-5cd.com"],
		// The same letters in another form are the same name.
		["\uff41cme.com", "acme.com"],
		["acme。com", "acme.com"],
	])("%j is stored as %j", async (written, host) => {
		expect((await add(world(), written)).body).toMatchObject({ host });
	});

	it.each([
		"",
		" ",
		"acme",
		"com",
		"localhost",
		"acme.localhost",
		"127.0.0.1",
		"0x7f.1",
		"2130706433",
		"[::1]",
		"::1",
		"10.0.0.1.",
		"acme.com.",
		".acme.com",
		"acme..com",
		"-acme.com",
		"acme-.com",
		"acme_1.com",
		"_dmarc.acme.com",
		"*.acme.com",
		"acme.com:443",
		"acme.com:8443",
		"https://acme.com",
		"acme.com/path",
		"acme.com?query",
		"acme.com#hash",
		"user@acme.com",
		"acme.com\\evil.com",
		"acme.com evil.com",
		"acme.com\nevil.com",
		"acme.com\u0000",
		"%61cme.com",
		"acme.c%6Fm",
		"acme.123",
		"co.uk",
		"com.au",
		"router.local",
		"db.internal",
		"acme.test",
		"4.3.2.1.in-addr.arpa",
		`${"a".repeat(64)}.com`,
		`${"a.".repeat(150)}com`,
		"x".repeat(1024),
	])("%j is refused", async (host) => {
		expectRefusal(await add(world(), host), 400, "INVALID_DOMAIN");
		expectRefusal(await add(world(), host, "email"), 400, "INVALID_DOMAIN");
	});

	it("is not one of the app's own hosts", async () => {
		const app = await makeApp();
		const context = await app.auth.$context;
		context.baseURL = "https://auth.acme.com/api/auth";
		expectRefusal(await add(app, "auth.acme.com"), 400, "INVALID_DOMAIN");
		expectRefusal(await add(app, "x.auth.acme.com"), 400, "INVALID_DOMAIN");
		expect((await add(app, "acme.com")).status).toBe(200);
		expect((await add(app, "auth.acme.com", "email")).status).toBe(200);
	});

	it("is not a public suffix that the app knows", async () => {
		const isPublicSuffix = (host: string) => host === "github.io";
		const app = await makeApp({ tenants: { domains: { isPublicSuffix } } });
		for (const purpose of ["login", "email"]) {
			for (const host of ["github.io", "GitHub.io", "co.uk"]) {
				expectRefusal(await add(app, host, purpose), 400, "INVALID_DOMAIN");
			}
			expect((await add(app, "acme.github.io", purpose)).status).toBe(200);
		}
	});

	it("may be one of at most a hundred", async () => {
		const app = await makeApp();
		for (let n = 0; n < 100; n += 1) await add(app, `n${n}.example.com`);
		expectRefusal(await add(app, "one-more.example.com"), 409, "TOO_MANY_DOMAINS");
	});
});

describe("the DNS record of a domain", () => {
	async function verifyWith(resolveTxt: (value: string, name: string) => Promise<string[][]>) {
		let value = "";
		const app = await makeApp({
			tenants: { domains: { resolveTxt: (name) => resolveTxt(value, name) } },
		});
		const { body } = await add(app, "login.acme.com");
		value = body.record.value;
		const { tenantId } = app;
		return app.manage("/tenant/domain/verify", { body: { tenantId, domainId: body.id } });
	}

	it("may consist of several texts, in quotes and with spaces around", async () => {
		const chunks = (value: string) => [[' "', value.slice(0, 9), value.slice(9), '" ']];
		expect((await verifyWith(async (value) => chunks(value))).status).toBe(200);
	});

	it("is asked for below the host", async () => {
		const asked: string[] = [];
		await verifyWith(async (_, name) => {
			asked.push(name);
			return [];
		});
		expect(asked).toEqual(["_better-auth-tenant.login.acme.com"]);
	});

	it.each([
		["is missing", async () => []],
		["is empty", async () => [[], [""]]],
		["has another token", async () => [["better-auth-tenant=other"]]],
		["only contains the token", async (value: string) => [[`v=spf1 ${value}`]]],
		["is split into two records", async (value: string) => [[value.slice(0, 9)], [value.slice(9)]]],
		[
			"has no name",
			async () => {
				throw Object.assign(new Error("no name"), { code: "ENOTFOUND" });
			},
		],
		[
			"has no text",
			async () => {
				throw Object.assign(new Error("no text"), { code: "ENODATA" });
			},
		],
	])("does not verify the domain if it %s", async (_, resolveTxt) => {
		expectRefusal(await verifyWith(resolveTxt), 422, "DNS_RECORD_NOT_FOUND");
	});

	it.each([
		["fails", async () => Promise.reject(Object.assign(new Error(), { code: "ESERVFAIL" }))],
		[
			"throws",
			() => {
				throw new Error("not a promise");
			},
		],
		["answers nonsense", async () => 5 as unknown as string[][]],
	])("is unknown if DNS %s", async (_, resolveTxt) => {
		expectRefusal(await verifyWith(resolveTxt), 503, "DNS_UNAVAILABLE");
	});

	it("is unknown if DNS takes too long", async () => {
		expectRefusal(await verifyWith(() => new Promise(() => {})), 503, "DNS_UNAVAILABLE");
	});

	it("is looked up by the resolver of the runtime", async () => {
		const records = new Map<string, string[]>();
		const server = await startDnsServer(records);
		onTestFinished(() => server.close());
		const app = await makeApp({ tenants: { domains: { resolveTxt: undefined } } });
		const { tenantId, manage } = app;
		const { body } = await add(app, "login.acme.example");
		const verify = () => manage("/tenant/domain/verify", { body: { tenantId, domainId: body.id } });
		expectRefusal(await verify(), 422, "DNS_RECORD_NOT_FOUND");
		records.set(body.record.name, ["v=spf1 -all", body.record.value]);
		expect((await verify()).body).toMatchObject({ state: "verified" });
	});
});

describe("trustEmails of a verified email domain", () => {
	/** Everybody counts as an admin of every tenant. */
	const world = useWorld(() =>
		makeApp({ tenants: { canManageTenants: () => true, allowPrivateProviderHosts: true } }),
	);

	const config = (tenantId: string, trustEmails: string[]) => ({
		tenantId,
		providerId: "gitlab",
		clientId: "id",
		clientSecret: "secret",
		options: { issuer: "https://gitlab.example.com" },
		trustEmails,
	});

	it("can be set by the tenant itself, for exactly this domain", async () => {
		const { call, addDomain, tenantId, manage, makeTenant } = world();
		await addDomain(tenantId, "acme.com", "email");
		await addDomain(tenantId, "login.acme.com", "login");
		await addDomain(await makeTenant(), "globex.com", "email");
		const pending = { tenantId, host: "pending.com", purpose: "email" };
		await manage("/tenant/domain/add", { body: pending });
		const register = (...trusted: string[]) =>
			call("/tenant/oauth-config/register", { body: config(tenantId, trusted) });
		for (const trusted of [
			["globex.com"],
			["acme.com", "globex.com"],
			["sub.acme.com"],
			["login.acme.com"],
			["pending.com"],
			[],
		]) {
			expectRefusal(await register(...trusted), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		}
		expect((await register("acme.com")).body).toMatchObject({ trustEmails: ["acme.com"] });
		const update = { tenantId, providerId: "gitlab", trustEmails: ["globex.com"] };
		expectRefusal(
			await call("/tenant/oauth-config/update", { body: update }),
			403,
			"TENANT_MANAGEMENT_NOT_ALLOWED",
		);
	});
});

describe("GET /tenant/discover", () => {
	it("does the same work for every email", async () => {
		const app = await makeApp();
		const { call, manage, addDomain, statements, tenantId, makeTenant } = app;
		const { body } = await addDomain(tenantId, "acme.com", "email");
		await manage("/tenant/domain/update", {
			body: { tenantId, domainId: body.id, discoverable: true },
		});
		await addDomain(await makeTenant(), "hidden.com", "email");
		const work = [];
		for (const email of ["ada@acme.com", "ada@hidden.com", "ada@unknown.com"]) {
			statements.length = 0;
			const { status, headers } = await call("/tenant/discover", { query: { email } });
			expect(status).toBe(200);
			work.push([...statements, ...headers]);
		}
		expect(work[0]?.filter((sql) => String(sql).startsWith("select"))).toHaveLength(2);
		expect(work[1]).toEqual(work[0]);
		expect(work[2]).toEqual(work[0]);
	});

	it.each(["", "ada", "ada@", "@acme.com", "ada@acme.com\u0000", `ada@${"x".repeat(300)}.com`])(
		"rejects %j",
		async (email) => {
			const { call } = await makeApp();
			expect((await call("/tenant/discover", { query: { email } })).status).toBe(400);
		},
	);

	it("is limited to 20 calls in a minute", async () => {
		const { call } = await makeApp({ rateLimit: { enabled: true } });
		const headers = { "x-forwarded-for": "203.0.113.7", origin: ORIGIN };
		const query = { email: "ada@acme.com" };
		for (let n = 0; n < 20; n += 1) {
			expect((await call("/tenant/discover", { query, headers })).status).toBe(200);
		}
		expectRefusal(await call("/tenant/discover", { query, headers }), 429, "TOO_MANY_REQUESTS");
	});
});
