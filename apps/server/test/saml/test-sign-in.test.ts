import { sql } from "kysely";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
	makeSamlIdentityProvider,
	type SamlForm,
	type SamlIdentityProvider,
} from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import { cookiesOf, runningService, useService } from "../running-service";
import { changeResponse, samlTenant } from "./saml-tenant";

const service = useService({ SAML: "true" });

let idp: SamlIdentityProvider;
let other: SamlIdentityProvider;

beforeAll(async () => {
	[idp, other] = [await makeSamlIdentityProvider("idp"), await makeSamlIdentityProvider("other")];
});

type Headers = Record<string, string>;

/** A tenant with an identity provider, and an admin who tests it. */
async function connected(name = "acme", running?: Awaited<ReturnType<typeof service>>) {
	const { call, post } = running ?? (await service());
	const acme = await samlTenant(running ?? (await service()), { name });
	await acme.verifyDomain();
	await acme.manage("/tenant/saml/set", {
		metadata: idp.config.idpMetadata.metadata,
		attributes: { role: "groups" },
		roles: { Staff: "admin" },
	});
	const admin = await acme.signUpAs("admin", "admin@elsewhere.com");
	const before = (await acme.users()).length;
	const startTest = async (headers: Headers = admin.headers) => {
		const { tenantId } = acme;
		const response = await post("/tenant/saml/start-test", { tenantId }, headers);
		const body = (await response.json()) as { testId: string; url: string; code?: string };
		return { status: response.status, ...body, cookie: cookiesOf(response) };
	};
	/** A browser opens the link of a test. */
	const open = async (url: string, cookie: string) => {
		const response = await call(url, { headers: { cookie } });
		return {
			status: response.status,
			url: response.headers.get("location") ?? "",
			cookie: cookiesOf(response),
		};
	};
	/** A browser brings a response. */
	const bring = async (form: Partial<SamlForm>, cookie: string) => {
		const response = await call(`/t/${acme.slug}/saml/acs`, {
			method: "POST",
			headers: { cookie, origin: "https://idp.example.com" },
			body: new URLSearchParams({ ...form }),
		});
		const target = new URL(response.headers.get("location") ?? "none:", "http://localhost:3000");
		return {
			status: response.status,
			text: await response.text(),
			error: target.searchParams.get("error"),
			cookies: cookiesOf(response),
		};
	};
	const result = async (testId: string, headers: Headers = admin.headers, id = acme.tenantId) => {
		const query = new URLSearchParams({ tenantId: id, testId });
		const response = await call(`/api/auth/tenant/saml/test-result?${query}`, { headers });
		// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many forms.
		return { status: response.status, body: (await response.json()) as any };
	};
	/** A whole test. `make` is the identity provider. */
	const tried = async (make: (url: string) => Promise<Partial<SamlForm>>) => {
		const { testId, url, cookie } = await startTest();
		const flow = await open(url, cookie);
		const end = await bring(await make(flow.url), flow.cookie);
		expect([end.status, end.text]).toEqual([200, expect.stringContaining("The test is done.")]);
		expect(end.cookies).not.toContain("session");
		// Nobody was created or signed in.
		expect(await acme.users()).toHaveLength(before);
		return (await result(testId)).body.result;
	};
	const email = `ada@${acme.domain}`;
	return { ...acme, admin, before, email, startTest, open, bring, result, tried };
}

