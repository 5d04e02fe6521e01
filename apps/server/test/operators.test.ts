import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	codeOf,
	inviteOperator,
	newOperator,
	operatorPassword,
	setUpSecondFactor,
	signIn,
} from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	managementKey,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const answerOf = async (response: Response) => ({
	status: response.status,
	body: (await response.json()) as Record<string, unknown>,
});

const me = async ({ call }: RunningService, headers: Record<string, string>) =>
	answerOf(await call("/api/auth/operator/me", { headers }));

const list = async ({ backend }: RunningService) => backend.auth.api.listOperators();

test("nobody signs up on the platform, and tenants are as before", async () => {
	const service = await runningService({ GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" });
	await newOperator(service, "owner", "root@example.com");
	// An operator's email gets the same answer: it must not tell who an operator is.
	for (const email of ["ada@example.com", "root@example.com"]) {
		const { status, body } = await answerOf(await service.post("/sign-up/email", newUser(email)));
		expect([status, body.code]).toEqual([403, "PLATFORM_SIGN_UP_CLOSED"]);
	}
	const social = await answerOf(await service.post("/sign-in/social", { provider: "github" }));
	expect([social.status, social.body.code]).toEqual([403, "PLATFORM_SIGN_UP_CLOSED"]);
	expect(await list(service)).toHaveLength(1);

	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	expect((await service.post("/sign-up/email", user, tenant)).status).toBe(200);
	expect((await service.post("/tenant/sign-in/email", user, tenant)).status).toBe(200);
	expect((await service.post("/sign-in/social", { provider: "github" }, tenant)).status).toBe(200);
});

test("the database refuses a platform user or session from any other path", async () => {
	const service = await runningService();
	const { internalAdapter } = await service.backend.auth.$context;
	const { id } = await newOperator(service, "owner");
	const user = { name: "Eve", email: "eve@example.com" };
	const source = { method: "magic-link" } as const;
	await expect(internalAdapter.createUser(user, source)).rejects.toMatchObject({
		body: { code: "PLATFORM_SIGN_UP_CLOSED" },
	});
	await expect(internalAdapter.createSession(id)).rejects.toMatchObject({
		body: { code: "PLATFORM_SIGN_UP_CLOSED" },
	});
});

test("an invitation works once, and signs in the operator with a role", async () => {
	const service = await runningService();
	const { id, token } = await inviteOperator(service, "Grace@Example.com", "support");
	expect(await list(service)).toMatchObject([
		{ id, email: "grace@example.com", name: "grace", role: "support", pending: true },
	]);
	expect((await signIn(service, "grace@example.com")).status).toBe(401);
	const choose = () => service.post("/reset-password", { token, newPassword: operatorPassword });
	expect((await choose()).status).toBe(200);
	expect((await answerOf(await choose())).body.code).toBe("INVALID_TOKEN");
	const cookie = cookiesOf(await signIn(service, "grace@example.com"));
	expect((await me(service, { cookie })).body).toMatchObject({
		...{ status: "allowed", kind: "administrator", id, email: "grace@example.com" },
		role: "support",
	});
	expect(await list(service)).toMatchObject([{ pending: false, secondFactor: false }]);
});

test("a link is sent by email if there is a mail server, and otherwise returned", async () => {
	const { post } = await runningService();
	const body = { email: "grace@example.com", role: "auditor" };
	const shown = await answerOf(await post("/operator/create", body, asManager));
	expect(shown.body.url).toMatch(
		/^http:\/\/localhost:3000\/console\/new-password\?token=[\w-]{32}$/,
	);
	const mailed = await runningService({
		SMTP_URL: "smtp://127.0.0.1:1",
		MAIL_FROM: "auth@example.com",
	});
	const sent = await answerOf(await mailed.post("/operator/create", body, asManager));
	expect(sent.body).toMatchObject({ url: null, operator: { email: "grace@example.com" } });
	expect(JSON.stringify(sent.body)).not.toContain("token");
});

test("a user of no tenant from before is not made an operator with the old password", async () => {
	const DATA_DIR = temporaryDirectory();
	const service = await runningService({ DATA_DIR });
	const eve = await newOperator(service, "owner", "boss@example.com");
	await service.backend.database.db.deleteFrom("operator" as never).execute();
	const body = { email: "boss@example.com", role: "owner" };
	const refused = await answerOf(await service.post("/operator/create", body, asManager));
	expect([refused.status, refused.body.code]).toEqual([409, "PLATFORM_USER_EXISTS"]);
	const replaced = await service.post("/operator/create", { ...body, replace: true }, asManager);
	expect(replaced.status).toBe(200);
	expect((await me(service, eve.headers)).status).toBe(403);
	expect((await signIn(service, "boss@example.com")).status).toBe(401);
	const again = await answerOf(await service.post("/operator/create", body, asManager));
	expect([again.status, again.body.code]).toEqual([409, "OPERATOR_ALREADY_EXISTS"]);
});

test("two invitations at the same time make one operator", async () => {
	const service = await runningService();
	const body = { email: "grace@example.com", role: "owner" };
	const answers = await Promise.all(
		[1, 2, 3].map(() => service.post("/operator/create", body, asManager)),
	);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
	expect(await list(service)).toHaveLength(1);
});

test("an owner changes roles and removes operators, but the last owner stays", async () => {
	const service = await runningService();
	const ada = await newOperator(service, "owner", "ada@example.com");
	const grace = await newOperator(service, "operator", "grace@example.com");
	const change = async (path: string, body: object) =>
		answerOf(await service.post(`/operator/${path}`, body, ada.headers));
	for (const [path, body] of [
		["update", { userId: ada.id, role: "operator" }],
		["remove", { userId: ada.id }],
	] as const) {
		const { status, body: answer } = await change(path, body);
		expect([status, answer.code]).toEqual([409, "LAST_OWNER"]);
	}
	expect((await change("update", { userId: grace.id, role: "owner" })).status).toBe(200);
	expect((await me(service, grace.headers)).body.role).toBe("owner");
	expect((await change("remove", { userId: grace.id })).status).toBe(200);
	expect((await me(service, grace.headers)).status).toBe(403);
	expect((await signIn(service, "grace@example.com")).status).toBe(401);
	expect((await change("remove", { userId: grace.id })).status).toBe(404);

	const events = await service.call("/api/auth/tenant/audit/list?limit=3", { headers: asManager });
	const actor = { kind: "administrator", id: ada.id, name: "ada" };
	expect(await events.json()).toMatchObject([
		{ action: "app:remove-operator", actor, targetId: grace.id, tenantId: null },
		{ action: "app:update-operator", actor, detail: { from: "operator", to: "owner" } },
		{ action: "app:create-operator", actor: { kind: "server", id: null } },
	]);
});

test("two owners who remove each other at the same time do not both succeed", async () => {
	const service = await runningService();
	const ada = await newOperator(service, "owner", "ada@example.com");
	const grace = await newOperator(service, "owner", "grace@example.com");
	const answers = await Promise.all([
		service.post("/operator/remove", { userId: grace.id }, ada.headers),
		service.post("/operator/update", { userId: ada.id, role: "auditor" }, grace.headers),
	]);
	expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	expect((await list(service)).filter(({ role }) => role === "owner")).toHaveLength(1);
});

test("a change of an owner changes the rows of all owners, so that two nodes of a cluster collide", async () => {
	const service = await runningService();
	const ada = await newOperator(service, "owner", "ada@example.com");
	const grace = await newOperator(service, "owner", "grace@example.com");
	const { adapter } = await service.backend.auth.$context;
	const old = new Date(0);
	await adapter.updateMany({ model: "operator", where: [], update: { lockedAt: old } });
	expect((await service.post("/operator/remove", { userId: grace.id }, ada.headers)).status).toBe(
		200,
	);
	const rows = await adapter.findMany<{ lockedAt: Date }>({ model: "operator" });
	expect(rows.map(({ lockedAt }) => lockedAt > old)).toEqual([true]);
});

test("a reset takes away password, passkeys, second factor and sessions", async () => {
	const service = await runningService({ REQUIRE_OPERATOR_SECOND_FACTOR: "true" });
	const ada = await newOperator(service, "auditor", "ada@example.com");
	await setUpSecondFactor(service, ada.headers);
	const { adapter } = await service.backend.auth.$context;
	const key = { credentialID: "of-ada", publicKey: "key", counter: 0, deviceType: "singleDevice" };
	const data = { ...key, userId: ada.id, backedUp: false, createdAt: new Date() };
	await adapter.create({ model: "passkey", data });
	const reset = await answerOf(
		await service.post("/operator/reset", { userId: ada.id }, asManager),
	);
	expect(reset.body).toMatchObject({ operator: { pending: true, secondFactor: false } });
	expect(await adapter.count({ model: "passkey" })).toBe(0);
	expect((await me(service, ada.headers)).status).toBe(403);
	expect((await signIn(service, "ada@example.com")).status).toBe(401);
	const token = new URL(String(reset.body.url)).searchParams.get("token");
	await service.post("/reset-password", { token, newPassword: operatorPassword });
	const cookie = cookiesOf(await signIn(service, "ada@example.com"));
	expect((await me(service, { cookie })).body.status).toBe("second-factor-required");
});

test("without a second factor, an operator may only set one up", async () => {
	const service = await runningService({ REQUIRE_OPERATOR_SECOND_FACTOR: "true" });
	const ada = await newOperator(service, "owner", "ada@example.com");
	expect((await me(service, ada.headers)).body.status).toBe("second-factor-required");
	const opened = await service.post("/operator/session/open", {}, ada.headers);
	expect(cookiesOf(opened)).not.toContain("console");
	const attempts = ["/api/auth/tenant/list", "/api/auth/operator/list", "/service/info"];
	for (const path of notEmpty(attempts)) {
		expect((await service.call(path, { headers: ada.headers })).status).toBe(403);
	}
	const { headers } = ada;
	const { secret } = await setUpSecondFactor(service, headers);
	for (const path of notEmpty(attempts))
		expect((await service.call(path, { headers })).status).toBe(200);

	// From now on, the password is not enough.
	const halfway = await signIn(service, "ada@example.com");
	expect(await halfway.json()).toMatchObject({ twoFactorRedirect: true });
	const cookie = cookiesOf(halfway);
	const pending = { cookie, origin: service.baseUrl };
	expect((await service.call("/api/auth/tenant/list", { headers: pending })).status).not.toBe(200);
	const wrong = await service.post("/two-factor/verify-totp", { code: "000000" }, pending);
	expect(wrong.status).toBe(401);
	const right = await service.post("/two-factor/verify-totp", { code: codeOf(secret) }, pending);
	expect(right.status).toBe(200);
	expect((await me(service, { cookie: cookiesOf(right) })).body.status).toBe("allowed");
});

test.each([
	["http://localhost:3000", {}, "allowed"],
	["https://auth.example.com", {}, "second-factor-required"],
	["https://auth.example.com", { REQUIRE_OPERATOR_SECOND_FACTOR: "false" }, "allowed"],
] as const)("at %s with %j an operator with a password is %s", async (url, setting, status) => {
	const service = await runningService({ BETTER_AUTH_URL: url, ...setting });
	const { headers } = await newOperator(service, "owner");
	expect((await me(service, headers)).body.status).toBe(status);
});

test("ADMIN_USER_IDS are owners, whom only the settings can change", async () => {
	const DATA_DIR = temporaryDirectory();
	const first = await runningService({ DATA_DIR });
	const { id, headers } = await newOperator(first, "support", "root@example.com");
	await first.close();
	const service = await runningService({ DATA_DIR, ADMIN_USER_IDS: id });
	expect((await me(service, headers)).body).toMatchObject({ role: "owner" });
	expect(await list(service)).toMatchObject([{ id, role: "owner", fromSettings: true }]);
	const changed = await answerOf(
		await service.post("/operator/update", { userId: id, role: "support" }, asManager),
	);
	expect([changed.status, changed.body.code]).toEqual([409, "OPERATOR_FROM_SETTINGS"]);
});

test("an operator cannot delete the own account", async () => {
	const service = await runningService();
	const { headers } = await newOperator(service, "owner");
	const { status } = await service.post("/delete-user", { password: operatorPassword }, headers);
	expect(status).toBe(403);
	expect(await list(service)).toHaveLength(1);
});

test("a tenant's user with the id of an operator's row is nobody", async () => {
	const service = await runningService();
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const signedUp = await service.post("/tenant/sign-up/email", newUser("ada@example.com"), tenant);
	const { user } = (await signedUp.clone().json()) as { user: { id: string } };
	const { adapter } = await service.backend.auth.$context;
	const data = { userId: user.id, role: "owner", createdAt: new Date() };
	await adapter.create({ model: "operator", data });
	const cookie = cookiesOf(signedUp);
	for (const headers of [{ cookie }, { cookie, ...tenant }]) {
		expect((await me(service, headers)).status).toBe(403);
		expect((await service.call("/api/auth/tenant/list", { headers })).status).toBe(403);
	}
	expect(await list(service)).toEqual([]);
});

const consoleCookieOf = (response: Response) =>
	response.headers.getSetCookie().find((cookie) => cookie.includes("console=")) ?? "";

test("a management key is exchanged for a cookie that no script and no other site can use", async () => {
	const service = await runningService();
	// Better Auth turns it off in tests.
	(await service.backend.auth.$context).skipOriginCheck = false;
	const wrong = await service.post("/operator/session/open", { key: "not-a-key" });
	expect((await answerOf(wrong)).body.code).toBe("KEY_NOT_VALID");
	const opened = await service.post("/operator/session/open", { key: managementKey });
	const set = consoleCookieOf(opened);
	expect(set).toMatch(/; HttpOnly/);
	expect(set).toMatch(/; SameSite=Strict/);
	expect(set).not.toContain(managementKey);
	const headers = { cookie: set.split(";")[0] ?? "", origin: service.baseUrl };
	expect((await service.call("/api/auth/tenant/list", { headers })).status).toBe(200);
	expect((await service.call("/service/overview", { headers })).status).toBe(200);
	const tenant = { name: "Acme", slug: "acme" };
	const foreign = { ...headers, origin: "https://evil.example.com" };
	expect((await service.post("/tenant/create", tenant, foreign)).status).toBe(403);
	expect((await service.post("/tenant/create", tenant, headers)).status).toBe(200);
	const forged = { ...headers, cookie: headers.cookie.replace(/shared-key/, "key") };
	expect((await service.call("/api/auth/tenant/list", { headers: forged })).status).not.toBe(200);

	const closed = await service.post("/operator/session/close", {}, headers);
	expect(consoleCookieOf(closed)).toMatch(/Max-Age=0/);
});

test("a console session ends with its key, and with the key in the settings", async () => {
	const DATA_DIR = temporaryDirectory();
	const service = await runningService({ DATA_DIR });
	const { key, id } = await service.backend.auth.api.createOperatorKey({
		body: { name: "laptop", scopes: ["operator"] },
	});
	const open = async (text: string) => {
		const opened = await service.post("/operator/session/open", { key: text });
		return { cookie: consoleCookieOf(opened).split(";")[0] ?? "" };
	};
	const byKey = await open(key);
	const byShared = await open(managementKey);
	expect((await me(service, byKey)).body).toMatchObject({ kind: "key", id, name: "laptop" });
	expect((await me(service, byShared)).status).toBe(200);
	await service.post("/operator/key/revoke", { id }, asManager);
	expect((await me(service, byKey)).status).toBe(403);
	await service.close();
	const other = await runningService({ DATA_DIR, MANAGEMENT_KEYS: "another-key-for-tests" });
	expect((await me(other, byShared)).status).toBe(403);
});

test("a console session survives a sign-in at a tenant's page, and ends at sign-out", async () => {
	const service = await runningService();
	const ada = await newOperator(service, "owner", "ada@example.com");
	const opened = await service.post("/operator/session/open", {}, ada.headers);
	const console = consoleCookieOf(opened).split(";")[0] ?? "";
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	const ofTenant = cookiesOf(await service.post("/tenant/sign-up/email", user, tenant));
	// The browser has replaced the session cookie of Better Auth.
	const headers = { cookie: `${ofTenant}; ${console}`, origin: service.baseUrl };
	expect((await me(service, headers)).body).toMatchObject({ email: "ada@example.com" });
	expect((await service.call("/api/auth/tenant/list", { headers })).status).toBe(200);
	expect((await service.call("/api/auth/operator/list", { headers })).status).toBe(200);

	const signIns = "/api/auth/tenant/audit/list?action=app:sign-in";
	expect(await (await service.call(signIns, { headers })).json()).toMatchObject([
		{ actor: { kind: "administrator", id: ada.id, name: "ada" }, tenantId: null },
	]);
	expect((await service.post("/operator/session/close", {}, headers)).status).toBe(200);
	expect((await me(service, headers)).status).toBe(403);
	expect((await me(service, ada.headers)).status).toBe(403);
	const session = await service.call("/api/auth/get-session", { headers: { cookie: ofTenant } });
	expect(await session.json()).toMatchObject({ user: { email: "ada@example.com" } });
});

test("in the console, the session of a tenant's user in the same browser does not count", async () => {
	const service = await runningService();
	const ada = await newOperator(service, "owner", "ada@example.com");
	const opened = await service.post("/operator/session/open", {}, ada.headers);
	const metadata = { plan: "business" };
	const tenantId = await newTenant(service.post, "acme", { metadata });
	const user = { ...newUser("eve@example.com"), tenantId };
	await service.post("/tenant/user/create", { ...user, role: "admin" }, asManager);
	const signedIn = await service.post("/tenant/sign-in/email", user, { "x-tenant-id": tenantId });
	const cookie = `${cookiesOf(signedIn)}; ${consoleCookieOf(opened).split(";")[0]}`;
	const origin = service.baseUrl;
	const read = async (headers: Record<string, string>) =>
		(await service.call(`/api/auth/tenant/get?id=${tenantId}`, { headers })).json();
	// The admin of a tenant sees branding only.
	expect(await read({ cookie })).toMatchObject({ metadata: null });
	const headers = { cookie, origin, "x-console": "yes" };
	expect(await read(headers)).toMatchObject({ metadata });
	expect((await service.post("/tenant/suspend", { tenantId }, headers)).status).toBe(200);
	expect((await me(service, headers)).body).toMatchObject({ email: "ada@example.com" });
	expect((await service.call("/service/info", { headers })).status).toBe(200);
	const [event] = (await (
		await service.call("/api/auth/tenant/audit/list?action=tenant:suspend", { headers })
	).json()) as { actor: object }[];
	expect(event?.actor).toEqual({ kind: "administrator", id: ada.id, name: "ada" });
	// Without the cookie of the console, the header changes nothing.
	const alone = { cookie: cookiesOf(signedIn), "x-console": "yes" };
	expect((await service.call("/api/auth/tenant/list", { headers: alone })).status).not.toBe(200);
});

test("no operator is moved into a tenant, and only owners move users and erase events", async () => {
	const service = await runningService();
	const owner = await newOperator(service, "owner", "root@example.com");
	const operator = await newOperator(service, "operator", "ada@example.com");
	const tenantId = await newTenant(service.post);
	const move = (userId: string, headers: Record<string, string>) =>
		service.post("/tenant/user/move", { tenantId, userIds: [userId] }, headers);
	expect((await move(owner.id, operator.headers)).status).toBe(403);
	for (const headers of [owner.headers, asManager]) {
		for (const { id } of [owner, operator]) {
			const refused = await answerOf(await move(id, headers));
			expect(refused.body).toMatchObject({
				code: "MOVE_REFUSED",
				conflicts: [{ code: "PLATFORM_ADMIN", userId: id }],
			});
		}
	}
	expect(await list(service)).toHaveLength(2);
	expect((await service.post("/tenant/delete", { tenantId }, operator.headers)).status).toBe(200);
	const erase = (headers: Record<string, string>) =>
		service.post("/tenant/audit/erase", { tenantId }, headers);
	expect((await erase(operator.headers)).status).toBe(403);
	expect((await erase(owner.headers)).status).toBe(200);
});
