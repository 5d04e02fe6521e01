import { decodeJwt } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { ownClaims } from "../src/openid-provider/own-claims";
import {
	API,
	atTheEndOfFile,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";
import { asManager } from "./running-service";

let issuers: RunningIssuers;
let acme: IssuingTenant;
let globex: IssuingTenant;

const atTheEnd = atTheEndOfFile();

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme", { metadata: { plan: "pro", limits: { seats: 5 } } });
	globex = await issuers.newTenant("globex", { metadata: { plan: "free" } });
});

const store = ({ tenantId, userId }: IssuingTenant, changes: object) =>
	issuers.manage("/tenant/user-metadata/update", { tenantId, userId, ...changes });

async function claimsOf(tenant: IssuingTenant, application: Parameters<typeof connect>[1]) {
	const config = await connect(tenant, application);
	const { tokens } = await signInAt(issuers, tenant, config, { scope: "openid", resource: API });
	const opaque = await signInAt(issuers, tenant, config, { scope: "openid" });
	return [
		{ ...tokens.claims() },
		decodeJwt(tokens.access_token),
		await openid.fetchUserInfo(config, tokens.access_token, tenant.userId),
		{ ...(await openid.tokenIntrospection(config, opaque.tokens.access_token)) },
	];
}

/** A signed-in user, in a browser. */
async function asUser(tenant: IssuingTenant) {
	const browser = newBrowser(issuers);
	await browser.signIn(tenant);
	const headers = () => ({
		cookie: browser.cookieHeader(),
		origin: issuers.baseUrl,
		"x-tenant-id": tenant.tenantId,
	});
	const read = async (path: string) => {
		const response = await fetch(`${issuers.baseUrl}/api/auth${path}`, { headers: headers() });
		return { status: response.status, body: await response.json() };
	};
	const send = async (path: string, body: object) => {
		const response = await issuers.post(path, body, headers());
		return { status: response.status, body: await response.json() };
	};
	return { read, send };
}

const mapping = {
	department: "user.metadata.department",
	groups: "user.metadata.access.groups",
	locale: "user.preferences.locale",
	plan: "tenant.metadata.plan",
	app_seats: "tenant.metadata.limits.seats",
	"https://example.com/claims/slug": "tenant.slug",
	app_missing: "user.metadata.missing",
	app_inherited: "user.metadata.constructor",
};