describe("a test sign-in", () => {
	test("shows what the identity provider says, and creates no user and no session", async () => {
		const acme = await connected();
		const { testId, url, cookie } = await acme.startTest();
		expect((await acme.result(testId)).body).toEqual({ result: null });
		const flow = await acme.open(url, cookie);
		expect(new URL(flow.url).origin).toBe("https://idp.example.com");
		const asserted = { groups: ["Staff", "Editors"], displayName: ["Ada"] };
		const form = await idp.answer(flow.url, acme.email, asserted);
		const end = await acme.bring(form, flow.cookie);
		expect([end.status, end.error]).toEqual([200, null]);
		expect((await acme.result(testId)).body.result).toEqual({
			ok: true,
			code: null,
			message: "The response is valid, and the person could sign in",
			hints: [],
			person: {
				nameId: acme.email,
				email: acme.email,
				name: "Ada",
				attributes: { groups: ["Staff", "Editors"], displayName: ["Ada"] },
				groups: ["Staff", "Editors"],
				role: "admin",
			},
		});
		expect(await acme.users()).toHaveLength(acme.before);
		expect(end.cookies).not.toContain("session");
		// The response was used, also for a real sign-in.
		expect((await acme.bring(form, flow.cookie)).error).toBe("invalid_state");
		expect((await acme.finish(form, flow.cookie.replace("=test", "=1"))).user).toBeNull();
		const actions = ((await acme.get("/tenant/audit/list")) as { action: string }[]).map(
			({ action }) => action,
		);
		expect(actions).toContain("saml:test");
		const signIns = (await acme.get("/tenant/sign-in/list")) as { reason: string }[];
		expect(signIns.map(({ reason }) => reason)).toContain("SAML_TEST_ENDED");
	});

	test("of a user who exists changes neither the user nor the role", async () => {
		const acme = await connected();
		const { id } = await acme.signUpAs("member", acme.email);
		const { testId, url, cookie } = await acme.startTest();
		const flow = await acme.open(url, cookie);
		const form = await idp.answer(flow.url, acme.email, { groups: ["Staff"] });
		await acme.bring(form, flow.cookie);
		expect((await acme.result(testId)).body.result).toMatchObject({
			ok: true,
			person: { role: "admin" },
		});
		const user = (await acme.users()).find((one) => one.id === id);
		expect([null, "member"]).toContain(user?.tenantRole);
	});

	test("says which check a valid response does not pass", async () => {
		const acme = await connected();
		expect(await acme.tried((url) => idp.answer(url, "eve@elsewhere.com"))).toMatchObject({
			ok: false,
			code: "EMAIL_DOMAIN_NOT_VERIFIED",
			message: "The tenant has not verified the domain of this email",
			person: { email: "eve@elsewhere.com", role: "member" },
		});
	});

	test("says what is wrong with a response that is not valid, and shows nothing of it as true", async () => {
		const acme = await connected();
		expect(await acme.tried((url) => other.answer(url, acme.email))).toMatchObject({
			ok: false,
			code: "saml_error",
			hints: [
				"It is from https://other.example.com, and not from https://idp.example.com",
				"Its certificate is not a saved one",
			],
			person: null,
		});
		const unsigned = (url: string) =>
			idp
				.answer(url, acme.email)
				.then((form) =>
					changeResponse(form, (xml) =>
						xml.replaceAll(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, ""),
					),
				);
		expect(await acme.tried(unsigned)).toMatchObject({
			ok: false,
			hints: ["Nothing in the response is signed"],
			person: null,
		});
		const late = async (url: string) => {
			vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60 * 60_000 });
			return idp.answer(url, acme.email).finally(() => vi.useRealTimers());
		};
		expect(await acme.tried(late)).toMatchObject({
			ok: false,
			hints: ["It is not valid at this time. Compare the clocks"],
		});
		expect(
			await acme.tried(async (url) => ({
				...(await idp.answer(url, acme.email)),
				SAMLResponse: "PHg+",
			})),
		).toMatchObject({ ok: false, code: "saml_invalid_xml", person: null });
	});

	// JSON has six characters for one that cannot be seen.
	test.each(["x", "\u0001", "字"])(
		"fits into a column with long groups of %j",
		async (character) => {
			const acme = await connected();
			const groups = Array.from({ length: 150 }, (_, at) => `${at}-${character.repeat(300)}`);
			const { person } = await acme.tried((url) => idp.answer(url, acme.email, { groups }));
			expect(person.groups.length).toBeGreaterThan(10);
			expect(Buffer.byteLength(JSON.stringify(person))).toBeLessThan(60_000);
		},
	);
});

