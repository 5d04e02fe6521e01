import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { CAPTCHA_PATHS } from "../src/rate-limits/captcha-check";
import { useCaptchaProvider } from "./fake-captcha-provider";
import { newOperator, operatorPassword } from "./operator-accounts";
import {
	asManager,
	cookiesOf,
	newIp,
	newSlug,
	newTenant,
	newUser,
	runningService,
	useService,
} from "./running-service";

const provider = useCaptchaProvider();
const { seen } = provider;

const settings = {
	CAPTCHA: "hcaptcha",
	CAPTCHA_SITE_KEY: "site-key",
	CAPTCHA_SECRET_KEY: "0x-secret-of-the-captcha",
};

let solutions = 0;
const solved = () => ({ "x-captcha-response": `solved ${++solutions}` });

const config = () => ({ captchaVerifyUrl: provider.verifyUrl });
const service = useService(settings, { config });

async function newAccount() {
	const { post } = await service();
	const tenantId = await newTenant(post, newSlug());
	const user = newUser("ada@example.com");
	await post("/tenant/sign-up/email", { ...user, tenantId }, { ...asManager });
	return { post, tenantId, user, named: { "x-tenant-id": tenantId } };
}

const refusalOf = async (response: Response) => [
	response.status,
	((await response.json()) as { code?: string }).code,
];