describe("own claims of an application", () => {
	it("are in all its tokens, with the values of the user and of the tenant", async () => {
		await store(acme, {
			metadata: { department: "Sales", access: { groups: ["a", "b"] } },
			preferences: { locale: "de" },
		});
		const application = await issuers.createApplication(acme.tenantId, { claims: mapping });
		expect(application).toMatchObject({ claims: mapping });
		for (const claims of notEmpty(await claimsOf(acme, application))) {
			expect(claims).toMatchObject({
				department: "Sales",
				groups: ["a", "b"],
				locale: "de",
				plan: "pro",
				app_seats: 5,
				"https://example.com/claims/slug": "acme",
			});
			expect(claims).not.toHaveProperty("app_missing");
			expect(claims).not.toHaveProperty("app_inherited");
		}
	});

	it("are in no token of another application", async () => {
		await store(acme, { metadata: { department: "Sales" } });
		const application = await issuers.createApplication(acme.tenantId);
		for (const claims of notEmpty(await claimsOf(acme, application))) {
			expect(Object.keys(claims).filter((name) => name in mapping)).toEqual([]);
		}
	});

	it("of an application of all tenants have the values of the tenant that issues the token", async () => {
		await store(acme, { metadata: { department: "Sales" } });
		await store(globex, { metadata: { department: "Labs" } });
		const application = await issuers.createServiceApplication({ claims: mapping });
		for (const claims of notEmpty(await claimsOf(acme, application))) {
			expect(claims).toMatchObject({ department: "Sales", plan: "pro" });
		}
		for (const claims of notEmpty(await claimsOf(globex, application))) {
			expect(claims).toMatchObject({ department: "Labs", plan: "free" });
			expect(claims).not.toHaveProperty("app_seats");
		}
	});

	it("have nothing of a user of another tenant", () => {
		const now = new Date();
		const tenant = { id: "a", slug: "a", name: "A", metadata: { plan: "pro" } };
		const user = { id: "u", metadata: '{"department":"Sales"}' };
		const claimsFor = (tenantId: string | null) =>
			ownClaims(mapping, {
				tenant: { ...tenant, createdAt: now, updatedAt: now },
				user: { ...user, tenantId },
			});
		expect(claimsFor("a")).toHaveProperty("department", "Sales");
		for (const other of ["b", null]) {
			expect(claimsFor(other)).toEqual({ plan: "pro", "https://example.com/claims/slug": "a" });
		}
	});

	it("of a program without users are those of the tenant", async () => {
		const job = await issuers.createApplication(acme.tenantId, {
			...{ type: "machine", redirectUris: [], postLogoutRedirectUris: [], claims: mapping },
		});
		const config = await connect(acme, job);
		const { access_token } = await openid.clientCredentialsGrant(config, { resource: API });
		expect(decodeJwt(access_token)).toMatchObject({ plan: "pro", app_seats: 5 });
		expect(decodeJwt(access_token)).not.toHaveProperty("department");
	});

	it("are left out if they are too long for a token", async () => {
		await store(acme, { metadata: { department: "x".repeat(2000), access: { groups: ["a"] } } });
		const application = await issuers.createApplication(acme.tenantId, { claims: mapping });
		for (const claims of notEmpty(await claimsOf(acme, application))) {
			expect(claims).toMatchObject({ groups: ["a"] });
			expect(claims).not.toHaveProperty("department");
		}
	});

	it.each([
		...["iss", "sub", "aud", "exp", "nbf", "iat", "jti", "nonce", "acr", "amr", "azp", "sid"],
		...["auth_time", "at_hash", "c_hash", "s_hash", "scope", "scp", "client_id", "cnf", "act"],
		...["tenant_id", "roles", "permissions", "name", "email", "email_verified", "picture"],
		...["given_name", "family_name", "events", "may_act", "Department", "", "app_"],
		...["http://example.com/x", "https://", "https:// x", "groups "],
	])("cannot have the name %j", async (name) => {
		const claims = JSON.parse(`{${JSON.stringify(name)}: "user.metadata.department"}`);
		const body = { tenantId: acme.tenantId, name: "Notes", type: "machine", claims };
		const response = await issuers.post("/tenant/application/create", body, asManager);
		expect([response.status, await response.json()]).toMatchObject([
			...[400, { code: "VALIDATION_ERROR" }],
		]);
	});

	it.each([
		...["user.email", "user.password", "user.metadata", "user.metadata.", "tenant.policy.x"],
		...["tenant.id", "tenant.metadata.a.b.c.d.e.f", "user.metadata.a..b", "session.token", ""],
	])("cannot come from %j", async (source) => {
		const claims = { department: source };
		const body = { tenantId: acme.tenantId, name: "Notes", type: "machine", claims };
		const response = await issuers.post("/tenant/application/create", body, asManager);
		expect(response.status).toBe(400);
	});

	it.each(["groups", "entitlements", "department", "plan", "preferred_username"])(
		"cannot take %s from what users write",
		async (name) => {
			const claims = { [name]: "user.preferences.x", app_x: "user.preferences.x" };
			const body = { tenantId: acme.tenantId, name: "Notes", type: "machine", claims };
			const response = await issuers.post("/tenant/application/create", body, asManager);
			expect(response.status).toBe(400);
			expect(await response.text()).toContain("which users write themselves");
		},
	);

	it("are at most twenty", async () => {
		const names = Array.from({ length: 21 }, (_, at) => [`app_${at}`, "tenant.slug"]);
		const create = (claims: object) => issuers.createApplication(acme.tenantId, { claims });
		await expect(create(Object.fromEntries(names))).rejects.toThrow("VALIDATION_ERROR");
		await create(Object.fromEntries(names.slice(1)));
	});
});

