import { runInTenant } from "better-auth-tenant";
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";

import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { useFixedKeys } from "./fixed-keys";
import {
	asManager,
	cookiesOf,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const REDIRECT_URI = "https://app.example.com/callback";
const web = { name: "Notes", type: "web", redirectUris: [REDIRECT_URI] };
const machine = { name: "Job", type: "machine" };

type Answer = Record<string, unknown> & {
	clientId: string;
	clientSecret: string | null;
	code?: string;
};

beforeAll(() => useFixedKeys());

async function withTenant(environment: Record<string, string> = {}) {
	const service = await runningService(environment);
	const tenantId = await newTenant(service.post);
	const manage = async (
		path: string,
		body: object,
		headers: Record<string, string> = asManager,
	) => {
		const response = await service.post(`/tenant/application/${path}`, body, headers);
		return { status: response.status, body: (await response.json()) as Answer };
	};
	const create = async (more: object = web) => (await manage("create", { tenantId, ...more })).body;
	const read = async (path: string, headers: Record<string, string> = asManager) => {
		const response = await service.call(`/api/auth/tenant/application/${path}`, { headers });
		return { status: response.status, body: (await response.json()) as unknown };
	};
	return { ...service, tenantId, manage, create, read };
}

/** A token that an application gets for itself. */
async function tokenFor(
	call: RunningService["call"],
	{ clientId, clientSecret }: Pick<Answer, "clientId" | "clientSecret">,
	{ issuer = "/t/acme", ...fields }: Record<string, string> = {},
) {
	const response = await call(`${issuer}/oauth2/token`, {
		method: "POST",
		body: new URLSearchParams({
			grant_type: "client_credentials",
			client_id: clientId,
			client_secret: clientSecret ?? "",
			...fields,
		}),
	});
	const body = (await response.json()) as { access_token: string; error?: string };
	return { status: response.status, body };
}

describe("an application", () => {
	test("is created, read, changed and deleted", async () => {
		const { tenantId, manage, read, create } = await withTenant();
		const created = await create({ ...web, logoUrl: "https://app.example.com/logo.png" });
		const { clientSecret, ...application } = created;
		expect(clientSecret).toMatch(/^\w{48}$/);
		expect(application).toEqual({
			clientId: expect.stringMatching(/^\w{32}$/),
			tenantId,
			name: "Notes",
			type: "web",
			logoUrl: "https://app.example.com/logo.png",
			redirectUris: [REDIRECT_URI],
			postLogoutRedirectUris: [],
			backchannelLogoutUri: null,
			backchannelLogoutSessionRequired: true,
			allowedOrigins: [],
			scopes: ["openid", "profile", "email", "roles", "permissions", "offline_access", "api"],
			firstParty: false,
			requirePkce: true,
			deviceFlow: false,
			dpop: false,
			offlineAccess: false,
			refreshDays: null,
			accessTokenMinutes: null,
			idTokenMinutes: null,
			claimsInIdToken: true,
			claims: {},
			jwks: null,
			jwksUri: null,
			disabled: false,
			previousSecretUntil: null,
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
		});
		const { clientId } = application;
		expect((await read(`list?tenantId=${tenantId}`)).body).toEqual([application]);
		expect((await read(`get?tenantId=${tenantId}&clientId=${clientId}`)).body).toEqual(application);
		const changes = {
			name: "Notes 2",
			firstParty: true,
			allowedOrigins: ["https://app.example.com"],
			disabled: true,
		};
		const updated = await manage("update", { tenantId, clientId, ...changes });
		expect(updated.body).toMatchObject({ ...changes, redirectUris: [REDIRECT_URI], type: "web" });
		expect((await manage("delete", { tenantId, clientId })).body).toEqual({ success: true });
		expect((await read(`list?tenantId=${tenantId}`)).body).toEqual([]);
	});

	test.each(["spa", "native"])("of type %s has no secret", async (type) => {
		const { tenantId, create, manage } = await withTenant();
		const { clientSecret, clientId } = await create({ ...web, type });
		expect(clientSecret).toBeNull();
		const rotated = await manage("rotate-secret", { tenantId, clientId });
		expect([rotated.status, rotated.body.code]).toEqual([400, "INVALID_APPLICATION"]);
	});

	test("gets a new secret, and the old one stops", async () => {
		const { tenantId, call, create, manage } = await withTenant();
		const created = await create(machine);
		const { body: rotated } = await manage("rotate-secret", {
			tenantId,
			clientId: created.clientId,
		});
		expect((await tokenFor(call, created)).body.error).toBe("invalid_client");
		expect((await tokenFor(call, rotated)).status).toBe(200);
	});

	test("keeps the old secret for the hours that the rotation names, and no older one", async () => {
		const { tenantId, call, create, manage } = await withTenant();
		const created = await create(machine);
		const { clientId } = created;
		const statuses = async (...secrets: Answer[]) =>
			Promise.all(secrets.map(async (one) => (await tokenFor(call, one)).status));
		const rotate = (overlapHours?: number) =>
			manage("rotate-secret", { tenantId, clientId, overlapHours });
		const first = (await rotate(24)).body;
		const until = new Date(String(first.previousSecretUntil)).getTime();
		expect(until).toBeGreaterThan(Date.now() + 23 * 60 * 60 * 1000);
		expect(await statuses(created, first)).toEqual([200, 200]);
		const second = (await rotate(1)).body;
		expect(await statuses(created, first, second)).toEqual([401, 200, 200]);

		vi.useFakeTimers({ now: Date.now() + 61 * 60 * 1000, toFake: ["Date"] });
		onTestFinished(() => void vi.useRealTimers());
		expect(await statuses(first, second)).toEqual([401, 200]);
		vi.useRealTimers();

		const last = (await rotate()).body;
		expect(last.previousSecretUntil).toBeNull();
		expect(await statuses(first, second, last)).toEqual([401, 401, 200]);
		expect((await rotate(25)).status).toBe(400);
	});

	test("that is disabled or deleted gets no tokens, and its tokens stop", async () => {
		const { tenantId, call, create, manage } = await withTenant();
		const observer = await create(web);
		const created = await create(machine);
		const { clientId } = created;
		const { access_token: token } = (await tokenFor(call, created)).body;
		const introspect = async ({ clientId, clientSecret }: Answer) => {
			const response = await call("/t/acme/oauth2/introspect", {
				method: "POST",
				body: new URLSearchParams({
					client_id: clientId,
					client_secret: clientSecret ?? "",
					token,
				}),
			});
			return (await response.json()) as { active?: boolean; error?: string };
		};
		expect(await introspect(created)).toMatchObject({ active: true });
		// Only its own client may look at a token.
		expect(await introspect(observer)).toEqual({ active: false });
		await manage("update", { tenantId, clientId, disabled: true });
		expect((await tokenFor(call, created)).body.error).toBe("invalid_client");
		expect(await introspect(created)).toMatchObject({ error: "invalid_client" });
		await manage("update", { tenantId, clientId, disabled: false });
		expect(await introspect(created)).toMatchObject({ active: true });
		await manage("delete", { tenantId, clientId });
		expect((await tokenFor(call, created)).body.error).toBe("invalid_client");
	});

	test("of another tenant is not found, and not listed", async () => {
		const { post, manage, read, create } = await withTenant();
		const { clientId } = await create();
		const other = await newTenant(post, "globex");
		expect((await read(`list?tenantId=${other}`)).body).toEqual([]);
		for (const path of ["update", "rotate-secret", "delete"]) {
			const answer = await manage(path, { tenantId: other, clientId });
			expect([answer.status, answer.body.code]).toEqual([404, "APPLICATION_NOT_FOUND"]);
		}
		expect((await read(`get?tenantId=${other}&clientId=${clientId}`)).status).toBe(404);
	});

	test("is refused with bad input, and nothing is created", async () => {
		const { tenantId, manage, read } = await withTenant();
		const wrong: object[] = [
			{ ...web, type: "desktop" },
			{ ...web, name: " " },
			{ ...web, name: "a\0" },
			{ ...web, redirectUris: [] },
			{ ...web, redirectUris: ["http://app.example.com/callback"] },
			{ ...web, redirectUris: ["https://app.example.com/#callback"] },
			{ ...web, redirectUris: ["https://user:password@app.example.com/"] },
			{ ...web, redirectUris: ["javascript:alert(1)"] },
			{ ...web, redirectUris: ["com.example.app:/callback"] },
			{ ...web, redirectUris: "https://app.example.com" },
			{ ...web, type: "native", redirectUris: ["myapp://callback"] },
			{ ...web, postLogoutRedirectUris: ["/goodbye"] },
			{ ...web, allowedOrigins: ["https://app.example.com/"] },
			{ ...web, allowedOrigins: ["*"] },
			{ ...web, allowedOrigins: ["null"] },
			{ ...web, scopes: ["openid", "admin"] },
			{ ...web, scopes: [] },
			{ ...web, type: "spa", requirePkce: false },
			{ ...web, logoUrl: "http://app.example.com/logo.png" },
			{ ...machine, redirectUris: [REDIRECT_URI] },
			{ ...machine, scopes: ["openid"] },
		];
		for (const body of notEmpty(wrong)) {
			const answer = await manage("create", { tenantId, ...body });
			expect([body, answer.status]).toEqual([body, 400]);
			expect(answer.body.code).toMatch(/^(VALIDATION_ERROR|INVALID_APPLICATION)$/);
		}
		expect((await read(`list?tenantId=${tenantId}`)).body).toEqual([]);
	});

	test("is managed by an owner of its tenant, and by nobody else", async () => {
		const { tenantId, post, manage, create } = await withTenant();
		const { clientId } = await create();
		const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
			"x-tenant-id": tenantId,
		});
		const cookie = { cookie: cookiesOf(signedUp), origin: "http://localhost:3000" };
		const { user } = (await signedUp.json()) as { user: { id: string } };
		const named = { tenantId, clientId };
		const calls = {
			create: { tenantId, ...web },
			update: named,
			"rotate-secret": named,
			delete: named,
		};
		for (const [path, body] of notEmpty(Object.entries(calls))) {
			expect((await manage(path, body, {})).status).toBe(401);
			expect((await manage(path, body, cookie)).status).toBe(403);
		}
		await post("/tenant/user/update", { tenantId, userId: user.id, role: "owner" }, asManager);
		expect((await manage("create", web, cookie)).status).toBe(200);
		const other = await newTenant(post, "globex");
		expect((await manage("create", { tenantId: other, ...web }, cookie)).status).toBe(403);
	});

	test("asks everybody for consent, unless an owner or an operator decides otherwise", async () => {
		const { tenantId, post, manage, create } = await withTenant();
		const firstParty = await create({ ...web, firstParty: true });
		const { clientId } = await create();
		const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
			"x-tenant-id": tenantId,
		});
		const cookie = { cookie: cookiesOf(signedUp), origin: "http://localhost:3000" };
		const { user } = (await signedUp.json()) as { user: { id: string } };
		const give = (role: string) =>
			post("/tenant/user/update", { tenantId, userId: user.id, role }, asManager);
		const redirectUris = ["https://admin.example.com/callback"];
		const calls: [string, object][] = [
			["create", { ...web, firstParty: true }],
			["update", { clientId, firstParty: true }],
			["update", { clientId: firstParty.clientId, redirectUris }],
			["update", { clientId: firstParty.clientId, firstParty: false }],
			["rotate-secret", { clientId: firstParty.clientId }],
		];
		await give("admin");
		for (const [path, body] of notEmpty(calls)) {
			const refused = await manage(path, body, cookie);
			expect([refused.status, refused.body.code]).toEqual([403, "ROLE_NOT_ALLOWED"]);
		}
		expect((await manage("update", { clientId, redirectUris }, cookie)).status).toBe(200);
		await give("owner");
		for (const [path, body] of notEmpty(calls)) {
			expect((await manage(path, body, cookie)).status).toBe(200);
		}
	});

	test("has its changes in the audit log, without a secret", async () => {
		const { tenantId, call, create, manage } = await withTenant();
		const { clientId, clientSecret } = await create();
		await manage("update", { tenantId, clientId, name: "Other" });
		const { body: rotated } = await manage("rotate-secret", { tenantId, clientId });
		await manage("delete", { tenantId, clientId });
		const response = await call(`/api/auth/tenant/audit/list?tenantId=${tenantId}`, {
			headers: asManager,
		});
		const text = await response.text();
		type Event = { action: string; targetId: string; detail: { name?: string } };
		const events = JSON.parse(text) as Event[];
		const ofApplication = events.filter(({ targetId }) => targetId === clientId);
		expect(ofApplication.map(({ action }) => action).reverse()).toEqual([
			"application:create",
			"application:update",
			"application:rotate-secret",
			"application:delete",
		]);
		// Each says which application it was, also after the application is gone.
		expect(ofApplication.map(({ detail }) => detail.name).reverse()).toEqual([
			web.name,
			"Other",
			"Other",
			"Other",
		]);
		expect(text).not.toContain(clientSecret);
		expect(text).not.toContain(rotated.clientSecret);
	});
});