describe("nobody else", () => {
	test("can read a test: not another admin, an owner, a key, or another tenant", async () => {
		const acme = await connected();
		const globex = await connected("globex");
		const { testId, url, cookie } = await acme.startTest();
		const flow = await acme.open(url, cookie);
		await acme.bring(await idp.answer(flow.url, acme.email), flow.cookie);
		const colleague = await acme.signUpAs("owner", "owner@elsewhere.com");
		const key = { authorization: "Bearer management-key-for-tests" };
		for (const headers of notEmpty([colleague.headers, key])) {
			expect((await acme.result(testId, headers)).body.code).toBe("SAML_TEST_NOT_FOUND");
		}
		expect((await globex.result(testId)).status).toBe(404);
		expect((await globex.result(testId, globex.admin.headers, acme.tenantId)).status).toBe(403);
		expect((await acme.result(testId)).body.result).toMatchObject({ ok: true });
	});

	test("can start one: not a member, a key, or an admin of another tenant", async () => {
		const acme = await connected();
		const globex = await connected("globex");
		const member = await acme.signUpAs("member", "member@elsewhere.com");
		expect((await acme.startTest(member.headers)).status).toBe(403);
		expect((await acme.startTest(globex.admin.headers)).status).toBe(403);
		const key = { authorization: "Bearer management-key-for-tests" };
		expect(await acme.startTest(key)).toMatchObject({
			status: 403,
			code: "SAML_TEST_NEEDS_PERSON",
		});
	});

	test("can open the link: it works once, in the browser of the admin, in its tenant", async () => {
		const acme = await connected();
		const globex = await connected("globex");
		const failed = { url: expect.stringContaining("error=invalid_state"), cookie: "" };
		// An admin sends the link to somebody else, to see what the identity provider says about them.
		const sent = await acme.startTest();
		expect(await acme.open(sent.url, "")).toMatchObject(failed);
		expect(await acme.open(sent.url, sent.cookie)).toMatchObject(failed);
		const elsewhere = await acme.startTest();
		expect(
			await acme.open(elsewhere.url.replace(acme.slug, globex.slug), elsewhere.cookie),
		).toMatchObject(failed);
		const { url, cookie } = await acme.startTest();
		expect(new URL((await acme.open(url, cookie)).url).origin).toBe("https://idp.example.com");
		expect(await acme.open(url, cookie)).toMatchObject(failed);
		expect(await acme.open(`/t/${acme.slug}/saml/sign-in?test=x`, cookie)).toMatchObject(failed);
	});

	test("can bring a response to a test of an admin", async () => {
		const acme = await connected();
		const { testId, url, cookie } = await acme.startTest();
		const flow = await acme.open(url, cookie);
		const eve = await acme.start();
		const ofEve = await idp.answer(eve.url, `eve@${acme.domain}`);
		const ofAdmin = await idp.answer(flow.url, acme.email);
		// The response of another request, the RelayState of the test, and the cookie of either.
		const mixed = { ...ofEve, RelayState: ofAdmin.RelayState ?? "" };
		expect((await acme.bring(mixed, eve.cookie)).error).toBe("invalid_state");
		expect((await acme.bring(ofAdmin, eve.cookie)).error).toBe("invalid_state");
		// A sign-in whose cookie says that it is a test.
		const posed = eve.cookie.replace("=1", "=test");
		expect((await acme.bring(ofEve, posed)).error).toBe("invalid_state");
		expect((await acme.result(testId)).body).toEqual({ result: null });
		const injected = await acme.bring(mixed, flow.cookie);
		expect(injected.status).toBe(200);
		expect((await acme.result(testId)).body.result).toMatchObject({
			ok: false,
			code: "invalid_saml_response",
			person: null,
		});
		expect(await acme.users()).toHaveLength(acme.before);
	});

	test("gets a session from a test whose cookie somebody changes: it is a sign-in of their own", async () => {
		const acme = await connected();
		const { testId, url, cookie } = await acme.startTest();
		const flow = await acme.open(url, cookie);
		const form = await idp.answer(flow.url, acme.email);
		const end = await acme.finish(form, flow.cookie.replace("=test", "=1"));
		expect(end.user).toMatchObject({ email: acme.email });
		expect((await acme.result(testId)).body).toEqual({ result: null });
	});
});

