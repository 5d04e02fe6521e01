import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { cookieNamed } from "../../support/http/set-cookie";
import { cheapPasswords } from "../../support/worlds/cheap-passwords";
import { makeInstance, ORIGIN } from "../../support/worlds/instance";

const password = "correct horse battery";

describe("e-mail sign-up and sign-in under a tenant", () => {
	it("signs a user up with a session that names the tenant", async () => {
		const { makeTenant, signUp, call } = await makeInstance();
		const tenantId = await makeTenant();
		const { status, body, cookie } = await signUp(tenantId, "ada@example.com");
		expect(status).toBe(200);
		expect(body).toMatchObject({
			token: expect.any(String),
			user: { email: "ada@example.com", tenantId },
			session: { tenantId, token: body.token },
		});
		const session = await call("/get-session", { cookie });
		expect(session.body).toMatchObject({ session: { tenantId }, user: { tenantId } });
	});

	it("signs a user in with a session that names the tenant", async () => {
		const { makeTenant, signUp, call } = await makeInstance();
		const tenantId = await makeTenant();
		const { body: signedUp } = await signUp(tenantId, "ada@example.com");
		const { status, body, cookie } = await call("/tenant/sign-in/email", {
			body: { tenantId, email: "ada@example.com", password },
		});
		expect(status).toBe(200);
		expect(body).toMatchObject({
			redirect: false,
			token: expect.any(String),
			user: { id: signedUp.user.id, tenantId },
			session: { tenantId, token: body.token, userId: signedUp.user.id },
		});
		expect(body.token).not.toBe(signedUp.token);
		const session = await call("/get-session", { cookie });
		expect(session.body).toMatchObject({ session: { tenantId, token: body.token } });
	});

	it("does the same for a direct call of auth.api", async () => {
		const { makeTenant, auth } = await makeInstance();
		const tenantId = await makeTenant();
		const input = { tenantId, email: "ada@example.com", password };
		const up = await auth.api.signUpEmailTenant({ body: { ...input, name: "Ada" } });
		const signedIn = await auth.api.signInEmailTenant({ body: input });
		expect(up.session?.tenantId).toBe(tenantId);
		expect(signedIn.user).toMatchObject({ id: up.user.id, tenantId });
	});

	it("takes a form as core's own endpoints do", async () => {
		const { makeTenant, call } = await makeInstance();
		const tenantId = await makeTenant();
		const form = { tenantId, name: "Ada", email: "ada@example.com", password };
		const { status, body } = await call("/tenant/sign-up/email", {
			body: new URLSearchParams(form).toString(),
			headers: { "content-type": "application/x-www-form-urlencoded", origin: ORIGIN },
		});
		expect(status).toBe(200);
		expect(body.user.tenantId).toBe(tenantId);
	});

	it("keeps the profile image", async () => {
		const { makeTenant, call } = await makeInstance();
		const tenantId = await makeTenant();
		const image = "https://example.com/ada.png";
		const { body, cookie } = await call("/tenant/sign-up/email", {
			body: { tenantId, name: "Ada", email: "ada@example.com", password, image },
		});
		expect(body.user.image).toBe(image);
		const session = await call("/get-session", { cookie });
		expect(session.body.user.image).toBe(image);
	});

	it("treats an address in upper case as the one in lower case", async () => {
		const { makeTenant, signUp, call } = await makeInstance();
		const tenantId = await makeTenant();
		const { body } = await signUp(tenantId, "Ada@Example.COM");
		expect(body.user.email).toBe("ada@example.com");
		expect((await signUp(tenantId, "ADA@example.com")).status).toBe(422);
		const signedIn = await call("/tenant/sign-in/email", {
			body: { tenantId, email: "ADA@EXAMPLE.com", password },
		});
		expect(signedIn.body.user.id).toBe(body.user.id);
	});
});

