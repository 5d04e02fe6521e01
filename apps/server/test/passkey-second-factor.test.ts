import { runInTenant } from "better-auth-tenant";
import { describe, expect, test, vi } from "vitest";
import { makeAuthenticator } from "../../../packages/tenant-auth/test/support/providers/software-authenticator";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import {
	asManager,
	cookiesOf,
	newSlug,
	newTenant,
	newUser,
	type RunningService,
	runningService,
	useService,
} from "./running-service";

const service = useService();

type Headers = Record<string, string>;
type Authenticator = ReturnType<typeof makeAuthenticator>;

const secondStep = { "x-second-factor": "passkey" };

const answerOf = async (response: Response) => {
	const body = (await response.json()) as { code?: string; user?: { email: string } };
	return { status: response.status, code: body.code, email: body.user?.email };
};

/** Both cookies of a browser. */
const merged = (headers: Headers, response: Response) => ({
	...headers,
	cookie: [headers.cookie, cookiesOf(response)].filter(Boolean).join("; "),
});

/** A user of a tenant with a passkey and, if that is wanted, an authenticator app. */
async function newAccount(
	running: RunningService,
	{ tenantId = "", hasApp = true, email = "ada@example.com" } = {},
) {
	const { post, call, baseUrl, backend } = running;
	const tenant = tenantId || (await newTenant(post, newSlug()));
	const named: Headers = { "x-tenant-id": tenant, origin: baseUrl };
	const user = newUser(email);
	await backend.auth.api.createTenantUser({
		body: { tenantId: tenant, ...user, emailVerified: true },
	});
	const signIn = () => post("/tenant/sign-in/email", user, named);
	const signedIn = { ...named, cookie: cookiesOf(await signIn()) };
	const challenge = async (path: string, headers: Headers) => {
		const response = await call(`/api/auth/passkey/${path}`, { headers });
		const body = (await response.clone().json()) as {
			challenge: string;
			allowCredentials?: { id: string }[];
		};
		return { response, body, headers: merged(headers, response) };
	};
	const addPasskey = async () => {
		const authenticator = makeAuthenticator(baseUrl);
		const asked = await challenge("generate-register-options", signedIn);
		const key = { response: authenticator.register(asked.body.challenge) };
		expect((await post("/passkey/verify-registration", key, asked.headers)).status).toBe(200);
		return authenticator;
	};
	const authenticator = await addPasskey();
	const second = await addPasskey();
	let totpURI = "";
	if (hasApp) {
		const enabled = await post("/two-factor/enable", { password: user.password }, signedIn);
		totpURI = ((await enabled.json()) as { totpURI: string }).totpURI;
		await post("/two-factor/verify-totp", { code: totpOf(totpURI) }, signedIn);
	}
	/** After the password. */
	const challenged = async (): Promise<Headers> => merged(named, await signIn());
	const options = (headers: Headers) =>
		challenge("generate-authenticate-options", { ...headers, ...secondStep });
	const verify = async (headers: Headers, key: Authenticator = authenticator) => {
		const asked = await options(headers);
		const proof = { response: key.authenticate(asked.body.challenge) };
		return post("/passkey/verify-authentication", proof, asked.headers);
	};
	/** With a challenge that was made for nobody. */
	const verifyFreely = async (headers: Headers, key = authenticator, ip?: string) => {
		const asked = await challenge("generate-authenticate-options", headers);
		const proof = { response: key.authenticate(asked.body.challenge) };
		const sent = { ...asked.headers, ...secondStep };
		return post("/passkey/verify-authentication", proof, sent, ip);
	};
	return {
		...running,
		...{ tenantId: tenant, named, user, signedIn, authenticator, second, totpURI },
		...{ challenged, options, verify, verifyFreely },
	};
}

const refused = (status: number, code: string) => ({ status, code, email: undefined });
const NO_FIRST_STEP = refused(401, "INVALID_TWO_FACTOR_COOKIE");