describe("pages of other origins", () => {
	const origin = "https://app.example.com";
	const paths = ["/oauth2/token", "/oauth2/userinfo", "/jwks", "/.well-known/openid-configuration"];

	test("may call the tenant whose application allows them, and no other", async () => {
		const { post, call, create } = await withTenant();
		await newTenant(post, "globex");
		await create({ ...web, type: "spa", allowedOrigins: [origin] });
		for (const path of notEmpty(paths)) {
			const allowed = async (issuer: string, from: string, method: string) => {
				const response = await call(`${issuer}${path}`, { method, headers: { origin: from } });
				return response.headers.get("access-control-allow-origin");
			};
			for (const method of ["OPTIONS", path === "/oauth2/token" ? "POST" : "GET"]) {
				expect(await allowed("/t/acme", origin, method)).toBe(origin);
				expect(await allowed("/t/acme", "https://evil.example", method)).toBeNull();
				expect(await allowed("/t/globex", origin, method)).toBeNull();
			}
		}
		const preflight = await call("/t/acme/oauth2/token", {
			method: "OPTIONS",
			headers: { origin, "access-control-request-method": "POST" },
		});
		expect(preflight.status).toBe(204);
		expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
	});
});

describe("with TENANT_DOMAIN", () => {
	test("the issuer is the tenant's own host", async () => {
		const service = await withTenant({
			BETTER_AUTH_URL: "https://auth.example.com",
			TENANT_DOMAIN: "example.com",
			API_AUDIENCES: "https://api.example.com",
		});
		const { call, create, post } = service;
		await newTenant(post, "globex");
		const issuer = "https://acme.example.com";
		const document = await call(`${issuer}/.well-known/openid-configuration`);
		expect(await document.json()).toMatchObject({
			issuer,
			token_endpoint: `${issuer}/oauth2/token`,
			jwks_uri: `${issuer}/jwks`,
		});
		const created = await create(machine);
		const resource = "https://api.example.com";
		const { body } = await tokenFor(call, created, { issuer, resource });
		const keys = (await (await call(`${issuer}/jwks`)).json()) as JSONWebKeySet;
		const { payload } = await jwtVerify(body.access_token, createLocalJWKSet(keys), { issuer });
		expect(payload.tenant_id).toBe(service.tenantId);
		const elsewhere = await tokenFor(call, created, { issuer: "https://globex.example.com" });
		expect(elsewhere.body.error).toBe("invalid_client");
		const onOwnHost = await tokenFor(call, created, { issuer: "https://auth.example.com" });
		expect(onOwnHost.status).toBe(404);
	});
});