describe("the same address in two tenants", () => {
	async function makeTwins() {
		const instance = await makeInstance();
		const one = await instance.makeTenant();
		const other = await instance.makeTenant();
		const email = "ada@example.com";
		const first = await instance.signUp(one, email, "password of one");
		const second = await instance.signUp(other, email, "password of other");
		return { ...instance, one, other, email, first, second };
	}

	it('is two users, and never "address already in use" because another tenant has it', async () => {
		const { first, second, one, other } = await makeTwins();
		expect([first.status, second.status]).toEqual([200, 200]);
		expect(first.body.user.id).not.toBe(second.body.user.id);
		expect(first.body.user.tenantId).toBe(one);
		expect(second.body.user.tenantId).toBe(other);
	});

	it("refuses a password that is right in another tenant", async () => {
		const { call, one, other, email } = await makeTwins();
		for (const body of [
			{ tenantId: one, email, password: "password of other" },
			{ tenantId: other, email, password: "password of one" },
		]) {
			const { status, body: answer, cookie } = await call("/tenant/sign-in/email", { body });
			expect(status).toBe(401);
			expect(answer.code).toBe("INVALID_EMAIL_OR_PASSWORD");
			expect(cookie).toBe("");
		}
	});

	it("signs in each tenant's own user", async () => {
		const { call, one, other, email, first, second } = await makeTwins();
		const signIn = (tenantId: string, password: string) =>
			call("/tenant/sign-in/email", { body: { tenantId, email, password } });
		expect((await signIn(one, "password of one")).body.user.id).toBe(first.body.user.id);
		expect((await signIn(other, "password of other")).body.user.id).toBe(second.body.user.id);
	});

	it("is a third user on the platform", async () => {
		const { call, email, first, second } = await makeTwins();
		const before = await call("/sign-in/email", { body: { email, password: "password of one" } });
		expect(before.status).toBe(401);
		const own = { name: "Ada", email, password: "password of nobody" };
		const { status, body } = await call("/sign-up/email", { body: own });
		expect(status).toBe(200);
		expect(body.user.tenantId).toBeNull();
		expect([first.body.user.id, second.body.user.id]).not.toContain(body.user.id);
	});

	it("answers alike for an address of another tenant and for one of nobody", async () => {
		const { call, makeTenant, email } = await makeTwins();
		const tenantId = await makeTenant();
		const known = await call("/tenant/sign-in/email", {
			body: { tenantId, email, password: "password of one" },
		});
		const unknown = await call("/tenant/sign-in/email", {
			body: { tenantId, email: "nobody@example.com", password: "password of one" },
		});
		expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
	});
});