describe("a passkey as second step", () => {
	test("ends the sign-in of its user, once, and the sign-in log says so", async () => {
		const account = await newAccount(await service());
		const { challenged, options, verify, verifyFreely, call, named, tenantId } = account;
		const pending = await challenged();
		expect(pending.cookie).not.toMatch(/session_token=[^;]/);
		const verified = await verify(pending);
		expect(await answerOf(verified.clone())).toMatchObject({
			status: 200,
			email: "ada@example.com",
		});
		const session = await call("/api/auth/get-session", { headers: merged(named, verified) });
		expect(await session.json()).toMatchObject({ user: { email: "ada@example.com" } });
		expect(await answerOf((await options(pending)).response)).toEqual(NO_FIRST_STEP);
		expect(await answerOf(await verifyFreely(pending))).toEqual(NO_FIRST_STEP);
		const log = await call(`/api/auth/tenant/sign-in/list?tenantId=${tenantId}`, {
			headers: asManager,
		});
		expect(await log.json()).toContainEqual(
			expect.objectContaining({ method: "passkey", result: "succeeded" }),
		);
	});

	test("uses up the first step, so that a code cannot end it again", async () => {
		const { challenged, verify, post, totpURI } = await newAccount(await service());
		const pending = await challenged();
		expect((await verify(pending)).status).toBe(200);
		const code = { code: totpOf(totpURI) };
		expect(await answerOf(await post("/two-factor/verify-totp", code, pending))).toEqual(
			NO_FIRST_STEP,
		);
	});

	test("makes one session of two requests at the same time", async () => {
		const { challenged, options, authenticator, post, backend, tenantId } = await newAccount(
			await service(),
		);
		const pending = await challenged();
		const { adapter } = await backend.auth.$context;
		const count = () =>
			runInTenant(backend.auth, tenantId, () => adapter.count({ model: "session" }));
		const before = await count();
		const asked = [await options(pending), await options(pending)];
		const both = await Promise.all(
			asked.map(({ body, headers }) =>
				post(
					"/passkey/verify-authentication",
					{ response: authenticator.authenticate(body.challenge) },
					// The cookie of the newer challenge is the last one.
					headers,
				),
			),
		);
		const statuses = both.map(({ status }) => status).sort();
		expect(statuses).toEqual([200, 401]);
		expect((await count()) - before).toBe(1);
	});

	test("is offered with the passkeys of the user only", async () => {
		const running = await service();
		const ada = await newAccount(running);
		await newAccount(running, { tenantId: ada.tenantId, email: "eve@example.com" });
		const { body } = await ada.options(await ada.challenged());
		const ids = body.allowCredentials?.map(({ id }) => id).sort();
		expect(ids).toEqual([ada.authenticator.id, ada.second.id].sort());
	});

	test("is refused with the passkey of another user, and the user can go on", async () => {
		const running = await service();
		const ada = await newAccount(running);
		const eve = await newAccount(running, { tenantId: ada.tenantId, email: "eve@example.com" });
		const pending = await ada.challenged();
		const refusal = refused(401, "PASSKEY_NOT_FOUND");
		expect(await answerOf(await ada.verify(pending, eve.authenticator))).toEqual(refusal);
		expect((await ada.verify(pending)).status).toBe(200);
	});

	test("is refused in another tenant", async () => {
		const running = await service();
		const acme = await newAccount(running);
		const globex = await newAccount(running);
		const ofAcme = await acme.challenged();
		const tries = [
			await globex.verifyFreely({ ...ofAcme, "x-tenant-id": globex.tenantId }),
			await acme.verifyFreely({ ...ofAcme, "x-tenant-id": globex.tenantId }),
			await acme.verifyFreely(ofAcme, globex.authenticator),
		];
		for (const response of notEmpty(tries)) {
			expect(response.status).toBe(401);
			expect(cookiesOf(response)).not.toMatch(/session_token=[^;]/);
		}
	});

	test("needs the password first", async () => {
		const { named, options, verifyFreely, signedIn } = await newAccount(await service());
		for (const headers of notEmpty([named, signedIn])) {
			expect(await answerOf((await options(headers)).response)).toEqual(NO_FIRST_STEP);
			expect(await answerOf(await verifyFreely(headers))).toEqual(NO_FIRST_STEP);
		}
	});

	test("takes no other signed cookie for the first step", async () => {
		const { named, verifyFreely, signedIn, challenged } = await newAccount(await service());
		const [, session = ""] = /session_token=([^;]+)/.exec(signedIn.cookie) ?? [];
		const [, first = ""] = /two_factor=([^;]+)/.exec((await challenged()).cookie ?? "") ?? [];
		const otherSignature = first.replace(/\..*$/, `.${"A".repeat(43)}%3D`);
		expect(otherSignature).toMatch(/^2fa-[\w-]{20}\.A/);
		const values = [session, otherSignature, first.replace(/^2fa-./, "2fa-!"), "2fa-x"];
		for (const value of notEmpty(values)) {
			const headers = { ...named, cookie: `better-auth.two_factor=${value}` };
			expect(await answerOf(await verifyFreely(headers))).toEqual(NO_FIRST_STEP);
		}
	});

	test("says that there is none to a user without a passkey", async () => {
		const { challenged, options, backend, tenantId } = await newAccount(await service());
		const { adapter } = await backend.auth.$context;
		await runInTenant(backend.auth, tenantId, () =>
			adapter.deleteMany({ model: "passkey", where: [] }),
		);
		const { response } = await options(await challenged());
		expect(await answerOf(response)).toEqual(refused(400, "NO_PASSKEY"));
	});

	test("follows the policy of the tenant", async () => {
		const account = await newAccount(await service());
		const { post, tenantId, challenged, verify } = account;
		const signIn = { methods: ["password"] };
		await post("/tenant/policy/update", { tenantId, signIn }, asManager);
		expect(await answerOf(await verify(await challenged()))).toEqual(
			refused(403, "SIGN_IN_METHOD_NOT_ALLOWED"),
		);
	});

	test("is refused in a tenant that was suspended meanwhile", async () => {
		const { post, tenantId, challenged, options, authenticator } = await newAccount(
			await service(),
		);
		const pending = await challenged();
		const { body, headers } = await options(pending);
		await post("/tenant/suspend", { tenantId }, asManager);
		const refusal = refused(403, "TENANT_SUSPENDED");
		expect(await answerOf((await options(pending)).response)).toEqual(refusal);
		const proof = { response: authenticator.authenticate(body.challenge) };
		const sent = { ...headers, ...secondStep };
		expect(await answerOf(await post("/passkey/verify-authentication", proof, sent))).toEqual(
			refusal,
		);
	});

	test("does not let a disabled user in", async () => {
		const { post, tenantId, challenged, verify, call } = await newAccount(await service());
		const pending = await challenged();
		const list = await call(`/api/auth/tenant/user/list?tenantId=${tenantId}`, {
			headers: asManager,
		});
		const [user] = (await list.json()) as { id: string }[];
		await post("/tenant/user/disable", { tenantId, userId: user?.id }, asManager);
		expect(await answerOf(await verify(pending))).toEqual(refused(403, "USER_DISABLED"));
	});

	test("is no way in for a tenant that requires an authenticator app", async () => {
		const account = await newAccount(await service(), { hasApp: false });
		const { post, tenantId, challenged, verifyFreely, named, call } = account;
		await post("/tenant/policy/update", { tenantId, secondFactor: { required: true } }, asManager);
		const afterPassword = await challenged();
		// The session lets the user set up an app, and nothing else.
		const session = await call("/api/auth/get-session", { headers: afterPassword });
		expect(await session.json()).toBeNull();
		expect(await answerOf(await verifyFreely({ ...named, cookie: "" }))).toEqual(NO_FIRST_STEP);
	});

	test("is too late after ten minutes", async () => {
		stopClock();
		const { challenged, verifyFreely } = await newAccount(await runningService());
		const pending = await challenged();
		vi.setSystemTime(Date.now() + 10 * 60_000 + 1000);
		expect(await answerOf(await verifyFreely(pending))).toEqual(NO_FIRST_STEP);
	});

	test("that fails is counted as a failed sign-in", async () => {
		stopClock();
		const running = await runningService({ RATE_LIMIT_SIGN_IN: "3/60" });
		const { challenged, verifyFreely } = await newAccount(running);
		const pending = await challenged();
		const wrong = makeAuthenticator(running.baseUrl);
		const answers: number[] = [];
		for (let n = 0; n < 4; n += 1) {
			answers.push((await verifyFreely(pending, wrong, "203.0.113.7")).status);
		}
		expect(answers).toEqual([401, 401, 401, 429]);
	});
});