test("a test ends after ten minutes", async () => {
	const acme = await connected();
	const { testId, url, cookie } = await acme.startTest();
	vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 60_000 + 1 });
	onTestFinished(() => void vi.useRealTimers());
	expect((await acme.result(testId)).status).toBe(404);
	expect((await acme.open(url, cookie)).url).toContain("error=invalid_state");
});

test("a sign-in that cannot start is a result too", async () => {
	const acme = await connected();
	const { testId, url, cookie } = await acme.startTest();
	await acme.manage("/tenant/saml/remove");
	expect((await acme.open(url, cookie)).status).toBe(200);
	expect((await acme.result(testId)).body.result).toMatchObject({ ok: false, person: null });
	expect(await acme.startTest()).toMatchObject({ status: 404, code: "SAML_NOT_SET_UP" });
});

test("over https, no other host can set the cookie of a test", async () => {
	const running = await runningService({
		SAML: "true",
		BETTER_AUTH_URL: "https://auth.example.com",
	});
	const acme = await samlTenant(running);
	await acme.verifyDomain();
	await acme.manage("/tenant/saml/set", { metadata: idp.config.idpMetadata.metadata });
	const { headers } = await acme.signUpAs("owner", "owner@elsewhere.com");
	const { tenantId } = acme;
	const own = { ...headers, origin: "https://auth.example.com" };
	const response = await running.post("/tenant/saml/start-test", { tenantId }, own);
	expect(response.status).toBe(200);
	expect(response.headers.get("set-cookie")).toMatch(
		/^__Host-saml-test=[^;]+;.*Path=\/;.*HttpOnly;.*Secure;.*SameSite=Lax/i,
	);
});

test("too many requests get 429, and an outage 503, in place of a page", async () => {
	stopClock();
	const running = await runningService({ SAML: "true", RATE_LIMIT: "5/60" });
	const acme = await connected("acme", running);
	const { url, cookie } = await acme.startTest();
	const send = (ip: string) => running.call(`${url}x`, { headers: { cookie } }, ip);
	const responses = [];
	for (let count = 0; count < 6; count += 1) responses.push(await send("10.9.9.9"));
	expect(responses.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302, 429]);
	const flow = await acme.open(url, cookie);
	const form = await idp.answer(flow.url, acme.email);
	await sql`pragma query_only = 1`.execute(running.backend.database.db);
	expect((await send("10.9.9.8")).status).toBe(503);
	expect((await acme.bring(form, flow.cookie)).status).toBe(503);
	const broken = { ...form, SAMLResponse: "PHg+" };
	expect((await acme.bring(broken, flow.cookie)).status).toBe(503);
});

test("a tenant that is suspended or being deleted has no tests", async () => {
	const acme = await connected();
	const { url, cookie } = await acme.startTest();
	const flow = await acme.open(url, cookie);
	const form = await idp.answer(flow.url, acme.email);
	await acme.manage("/tenant/suspend");
	expect((await acme.bring(form, flow.cookie)).status).toBe(200);
	const { adapter } = await (await service()).backend.auth.$context;
	const where = [{ field: "id", value: acme.tenantId }];
	await adapter.update({ model: "tenant", where, update: { erasingSince: new Date() } });
	expect((await acme.open(url, cookie)).url).toContain("error=");
	expect((await acme.bring(form, flow.cookie)).error).toBe("invalid_state");
	expect(flow.url).not.toBe("");
});