describe("with a captcha", () => {
	test.each(CAPTCHA_PATHS)("%s needs a solution, which works once", async (path) => {
		const { post, user, named } = await newAccount();
		const body = { ...user, ...(path === "/sign-up/email" ? { email: "bob@example.com" } : {}) };
		const send = (headers: object) => post(path, body, { ...named, ...headers });
		expect(await refusalOf(await send({}))).toEqual([400, "MISSING_RESPONSE"]);
		expect(await refusalOf(await send({ "x-captcha-response": "" }))).toEqual([
			400,
			"MISSING_RESPONSE",
		]);
		expect(await refusalOf(await send({ "x-captcha-response": "guessed" }))).toEqual([
			403,
			"VERIFICATION_FAILED",
		]);
		const solution = solved();
		expect((await send(solution)).status).toBe(200);
		expect(await refusalOf(await send(solution))).toEqual([403, "VERIFICATION_FAILED"]);
	});

	test("the endpoints of a tenant ask for one solution", async () => {
		const { post, user, tenantId } = await newAccount();
		for (const path of ["/tenant/sign-in/email", "/tenant/sign-up/email"]) {
			const body = {
				...user,
				tenantId,
				email: path.includes("up") ? "bob@example.com" : user.email,
			};
			expect(await refusalOf(await post(path, body))).toEqual([400, "MISSING_RESPONSE"]);
			seen.length = 0;
			expect((await post(path, body, solved())).status).toBe(200);
			expect(seen).toHaveLength(1);
		}
	});

	test("nothing happens without a solution: no account, no email, no session", async () => {
		const { post, user, named } = await newAccount();
		const { backend } = await service();
		const bob = { ...newUser("bob@example.com") };
		const sent = (await backend.mailer.outbox?.list())?.length;
		for (const path of notEmpty(CAPTCHA_PATHS)) {
			const refused = await post(path, path === "/sign-up/email" ? bob : user, named);
			expect(refused.headers.getSetCookie()).toEqual([]);
		}
		expect((await backend.mailer.outbox?.list())?.length).toBe(sent);
		expect((await post("/tenant/sign-in/email", bob, { ...named, ...solved() })).status).toBe(401);
	});

	test("a request cannot avoid it by how it names the endpoint", async () => {
		const { post, user, named, tenantId } = await newAccount();
		const { call } = await service();
		const paths = [
			"/api/auth/sign-in/email/",
			"/api/auth//sign-in/email",
			"/api/auth/sign-in//email",
			"//api/auth/sign-in/email",
			"/api/auth/./sign-in/email",
			"/api/auth/x/../sign-in/email",
			"/api/auth/sign-in/%65mail",
			"/api/auth/sign-in%2Femail",
			"/api/auth/SIGN-IN/email",
			"/api/auth/sign-in/email?x=/get-session",
			"/api/auth/sign-in/email;x",
			"/api/auth/tenant/sign-in/email/",
			"/api/auth/tenant//sign-in/email",
			"/api/auth/tenant/tenant/sign-in/email",
		];
		for (const path of notEmpty(paths)) {
			const response = await call(`http://localhost:3000${path}`, {
				method: "POST",
				headers: { "content-type": "application/json", ...named },
				body: JSON.stringify({ ...user, tenantId }),
			});
			expect([path, response.status >= 400]).toEqual([path, true]);
			expect([path, response.headers.getSetCookie()]).toEqual([path, []]);
		}
		expect(seen).toEqual([]);
		// The same request with a solution.
		expect((await post("/sign-in/email", user, { ...named, ...solved() })).status).toBe(200);
	});

	test("a request cannot avoid it by how it names the tenant", async () => {
		const { post, user, tenantId, named } = await newAccount();
		const signedIn = await post("/sign-in/email", user, { ...named, ...solved() });
		const ways: [string, object, Record<string, string>][] = [
			["/sign-in/email", user, named],
			["/sign-in/email", { ...user, tenantId }, named],
			[`/sign-in/email?tenantId=${tenantId}`, user, named],
			["/tenant/sign-in/email", { ...user, tenantId }, {}],
			["/tenant/sign-in/email", user, named],
			["/sign-in/email", user, { cookie: cookiesOf(signedIn) }],
			["/sign-in/email", user, { ...named, cookie: cookiesOf(signedIn) }],
		];
		for (const [path, body, headers] of notEmpty(ways)) {
			const response = await post(path, body, headers);
			expect([path, headers, ...(await refusalOf(response))]).toEqual([
				path,
				headers,
				400,
				"MISSING_RESPONSE",
			]);
		}
		// Without a tenant, nobody of a tenant is found.
		expect((await post("/sign-in/email", user)).status).toBe(401);
	});

	test("a solution of one request is not good for another tenant", async () => {
		const acme = await newAccount();
		const globex = await newAccount();
		const solution = solved();
		const signIn = ({ user, named }: typeof acme) =>
			acme.post("/tenant/sign-in/email", user, { ...named, ...solution });
		expect((await signIn(acme)).status).toBe(200);
		expect(await refusalOf(await signIn(globex))).toEqual([403, "VERIFICATION_FAILED"]);
	});

	test("a management key is not asked, but a wrong one and a key with scopes are", async () => {
		const { post, user, named } = await newAccount();
		const { backend } = await service();
		const { key } = await backend.auth.api.createOperatorKey({
			body: { name: "ci", scopes: ["tenant:list"] },
		});
		const statusOf = async (headers: object) =>
			(await post("/tenant/sign-in/email", user, { ...named, ...headers })).status;
		expect(await statusOf(asManager)).toBe(200);
		expect(await statusOf({ authorization: "Bearer management-key-for-other" })).toBe(400);
		expect(await statusOf({ authorization: `Bearer ${key}` })).toBe(400);
	});

	test("server code is not asked", async () => {
		const { user, tenantId } = await newAccount();
		const { backend } = await service();
		const found = await backend.auth.api.signInEmailTenant({
			body: { tenantId, email: user.email, password: user.password },
		});
		expect(found).toMatchObject({ user: { email: user.email } });
		expect(seen).toEqual([]);
	});

	test("operators are not asked", async () => {
		const running = await service();
		const { email } = await newOperator(running, "auditor");
		const response = await running.post("/sign-in/email", {
			email,
			password: operatorPassword,
		});
		expect(response.status).toBe(200);
		expect(seen).toEqual([]);
	});

	test("a user who is signed in gets emails to their own address, and to no other", async () => {
		const acme = await newAccount();
		const globex = await newAccount();
		const { post, user, named } = acme;
		const signedIn = await post("/tenant/sign-in/email", user, { ...named, ...solved() });
		const headers = { cookie: cookiesOf(signedIn), origin: "http://localhost:3000" };
		for (const path of ["/request-password-reset", "/send-verification-email"]) {
			expect((await post(path, { email: "ADA@example.com" }, headers)).status).toBe(200);
			const refusals = [
				await post(path, { email: "bob@example.com" }, headers),
				// A session of one tenant is none in another.
				await post(path, { email: user.email }, { ...headers, ...globex.named }),
			];
			for (const refused of notEmpty(refusals)) {
				expect(await refusalOf(refused)).toEqual([400, "MISSING_RESPONSE"]);
			}
		}
		for (const path of ["/sign-in/email", "/sign-in/magic-link"]) {
			expect(await refusalOf(await post(path, user, headers))).toEqual([400, "MISSING_RESPONSE"]);
		}
	});

	test("somebody who manages users sends them the email for a new password", async () => {
		const running = await service();
		const { post, tenantId, user, named } = await newAccount();
		const owner = newUser("owner@example.com");
		const response = await post("/tenant/sign-up/email", owner, { ...named, ...solved() });
		const users = await running.backend.auth.api.listTenantUsers({ query: { tenantId } });
		const idOf = (email: string) => users.find((it) => it.email === email)?.id ?? "";
		const [userId, ownerId] = [idOf(user.email), idOf(owner.email)];
		await post("/tenant/user/update", { tenantId, userId: ownerId, role: "owner" }, asManager);
		const operator = await newOperator(running, "operator");
		const sessions = notEmpty([cookiesOf(response), operator.cookie]);
		const send = (path: string, body: object, cookie: string) =>
			post(path, body, { ...named, cookie, origin: "http://localhost:3000" });
		seen.length = 0;
		for (const cookie of notEmpty(sessions)) {
			const sent = await send("/tenant/user/send-password-reset", { tenantId, userId }, cookie);
			expect(await refusalOf(sent)).toEqual([200, undefined]);
			const asked = await send("/request-password-reset", { email: user.email }, cookie);
			expect(await refusalOf(asked)).toEqual([400, "MISSING_RESPONSE"]);
		}
		const refused = await post("/tenant/user/send-password-reset", { tenantId, userId });
		expect(await refusalOf(refused)).toEqual([401, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		expect(seen).toEqual([]);
	});

	test("everything else works without a solution", async () => {
		const { post, user, named } = await newAccount();
		const { call } = await service();
		const signedIn = await post("/tenant/sign-in/email", user, { ...named, ...solved() });
		const headers = { cookie: cookiesOf(signedIn), origin: "http://localhost:3000" };
		seen.length = 0;
		expect(await (await call("/api/auth/get-session", { headers })).json()).toMatchObject({
			user: { email: user.email },
		});
		expect((await post("/sign-out", {}, headers)).status).toBe(200);
		expect(seen).toEqual([]);
	});

	test.each(["fail", "hang-up"] as const)(
		"a provider that does not work (%s) is an outage: 503, and nobody gets in",
		async (problem) => {
			const { post, user, named } = await newAccount();
			provider.behavior = problem;
			for (const path of notEmpty(CAPTCHA_PATHS)) {
				const response = await post(path, user, { ...named, ...solved() });
				expect(response.headers.get("retry-after")).toBe("5");
				expect(response.headers.getSetCookie()).toEqual([]);
				expect([path, ...(await refusalOf(response))]).toEqual([path, 503, "CAPTCHA_UNAVAILABLE"]);
			}
			const response = await post("/tenant/sign-in/email", user, { ...named, ...solved() });
			expect(await refusalOf(response)).toEqual([503, "CAPTCHA_UNAVAILABLE"]);
		},
	);

	test("a response of the provider that is not JSON lets nobody in", async () => {
		const { post, user, named } = await newAccount();
		provider.behavior = "no-json";
		const response = await post("/tenant/sign-in/email", user, { ...named, ...solved() });
		expect(await refusalOf(response)).toEqual([403, "VERIFICATION_FAILED"]);
	});

	test("the secret is not in the log, also if the provider does not work", async () => {
		const { post, user, named } = await newAccount();
		provider.behavior = "fail";
		await post("/tenant/sign-in/email", user, { ...named, ...solved() });
		const { log } = await service();
		expect(log()).toContain("CAPTCHA service unavailable");
		expect(log()).not.toContain(settings.CAPTCHA_SECRET_KEY);
	});
});

test.each(["turnstile", "hcaptcha", "recaptcha"])(
	"%s gets the secret, the solution and the IP address",
	async (name) => {
		const { post } = await runningService({ ...settings, CAPTCHA: name }, { config });
		const headers = { "x-tenant-id": await newTenant(post), ...solved() };
		const ip = newIp();
		const response = await post("/tenant/sign-up/email", newUser("a@example.com"), headers, ip);
		expect(response.status).toBe(200);
		expect(seen).toEqual([
			{
				secret: settings.CAPTCHA_SECRET_KEY,
				response: headers["x-captcha-response"],
				remoteip: ip,
				...(name === "hcaptcha" ? { sitekey: "site-key" } : {}),
			},
		]);
	},
);

test("who does not solve it does not use up the attempts of an account", async () => {
	stopClock();
	const { post } = await runningService({ ...settings, RATE_LIMIT_ACCOUNT: "2/60" }, { config });
	const named = { "x-tenant-id": await newTenant(post) };
	const user = newUser("ada@example.com");
	await post("/tenant/sign-up/email", user, { ...named, ...asManager });
	for (let i = 0; i < 5; i++) {
		expect((await post("/tenant/sign-in/email", user, named)).status).toBe(400);
	}
	expect((await post("/tenant/sign-in/email", user, { ...named, ...solved() })).status).toBe(200);
});

test("requests over the limit of an IP address do not reach the provider", async () => {
	stopClock();
	const { post } = await runningService({ ...settings, RATE_LIMIT: "2/10" }, { config });
	const named = { "x-tenant-id": await newTenant(post), "x-captcha-response": "guessed" };
	const ip = newIp();
	const statuses: number[] = [];
	for (let i = 0; i < 4; i++) {
		const user = newUser(`user-${i}@example.com`);
		statuses.push((await post("/tenant/sign-in/email", user, named, ip)).status);
	}
	expect(statuses).toEqual([403, 403, 429, 429]);
	expect(seen).toHaveLength(2);
});

test("on a tenant's own host, the endpoints of Better Auth need a solution too", async () => {
	const { post } = await runningService(
		{ ...settings, TENANT_DOMAIN: "example.com", BETTER_AUTH_URL: "https://auth.example.com" },
		{ config },
	);
	await newTenant(post, "acme");
	const at = (path: string) => `https://acme.example.com/api/auth${path}`;
	const user = newUser("ada@example.com");
	expect(await refusalOf(await post(at("/sign-up/email"), user))).toEqual([
		400,
		"MISSING_RESPONSE",
	]);
	expect((await post(at("/sign-up/email"), user, solved())).status).toBe(200);
	expect(await refusalOf(await post(at("/sign-in/email"), user))).toEqual([
		400,
		"MISSING_RESPONSE",
	]);
});