describe("which tenant a sign-up is for", () => {
	const user = { name: "Ada", email: "ada@example.com", password };

	it("is asked of the option, the body, the query and the header, in this order", async () => {
		const tenants: string[] = [];
		const { makeTenant, call } = await makeInstance({
			tenants: { resolveTenantId: (ctx) => (ctx.headers?.has("x-use-option") ? tenants[0] : "") },
		});
		for (let n = 0; n < 4; n += 1) tenants.push(await makeTenant());
		const [option, body, query, header] = tenants as [string, string, string, string];
		const sources = [
			{ headers: { "x-use-option": "1" } },
			{ body: { ...user, tenantId: body } },
			{ query: { tenantId: query } },
			{ tenant: header },
		];
		for (const [index, expected] of notEmpty([option, body, query, header].entries())) {
			const given = Object.assign({ body: user }, ...sources.slice(index));
			const answer = await call("/tenant/sign-up/email", given);
			expect(answer.body.user.tenantId).toBe(expected);
		}
	});

	it("must be told", async () => {
		const { call } = await makeInstance();
		for (const path of ["/tenant/sign-up/email", "/tenant/sign-in/email"]) {
			const { status, body } = await call(path, { body: user });
			expect([status, body.code]).toEqual([400, "TENANT_ID_REQUIRED"]);
		}
	});

	it("must be one that is there", async () => {
		const { call, signUp } = await makeInstance();
		const unknown = ["nobody", "x".repeat(128), "%", "' or 1=1 --", "__proto__"];
		for (const tenantId of notEmpty(unknown)) {
			const { status, body } = await signUp(tenantId, "ada@example.com");
			expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		}
		const signIn = { tenantId: "nobody", email: "ada@example.com", password };
		const { status, body } = await call("/tenant/sign-in/email", { body: signIn });
		expect([status, body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	});
});

describe("rememberMe", () => {
	const WEEK = 7 * 24 * 60 * 60;
	const DAY = 24 * 60 * 60;

	async function setUp() {
		const { makeTenant, call } = await makeInstance();
		const tenantId = await makeTenant();
		const user = { tenantId, name: "Ada", email: "ada@example.com", password };
		return {
			call,
			up: (rest: object = {}) => call("/tenant/sign-up/email", { body: { ...user, ...rest } }),
			in: (rest: object = {}) => call("/tenant/sign-in/email", { body: { ...user, ...rest } }),
		};
	}

	const lifetime = (session: { createdAt: string; expiresAt: string }) =>
		(Date.parse(session.expiresAt) - Date.parse(session.createdAt)) / 1000;

	it("is true by default: the cookie lives as long as the session", async () => {
		const at = await setUp();
		for (const { body, headers } of [
			await at.up(),
			await at.in(),
			await at.in({ rememberMe: true }),
		]) {
			expect(cookieNamed(headers, "better-auth.session_token")).toMatch(`Max-Age=${WEEK}`);
			expect(lifetime(body.session)).toBeCloseTo(WEEK, -1);
		}
	});

	it("false makes a cookie that goes with the browser, and a session of a day", async () => {
		const at = await setUp();
		for (const answer of [await at.up({ rememberMe: false }), await at.in({ rememberMe: false })]) {
			expect(cookieNamed(answer.headers, "better-auth.session_token")).not.toMatch(/max-age/i);
			expect(lifetime(answer.body.session)).toBeCloseTo(DAY, -1);
			const read = await at.call("/get-session", { cookie: answer.cookie });
			expect(read.body.session.token).toBe(answer.body.token);
		}
	});
});

describe("callbackURL of a sign-in", () => {
	it("comes back in the answer and in Location, as core has it", async () => {
		const { makeTenant, signUp, call } = await makeInstance();
		const tenantId = await makeTenant();
		await signUp(tenantId, "ada@example.com");
		const { status, body, headers } = await call("/tenant/sign-in/email", {
			body: { tenantId, email: "ada@example.com", password, callbackURL: "/home" },
		});
		expect(status).toBe(200);
		expect(body).toMatchObject({ redirect: true, url: "/home", session: { tenantId } });
		expect(headers.get("location")).toBe("/home");
	});

	it("leads to no site that the host does not trust", async () => {
		const { makeTenant, signUp, call } = await makeInstance();
		const tenantId = await makeTenant();
		await signUp(tenantId, "ada@example.com");
		for (const callbackURL of ["https://evil.example", "//evil.example", "/\\evil.example"]) {
			const { status, cookie } = await call("/tenant/sign-in/email", {
				body: { tenantId, email: "ada@example.com", password, callbackURL },
				headers: { origin: ORIGIN },
			});
			expect([status, cookie]).toEqual([403, ""]);
		}
	});
});

describe("core's rules for e-mail and password", () => {
	const user = { name: "Ada", email: "ada@example.com", password };

	it("hold under a tenant, with core's codes", async () => {
		const { makeTenant, signUp, call } = await makeInstance();
		const tenantId = await makeTenant();
		await signUp(tenantId, user.email);
		const up = async (change: object) => {
			const body = { ...user, email: "new@example.com", tenantId, ...change };
			const answer = await call("/tenant/sign-up/email", { body });
			return [answer.status, answer.body.code];
		};
		expect(await up({ email: user.email })).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
		expect(await up({ password: "short" })).toEqual([400, "PASSWORD_TOO_SHORT"]);
		expect(await up({ password: "x".repeat(129) })).toEqual([400, "PASSWORD_TOO_LONG"]);
		expect(await up({ email: "no address" })).toEqual([400, "VALIDATION_ERROR"]);
		expect(await up({ name: undefined })).toEqual([400, "VALIDATION_ERROR"]);
		expect(await up({ rememberMe: "yes" })).toEqual([400, "VALIDATION_ERROR"]);
		const wrong = await call("/tenant/sign-in/email", {
			body: { tenantId, email: user.email, password: "not the password" },
		});
		expect([wrong.status, wrong.body.code]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
		const noAddress = await call("/tenant/sign-in/email", {
			body: { tenantId, email: "no address", password },
		});
		expect([noAddress.status, noAddress.body.code]).toEqual([400, "INVALID_EMAIL"]);
	});

	it("say the same as at core's own path", async () => {
		const { makeTenant, call } = await makeInstance();
		const tenantId = await makeTenant();
		for (const change of [{ password: "short" }, { email: "no address" }, { name: 7 }, {}, {}]) {
			const body = { ...user, ...change };
			const ours = await call("/tenant/sign-up/email", { body: { ...body, tenantId } });
			const cores = await call("/sign-up/email", { body });
			expect([ours.status, ours.body.code]).toEqual([cores.status, cores.body.code]);
		}
	});

	it("let nobody sign up where the host disabled it", async () => {
		const { makeTenant, signUp } = await makeInstance({
			emailAndPassword: { ...cheapPasswords, enabled: true, disableSignUp: true },
		});
		const { status, body } = await signUp(await makeTenant(), "ada@example.com");
		expect([status, body.code]).toEqual([400, "EMAIL_PASSWORD_SIGN_UP_DISABLED"]);
	});

	it("let nobody in by password where the host has it off", async () => {
		const { makeTenant, call } = await makeInstance({ emailAndPassword: { enabled: false } });
		const tenantId = await makeTenant();
		const { status, body } = await call("/tenant/sign-in/email", { body: { ...user, tenantId } });
		expect([status, body.code]).toEqual([400, "EMAIL_PASSWORD_DISABLED"]);
	});

	it("hold for a body that is no JSON", async () => {
		const { call } = await makeInstance();
		for (const body of ["{", "null", "[]", '"text"']) {
			const { status } = await call("/tenant/sign-up/email", { body });
			expect(status).toBe(400);
		}
	});
});