describe("the signing key of a tenant", () => {
	test("is replaced after its time, and stays published for its tokens", async () => {
		const service = await withTenant({ API_AUDIENCES: "https://api.example.com" });
		const { call, create, tenantId, backend } = service;
		const created = await create(machine);
		const issue = async () => {
			const { body } = await tokenFor(call, created, { resource: "https://api.example.com" });
			return body.access_token;
		};
		const published = async () =>
			(await (await call("/t/acme/jwks")).json()) as { keys: { kid: string }[] };
		const first = await issue();
		expect(decodeProtectedHeader(await issue()).kid).toBe(decodeProtectedHeader(first).kid);

		const { adapter } = await backend.auth.$context;
		const expireAt = (expiresAt: Date) =>
			runInTenant(backend.auth, tenantId, () =>
				adapter.updateMany({
					model: "jwks",
					where: [{ field: "id", value: decodeProtectedHeader(first).kid ?? "" }],
					update: { expiresAt },
				}),
			);
		await expireAt(new Date(Date.now() - 1000));
		const second = await issue();
		expect(decodeProtectedHeader(second).kid).not.toBe(decodeProtectedHeader(first).kid);
		const both = createLocalJWKSet(await published());
		await jwtVerify(first, both);
		await jwtVerify(second, both);

		await expireAt(new Date(Date.now() - 3 * 24 * 60 * 60 * 1000));
		expect((await published()).keys.map(({ kid }) => kid)).toEqual([
			decodeProtectedHeader(second).kid,
		]);
	});
});