describe("the metadata of a user", () => {
	it("is replaced by management, and what is left out stays", async () => {
		await store(acme, { metadata: { department: "Sales" }, preferences: { locale: "de" } });
		const changed = await store(acme, { metadata: { department: "Labs" } });
		expect(changed).toEqual({ metadata: { department: "Labs" }, preferences: { locale: "de" } });
		const query = new URLSearchParams({ tenantId: acme.tenantId, userId: acme.userId });
		const url = `${issuers.baseUrl}/api/auth/tenant/user-metadata/get?${query}`;
		expect(await (await fetch(url, { headers: asManager })).json()).toEqual(changed);
	});

	it("cannot be changed or read by its user, who changes the preferences only", async () => {
		await store(acme, { metadata: { department: "Sales" }, preferences: { locale: "de" } });
		const ada = await asUser(acme);
		const { tenantId, userId } = acme;
		const body = { tenantId, userId, metadata: { department: "Board" } };
		expect((await ada.send("/tenant/user-metadata/update", body)).status).toBe(403);
		const query = new URLSearchParams({ tenantId, userId });
		expect((await ada.read(`/tenant/user-metadata/get?${query}`)).status).toBe(403);
		const written = await ada.send("/preferences/update", { preferences: {}, metadata: {} });
		expect(written.status).toBe(400);
		for (const field of ["metadata", "preferences"]) {
			const refused = await ada.send("/update-user", { [field]: '{"department":"Board"}' });
			expect(refused.status).toBe(400);
		}
		const changed = await ada.send("/preferences/update", { preferences: { locale: "fr" } });
		expect(changed).toEqual({ status: 200, body: { preferences: { locale: "fr" } } });
		expect((await ada.read("/preferences/get")).body).toEqual({ preferences: { locale: "fr" } });
		expect(await store(acme, {})).toEqual({
			...{ metadata: { department: "Sales" }, preferences: { locale: "fr" } },
		});
		const { body: session } = await ada.read("/get-session");
		expect(session).toHaveProperty("user.email", acme.email);
		expect(session).not.toHaveProperty("user.metadata");
		expect(session).not.toHaveProperty("user.preferences");
	});

	it("cannot be set at a sign-up", async () => {
		const email = "eve@acme.example.com";
		const user = { name: "Eve", email, password: "correct horse battery" };
		const named = { "x-tenant-id": acme.tenantId };
		const body = { ...user, metadata: '{"department":"Board"}' };
		const response = await issuers.post("/tenant/sign-up/email", body, named);
		expect(response.status).toBe(400);
	});

	it("of one tenant is not found by another", async () => {
		const body = { tenantId: globex.tenantId, userId: acme.userId, metadata: { x: 1 } };
		const response = await issuers.post("/tenant/user-metadata/update", body, asManager);
		expect([response.status, await response.json()]).toMatchObject([
			...[404, { code: "USER_NOT_FOUND" }],
		]);
		const query = new URLSearchParams({ tenantId: globex.tenantId, userId: acme.userId });
		const url = `${issuers.baseUrl}/api/auth/tenant/user-metadata/get?${query}`;
		expect((await fetch(url, { headers: asManager })).status).toBe(404);
	});

	it("of an owner is not changed by an admin, and is in no event", async () => {
		const initech = await issuers.newTenant("initech");
		const { tenantId, userId } = initech;
		await issuers.manage("/tenant/user/update", { tenantId, userId, role: "admin" });
		const boss = await issuers.manage<{ id: string }>("/tenant/user/create", {
			...{ tenantId, email: "boss@example.com", name: "Boss", role: "owner" },
		});
		const admin = await asUser(initech);
		const change = (id: string) =>
			admin.send("/tenant/user-metadata/update", {
				...{ tenantId, userId: id, metadata: { secret: "none of the log" } },
			});
		expect(await change(boss.id)).toMatchObject({
			status: 403,
			body: { code: "ROLE_NOT_ALLOWED" },
		});
		expect((await change(userId)).status).toBe(200);
		const url = `${issuers.baseUrl}/api/auth/tenant/audit/list?tenantId=${tenantId}`;
		const events = await (await fetch(url, { headers: asManager })).text();
		expect(events).toContain("user-metadata:update");
		expect(events).not.toContain("none of the log");
	});

	it.each([
		["too long", { text: "x".repeat(4096) }],
		["not an object", ["x"]],
		["text", "x"],
	])("is refused if it is %s", async (_, metadata) => {
		const { tenantId, userId } = acme;
		const body = { tenantId, userId, metadata };
		const response = await issuers.post("/tenant/user-metadata/update", body, asManager);
		expect([response.status, await response.json()]).toMatchObject([
			...[400, { code: "VALIDATION_ERROR" }],
		]);
	});

	it("is refused if it is nested too deeply", async () => {
		const { tenantId, userId } = acme;
		const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
		const response = await fetch(`${issuers.baseUrl}/api/auth/tenant/user-metadata/update`, {
			method: "POST",
			headers: { ...asManager, "content-type": "application/json" },
			body: `{"tenantId":"${tenantId}","userId":"${userId}","metadata":{"x":${nested}}}`,
		});
		expect(response.status).toBe(400);
	});
});
