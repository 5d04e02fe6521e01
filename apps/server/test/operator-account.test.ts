import { expect, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import {
	codeOf,
	newOperator,
	operatorPassword as password,
	secretOf,
	setUpSecondFactor,
	signIn,
} from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	newIp,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";

type Account = {
	name: string;
	secondFactor: boolean;
	recoveryCodesLeft: number;
	sessions: { id: string; current: boolean }[];
};

type Headers = Record<string, string>;

/** The calls of one operator to the own account. */
const accountOf = ({ call, post }: RunningService, headers: Headers) => ({
	get: async () =>
		(await (await call("/api/auth/operator/account", { headers })).json()) as Account,
	status: async () => (await call("/api/auth/operator/account", { headers })).status,
	change: async (path: string, body: object = {}) => {
		const response = await post(`/operator/account/${path}`, body, headers);
		const answer = (await response.json()) as { code?: string } & Record<string, unknown>;
		return { status: response.status, code: answer.code, answer };
	},
});

const eventsOf = async ({ call }: RunningService, action: string) => {
	const path = `/api/auth/tenant/audit/list?action=app:${action}`;
	return (await (await call(path, { headers: asManager })).json()) as object[];
};

test.each(["owner", "operator", "auditor", "support"] as const)(
	"a person with the role %s sees and renames the own account",
	async (role) => {
		const service = await runningService();
		const { id, email, headers } = await newOperator(service, role);
		const { get, change } = accountOf(service, headers);
		const account = await get();
		expect(account).toMatchObject({ id, email, name: role, role, secondFactor: false });
		expect(account.sessions).toMatchObject([{ current: true }]);
		// Whoever sees a token could use the session.
		expect(JSON.stringify(account)).not.toContain("token");
		expect((await change("update", { name: " Ada Lovelace " })).status).toBe(200);
		expect((await change("update", { name: "Ada Lovelace" })).status).toBe(200);
		for (const name of [" ", "Ada\u0000", "Ada\r\nBcc: eve@example.com", "x".repeat(101), null]) {
			expect((await change("update", { name })).status).toBe(400);
		}
		expect((await get()).name).toBe("Ada Lovelace");
		const actor = { kind: "administrator", id };
		const detail = { email, from: role, to: "Ada Lovelace" };
		expect(await eventsOf(service, "update-account")).toMatchObject([
			{ actor, targetId: id, tenantId: null, detail },
		]);
	},
);

test("keys, users of tenants and strangers have no account", async () => {
	const service = await runningService();
	const { key } = await service.backend.auth.api.createOperatorKey({
		body: { name: "laptop", scopes: ["operator"] },
	});
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = await service.post("/tenant/sign-up/email", newUser("ada@example.com"), tenant);
	const callers: [Headers, number][] = [
		[asManager, 403],
		[{ authorization: `Bearer ${key}` }, 403],
		[{ cookie: cookiesOf(user) }, 403],
		[{}, 401],
	];
	for (const [headers, status] of notEmpty(callers)) {
		const account = accountOf(service, { origin: service.baseUrl, ...headers });
		expect(await account.status()).toBe(status);
		for (const [path, body] of [
			["update", { name: "Eve" }],
			["change-password", { currentPassword: password, newPassword: "another password" }],
			["set-up-second-factor", { password }],
			["confirm-second-factor", { setup: "x", code: "000000" }],
			["create-recovery-codes", { password }],
			["revoke-session", { id: "x" }],
			["revoke-other-sessions", {}],
		] as const) {
			expect((await account.change(path, body)).status).toBe(status);
		}
	}
	expect((await accountOf(service, asManager).change("update", { name: "Eve" })).code).toBe(
		"NO_OPERATOR_ACCOUNT",
	);
});

test("a new password needs the current one, and ends the other sessions", async () => {
	const service = await runningService();
	const { id, email, headers } = await newOperator(service, "auditor");
	const other = { cookie: cookiesOf(await signIn(service, email)), origin: service.baseUrl };
	const { change, status } = accountOf(service, headers);
	const newPassword = "another long password";
	for (const [body, code] of [
		[{ currentPassword: "wrong", newPassword }, "INVALID_PASSWORD"],
		[{ currentPassword: password, newPassword: "short" }, "PASSWORD_TOO_SHORT"],
		[{ currentPassword: password, newPassword: "x".repeat(200) }, "PASSWORD_TOO_LONG"],
	] as const) {
		expect(await change("change-password", body)).toMatchObject({ status: 400, code });
	}
	expect(await accountOf(service, other).status()).toBe(200);
	const changed = await change("change-password", { currentPassword: password, newPassword });
	expect(changed.status).toBe(200);
	expect(await status()).toBe(200);
	expect(await accountOf(service, other).status()).toBe(403);
	expect((await signIn(service, email)).status).toBe(401);
	expect((await service.post("/sign-in/email", { email, password: newPassword })).status).toBe(200);
	const detail = { email, endedSessions: 1 };
	const events = await eventsOf(service, "change-password");
	expect(events).toMatchObject([{ targetId: id, detail }]);
	expect(JSON.stringify(events)).not.toContain(newPassword);
});

test("a second factor is replaced when the new one has shown a code, and not before", async () => {
	const service = await runningService();
	const { email, headers } = await newOperator(service, "owner");
	const { get, change } = accountOf(service, headers);
	const first = await setUpSecondFactor(service, headers);
	expect(await get()).toMatchObject({ secondFactor: true, recoveryCodesLeft: 10 });
	const signInWith = async (code: string) => {
		const cookie = cookiesOf(await signIn(service, email));
		const pending = { cookie, origin: service.baseUrl };
		return service.post("/two-factor/verify-totp", { code }, pending);
	};
	const other = cookiesOf(await signInWith(codeOf(first.secret)));

	const wrong = await change("set-up-second-factor", { password: "wrong" });
	expect(wrong).toMatchObject({ status: 400, code: "INVALID_PASSWORD" });
	const { answer } = await change("set-up-second-factor", { password });
	const secret = secretOf(String(answer.totpURI));
	expect(new URL(String(answer.totpURI)).searchParams.get("issuer")).toBe("localhost:3000");
	const { setup } = answer;
	expect(await change("confirm-second-factor", { setup, code: "000000" })).toMatchObject({
		status: 400,
		code: "INVALID_CODE",
	});
	// The old one works until then.
	expect((await signInWith(codeOf(secret))).status).toBe(401);
	expect((await signInWith(codeOf(first.secret))).status).toBe(200);
	const confirm = { setup, code: codeOf(secret) };
	expect((await change("confirm-second-factor", confirm)).status).toBe(200);
	expect((await signInWith(codeOf(first.secret))).status).toBe(401);
	expect((await signInWith(codeOf(secret))).status).toBe(200);
	expect(await accountOf(service, { cookie: other }).status()).toBe(403);
	expect(await eventsOf(service, "set-up-second-factor")).toMatchObject([
		{ detail: { replaced: true, endedSessions: 2 } },
		{ detail: { replaced: false, endedSessions: 0 } },
	]);
});

test("the first second factor ends sessions that began with the password alone", async () => {
	const service = await runningService({ REQUIRE_OPERATOR_SECOND_FACTOR: "true" });
	const { email, headers } = await newOperator(service, "owner");
	const other = { cookie: cookiesOf(await signIn(service, email)) };
	const bodies = {
		update: { name: "Ada" },
		"revoke-other-sessions": {},
		"create-recovery-codes": { password },
	};
	for (const [path, body] of notEmpty(Object.entries(bodies))) {
		const { change } = accountOf(service, headers);
		expect(await change(path, body)).toMatchObject({
			status: 403,
			code: "SECOND_FACTOR_REQUIRED",
		});
	}
	expect((await setUpSecondFactor(service, headers)).status).toBe(200);
	expect(await accountOf(service, headers).status()).toBe(200);
	expect(await accountOf(service, other).status()).toBe(403);
});

test("a set-up is for one operator and ten minutes", async () => {
	stopClock();
	const service = await runningService();
	const ada = await newOperator(service, "owner", "ada@example.com");
	const eve = await newOperator(service, "support", "eve@example.com");
	const { answer } = await accountOf(service, ada.headers).change("set-up-second-factor", {
		password,
	});
	const confirm = ({ headers }: { headers: Headers }, setup: unknown = answer.setup) => {
		const code = codeOf(secretOf(String(answer.totpURI)));
		return accountOf(service, headers).change("confirm-second-factor", { setup, code });
	};
	const notValid = { status: 400, code: "SETUP_NOT_VALID" };
	expect(await confirm(eve)).toMatchObject(notValid);
	expect(await confirm(ada, "something else")).toMatchObject(notValid);
	vi.setSystemTime(Date.now() + 10 * 60_000);
	expect(await confirm(ada)).toMatchObject(notValid);
	expect(await accountOf(service, ada.headers).get()).toMatchObject({ secondFactor: false });
});

test("a set-up is for one session, works once, and ends with the password", async () => {
	const service = await runningService();
	const { email, headers } = await newOperator(service, "owner");
	const other = { cookie: cookiesOf(await signIn(service, email)), origin: service.baseUrl };
	const { change, get } = accountOf(service, headers);
	const notValid = { status: 400, code: "SETUP_NOT_VALID" };
	const begin = async () => {
		const { answer } = await change("set-up-second-factor", { password });
		return { setup: answer.setup, code: codeOf(secretOf(String(answer.totpURI))) };
	};
	const first = await begin();
	const ofOther = accountOf(service, other).change("confirm-second-factor", first);
	expect(await ofOther).toMatchObject(notValid);
	const passwords = { currentPassword: password, newPassword: "another long password" };
	expect((await change("change-password", passwords)).status).toBe(200);
	expect(await change("confirm-second-factor", first)).toMatchObject(notValid);
	const back = { currentPassword: passwords.newPassword, newPassword: password };
	expect((await change("change-password", back)).status).toBe(200);
	const [second, third] = [await begin(), await begin()];
	expect((await change("confirm-second-factor", second)).status).toBe(200);
	// It would bring back recovery codes that were used or replaced.
	for (const again of [second, third]) {
		expect(await change("confirm-second-factor", again)).toMatchObject(notValid);
	}
	expect(await get()).toMatchObject({ secondFactor: true, recoveryCodesLeft: 10 });
});

test("new recovery codes replace the old ones, and each works once", async () => {
	const service = await runningService();
	const { email, headers } = await newOperator(service, "support");
	const { get, change } = accountOf(service, headers);
	expect(await change("create-recovery-codes", { password })).toMatchObject({
		status: 409,
		code: "SECOND_FACTOR_NOT_SET_UP",
	});
	const old = await setUpSecondFactor(service, headers);
	const wrong = await change("create-recovery-codes", { password: "wrong" });
	expect(wrong.code).toBe("INVALID_PASSWORD");
	const { answer } = await change("create-recovery-codes", { password });
	const codes = answer.recoveryCodes as string[];
	expect(new Set(codes).size).toBe(10);
	const use = async (code = "") => {
		const cookie = cookiesOf(await signIn(service, email));
		const pending = { cookie, origin: service.baseUrl };
		return (await service.post("/two-factor/verify-backup-code", { code }, pending)).status;
	};
	expect(await use(old.recoveryCodes[0])).toBe(401);
	expect(await use(codes[0])).toBe(200);
	expect(await use(codes[0])).toBe(401);
	expect(await get()).toMatchObject({ recoveryCodesLeft: 9 });
	const events = await eventsOf(service, "create-recovery-codes");
	expect(events).toMatchObject([{ detail: { email } }]);
	expect(JSON.stringify(events)).not.toContain(codes[0]);
});

test("an operator ends own sessions, one or all others, and none of somebody else", async () => {
	const service = await runningService();
	const ada = await newOperator(service, "auditor", "ada@example.com");
	const eve = await newOperator(service, "owner", "eve@example.com");
	const others = [await signIn(service, ada.email), await signIn(service, ada.email)].map(
		(response) => accountOf(service, { cookie: cookiesOf(response) }),
	);
	const { get, change } = accountOf(service, ada.headers);
	const { sessions } = await get();
	expect(sessions.map(({ current }) => current)).toEqual([false, false, true]);
	const [ofEve] = (await accountOf(service, eve.headers).get()).sessions;
	for (const id of [ofEve?.id, "nothing"]) {
		expect(await change("revoke-session", { id })).toMatchObject({
			status: 404,
			code: "SESSION_NOT_FOUND",
		});
	}
	expect((await change("revoke-session", { id: sessions[0]?.id })).status).toBe(200);
	const statuses = async () => Promise.all(others.map(({ status }) => status()));
	expect((await statuses()).sort()).toEqual([200, 403]);
	expect((await change("revoke-other-sessions")).status).toBe(200);
	expect(await statuses()).toEqual([403, 403]);
	expect((await get()).sessions).toMatchObject([{ current: true }]);
	expect(await accountOf(service, eve.headers).status()).toBe(200);
	expect(await eventsOf(service, "revoke-sessions")).toMatchObject([
		{ targetId: ada.id, detail: { endedSessions: 1 } },
		{ targetId: ada.id, detail: { endedSessions: 1 } },
	]);
});

test("wrong passwords are limited as at the sign-in", async () => {
	stopClock();
	const service = await runningService({ RATE_LIMIT_SIGN_IN: "3/60" });
	const { headers } = await newOperator(service, "owner");
	const tenantId = await newTenant(service.post);
	for (const path of ["set-up-second-factor", "create-recovery-codes", "change-password"]) {
		const ip = newIp();
		const body = { password: "wrong", currentPassword: "wrong", newPassword: "long enough" };
		const statuses: number[] = [];
		for (let n = 0; n < 4; n += 1) {
			const answer = await service.post(`/operator/account/${path}`, body, headers, ip);
			statuses.push(answer.status);
		}
		expect(statuses).toEqual([400, 400, 400, 429]);
		// A tenant in the request does not start another counter.
		const ofTenant = { ...headers, "x-tenant-id": tenantId };
		const answer = await service.post(`/operator/account/${path}`, body, ofTenant, ip);
		expect(answer.status).toBe(429);
	}
});

test("Better Auth's own endpoints change no account of an operator", async () => {
	const service = await runningService();
	const { email, headers } = await newOperator(service, "owner");
	const { secret } = await setUpSecondFactor(service, headers);
	const tenant = { "x-tenant-id": await newTenant(service.post), origin: service.baseUrl };
	const user = newUser("ada@example.com");
	const cookie = cookiesOf(await service.post("/tenant/sign-up/email", user, tenant));
	const { password: currentPassword } = user;
	for (const [path, body, status] of [
		["update-user", { name: "Countess" }, 200],
		["change-email", { newEmail: "countess@example.com" }, 200],
		["change-password", { currentPassword, newPassword: currentPassword }, 200],
		["two-factor/enable", { password: currentPassword }, 200],
		["two-factor/get-totp-uri", { password: currentPassword }, 200],
		// It is not verified yet.
		["two-factor/generate-backup-codes", { password: currentPassword }, 400],
		["two-factor/disable", { password: currentPassword }, 200],
	] as const) {
		const closed = await service.post(`/${path}`, body, headers);
		expect([path, closed.status]).toEqual([path, 403]);
		expect(await closed.json()).toMatchObject({ code: "OPERATOR_ACCOUNT_CLOSED" });
		expect((await service.post(`/${path}`, body)).status).toBe(401);
		// A user of a tenant is not affected, also if only the session names the tenant.
		const ofTenant = await service.post(`/${path}`, body, { cookie, origin: service.baseUrl });
		expect([path, ofTenant.status]).toEqual([path, status]);
	}
	const pending = { cookie: cookiesOf(await signIn(service, email)), origin: service.baseUrl };
	const trusting = { code: codeOf(secret), trustDevice: true };
	const trusted = await service.post("/two-factor/verify-totp", trusting, pending);
	expect([trusted.status, await trusted.json()]).toMatchObject([
		403,
		{ code: "TRUSTED_DEVICE_NOT_ALLOWED" },
	]);
});

test("after a reset, an old cookie of the console does not hide the new session", async () => {
	const service = await runningService({ REQUIRE_OPERATOR_SECOND_FACTOR: "true" });
	const { email, headers } = await newOperator(service, "owner");
	await setUpSecondFactor(service, headers);
	const opened = await service.post("/operator/session/open", {}, headers);
	const consoleCookie = cookiesOf(opened);
	const { internalAdapter } = await service.backend.auth.$context;
	const { id } = (await accountOf(service, headers).get()) as unknown as { id: string };
	await internalAdapter.deleteUserSessions(id);
	await internalAdapter.updateUser(id, { twoFactorEnabled: false });
	const cookie = `${cookiesOf(await signIn(service, email))}; ${consoleCookie}`;
	const again = await service.post("/operator/session/open", {}, { ...headers, cookie });
	expect(await again.json()).toMatchObject({ status: "second-factor-required" });
	expect(again.headers.getSetCookie().join()).toMatch(/console=;.*Max-Age=0/);
});