test("COOKIE_DOMAIN gives apps below the domain the session cookie", async () => {
	const signUp = async (environment: Record<string, string>) => {
		const { post } = await runningService({
			BETTER_AUTH_URL: "https://auth.example.com",
			...environment,
		});
		const tenantId = await newTenant(post);
		const headers = { "x-tenant-id": tenantId };
		const response = await post("/tenant/sign-up/email", newUser("ada@example.com"), headers);
		return response.headers.getSetCookie().find((cookie) => cookie.includes("session_token="));
	};
	expect(await signUp({ COOKIE_DOMAIN: "example.com" })).toMatch(/; Domain=example\.com(;|$)/);
	expect(await signUp({})).not.toMatch(/domain/i);
});

test("an application whose scope is no longer offered can still be changed", async () => {
	const DATA_DIR = temporaryDirectory();
	const before = await withTenant({ DATA_DIR, API_SCOPES: "read" });
	const { clientId } = await before.create({ ...machine, scopes: ["read"] });
	const { tenantId } = before;
	const { post } = await runningService({ DATA_DIR });
	const update = async (changes: object) =>
		(await post("/tenant/application/update", { tenantId, clientId, ...changes }, asManager))
			.status;
	expect(await update({ disabled: true })).toBe(200);
	expect(await update({ scopes: ["write"] })).toBe(400);
});
