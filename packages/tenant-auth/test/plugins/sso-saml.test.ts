import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { expectRefusal } from "../support/http/refusal";
import {
	makeSamlIdentityProvider,
	makeServiceProviderMetadata,
	readSamlRequest,
	type SamlIdentityProvider,
} from "../support/providers/saml-identity-provider";
import { type Answer, ORIGIN } from "../support/worlds/instance";
import {
	endOf,
	flowStates,
	makeSsoApp,
	SIGNED_IN,
	type SsoAppOptions,
} from "../support/worlds/sso-app";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const BASE = `${ORIGIN}/api/auth`;
const ACS = "/sso/saml2/sp/acs/okta";
const SLO = "/sso/saml2/sp/slo/okta";
const ISSUER = "https://app.example.com";
const EMAIL = "eve@acme.com";

describe("sign-in with SAML", () => {
	let idp: SamlIdentityProvider;
	let other: SamlIdentityProvider;
	beforeAll(async () => {
		[idp, other] = [await makeSamlIdentityProvider("idp"), await makeSamlIdentityProvider("other")];
	});

	/** Both tenants and the platform have a provider with the same id, domain, entity id and key. */
	async function setUp(options: SsoAppOptions = {}) {
		const app = await makeSsoApp(options);
		for (const user of [app.ada, app.bob, app.carol]) {
			await app.register(user, { issuer: ISSUER, samlConfig: idp.config });
		}
		/** Signs in, in this tenant. */
		async function signIn(tenantId: string | null, email = EMAIL): Promise<Answer> {
			const { body } = await app.start(tenantId);
			return app.post(ACS, { body: await idp.answer(body.url, email) });
		}
		return { ...app, signIn };
	}

	const expectFailure = (answer: Answer) => {
		expect(endOf(answer)).toMatchObject({ status: 302, isSignedIn: false });
		expect(answer.headers.get("location")).toContain("error=");
	};

	describeVariations("with the state %s", flowStates, (options, it) => {
		const world = useWorld(() => setUp(options()));

		it("ends in the tenant in which it started, whatever the answer comes with", async () => {
			const { a, b, start, bob, carol, sessionOf, post } = world();
			const ends = [
				{ tenantId: a, carried: { tenant: b, query: { tenantId: b } }, session: bob.cookie },
				{ tenantId: b, carried: {}, session: carol.cookie },
				{ tenantId: null, carried: { tenant: a }, session: bob.cookie },
			];
			for (const { tenantId, carried, session } of notEmpty(ends)) {
				const { body, cookie } = await start(tenantId);
				const answer = await post(ACS, {
					...carried,
					body: await idp.answer(body.url, EMAIL),
					cookie: `${session}; ${cookie}`,
				});
				expect(endOf(answer)).toEqual(SIGNED_IN);
				const { user } = await sessionOf(answer.cookie);
				expect(user).toMatchObject({ email: EMAIL, tenantId });
			}
		});

		it("rejects an assertion of A with the RelayState of B, and one that was used", async () => {
			const { a, b, start, users, post } = world();
			const before = await users();
			const [inA, inB] = [await start(a), await start(b)];
			const [ofA, ofB] = [
				await idp.answer(inA.body.url, EMAIL),
				await idp.answer(inB.body.url, EMAIL),
			];
			const { RelayState = "" } = ofB;
			for (const tenant of [a, b]) {
				const cookie = tenant === a ? inA.cookie : inB.cookie;
				const answer = await post(ACS, { body: { ...ofA, RelayState }, tenant, cookie });
				expect([302, 404]).toContain(answer.status);
				expect(endOf(answer).isSignedIn).toBe(false);
			}
			expect(await users()).toEqual(before);
			const { body, cookie } = await start(a);
			const form = await idp.answer(body.url, EMAIL);
			expect(endOf(await post(ACS, { body: form, cookie }))).toEqual(SIGNED_IN);
			const { SAMLResponse } = form;
			for (const again of [form, { SAMLResponse }]) {
				for (const tenant of [a, b]) {
					expect(endOf(await post(ACS, { body: again, cookie, tenant })).isSignedIn).toBe(false);
				}
			}
			// From another browser.
			const elsewhere = await post(ACS, { body: { SAMLResponse }, tenant: b });
			expect(endOf(elsewhere).isSignedIn).toBe(false);
		});

		it("is refused in a suspended or deleted tenant, at the start and at the end", async () => {
			const { a, b, start, manage, users, post } = world();
			const [inA, inB] = [await start(a), await start(b)];
			await manage("/tenant/suspend", { body: { tenantId: a } });
			await manage("/tenant/delete", { body: { tenantId: b } });
			const before = await users();
			expectRefusal(await start(a), 403, "TENANT_SUSPENDED");
			expectRefusal(await start(b), 404, "TENANT_NOT_FOUND");
			const form = await idp.answer(inA.body.url, EMAIL);
			expectRefusal(await post(ACS, { body: form, cookie: inA.cookie }), 403, "TENANT_SUSPENDED");
			const ofDeleted = await idp.answer(inB.body.url, EMAIL);
			const answer = await post(ACS, { body: ofDeleted, cookie: inB.cookie });
			expect([302, 404]).toContain(answer.status);
			expect(endOf(answer).isSignedIn).toBe(false);
			expect(await users()).toEqual(before);
		});
	});

	describe("of an answer", () => {
		const world = useWorld(() => setUp());

		it("rejects what another identity provider signed, in every tenant", async () => {
			const { a, b, ada, start, call, users, post } = world();
			await call("/sso/update-provider", {
				cookie: ada.cookie,
				body: { providerId: "okta", samlConfig: other.config },
			});
			const before = await users();
			for (const tenant of [a, b]) {
				const { body } = await start(a);
				expectFailure(await post(ACS, { body: await idp.answer(body.url, EMAIL), tenant }));
			}
			expect(await users()).toEqual(before);
		});

		it("takes over no user of another tenant or of the platform with the same email", async () => {
			const { a, b, signIn, sessionOf, signUp, users } = world();
			const ofB = await signUp(b, EMAIL);
			const { user } = await sessionOf((await signIn(a)).cookie);
			expect([user.tenantId, user.id === ofB.body.user.id]).toEqual([a, false]);
			expectFailure(await signIn(b));
			expect((await users()).filter((it) => it.email === EMAIL)).toHaveLength(2);
		});

		it("finds the tenant by the request that it answers, if it has no RelayState", async () => {
			const { b, start, sessionOf, post } = world();
			const { SAMLResponse } = await idp.answer((await start(b)).body.url, EMAIL);
			const answer = await post(ACS, { body: { SAMLResponse } });
			expect((await sessionOf(answer.cookie)).user.tenantId).toBe(b);
		});

		it("signs the same person in to the same user again, one in each tenant", async () => {
			const { a, b, signIn, sessionOf } = world();
			const userOf = async (tenantId: string) =>
				(await sessionOf((await signIn(tenantId)).cookie)).user.id;
			const [inA, inB] = [await userOf(a), await userOf(b)];
			expect([await userOf(a), await userOf(b)]).toEqual([inA, inB]);
			expect(inA).not.toBe(inB);
		});

		it("that nobody can read is rejected, and no server error", async () => {
			const { call, a, post } = world();
			for (const SAMLResponse of ["", "?", "PHg+", "A".repeat(50_000), "💥"]) {
				for (const names of [{}, { tenant: a }]) {
					const answers = [
						await post(ACS, { body: { SAMLResponse, RelayState: "unknown" }, ...names }),
						await call(SLO, { query: { SAMLResponse }, ...names }),
					];
					for (const answer of notEmpty(answers)) {
						expect(answer.status).toBeLessThan(500);
						expect(endOf(answer).isSignedIn).toBe(false);
					}
				}
			}
		});
	});

	it("is refused if nothing tells the tenant of its RelayState, which is in a cookie", async () => {
		const { a, start, users, post } = await setUp({
			account: { storeStateStrategy: "cookie" },
			sso: { saml: { enableInResponseToValidation: false } },
		});
		const before = await users();
		const { body, cookie } = await start(a);
		const form = await idp.answer(body.url, EMAIL);
		expectRefusal(await post(ACS, { body: form, cookie }), 404, "TENANT_NOT_FOUND");
		expect(await users()).toEqual(before);
	});

	describe.each(flowStates.slice(0, 2))(
		"with a provider of the app and the state %s",
		(_, options) => {
			const world = useWorld(() => {
				const samlConfig = { ...idp.config, issuer: ISSUER };
				const defaultSSO = [{ providerId: "okta", domain: "corp.com", samlConfig }];
				return makeSsoApp({ ...options(), sso: { defaultSSO } });
			});

			it("ends in the tenant in which it started", async () => {
				const { a, b, start, sessionOf, post } = world();
				for (const tenantId of [a, b, null]) {
					const { body, cookie } = await start(tenantId);
					const form = await idp.answer(body.url, EMAIL);
					const answer = await post(ACS, { body: form, cookie, tenant: b });
					expect(endOf(answer)).toEqual(SIGNED_IN);
					expect((await sessionOf(answer.cookie)).user.tenantId).toBe(tenantId);
				}
			});
		},
	);

	describe("that the identity provider starts", () => {
		const acsOf = (tenantId: string) => `${BASE}${ACS}?tenantId=${tenantId}`;
		const appOf = (tenantId: string) => ({ audience: ISSUER, acs: acsOf(tenantId) });
		const plain = { audience: ISSUER, acs: `${BASE}${ACS}` };

		/** Each tenant has its own ACS URL. */
		const world = useWorld(async () => {
			const app = await makeSsoApp({ sso: { saml: { allowIdpInitiated: true } } });
			for (const [user, tenantId] of [
				[app.ada, app.a],
				[app.bob, app.b],
			] as const) {
				const metadata = makeServiceProviderMetadata(appOf(tenantId));
				const samlConfig = { ...idp.config, spMetadata: { metadata }, callbackUrl: "/home" };
				await app.register(user, { issuer: ISSUER, samlConfig });
			}
			return app;
		});

		it("ends in the tenant that the query of the ACS URL names", async () => {
			const { a, b, sessionOf, post } = world();
			for (const [tenantId, named] of [
				[a, b],
				[b, a],
			] as const) {
				const { pathname, search } = new URL(acsOf(tenantId));
				const form = await idp.start(appOf(tenantId), EMAIL);
				const path = `${pathname.slice("/api/auth".length)}${search}`;
				const answer = await post(path, { body: form, tenant: named });
				expect(endOf(answer)).toEqual(SIGNED_IN);
				expect((await sessionOf(answer.cookie)).user.tenantId).toBe(tenantId);
			}
		});

		it("is rejected at the ACS URL of another tenant", async () => {
			const { a, b, users, post } = world();
			const before = await users();
			const form = await idp.start(appOf(a), EMAIL);
			expectFailure(await post(`${ACS}?tenantId=${b}`, { body: form }));
			expect(await users()).toEqual(before);
		});

		it("is not found if nothing names the tenant, whatever session it carries", async () => {
			const { a, ada, users, post } = world();
			const before = await users();
			for (const app of [plain, appOf(a)]) {
				const body = await idp.start(app, EMAIL);
				expect((await post(ACS, { body, cookie: ada.cookie })).status).toBe(404);
			}
			expect(await users()).toEqual(before);
		});

		it("may be named by the host, as at all endpoints", async () => {
			const tenants = new Map<string, string>();
			const app = await makeSsoApp({
				sso: { saml: { allowIdpInitiated: true } },
				tenants: { resolveTenantId: ({ headers }) => tenants.get(headers?.get("host") ?? "") },
			});
			await app.register(app.ada, {
				issuer: ISSUER,
				samlConfig: { ...idp.config, callbackUrl: "/home" },
			});
			tenants.set("acme.example.com", app.a).set("other.example.com", app.b);
			const at = async (host: string) =>
				app.post(ACS, { body: await idp.start(plain, EMAIL), headers: { host } });
			const answer = await at("acme.example.com");
			expect(endOf(answer)).toEqual(SIGNED_IN);
			expect((await app.sessionOf(answer.cookie)).user.tenantId).toBe(app.a);
			expect((await at("other.example.com")).status).toBe(404);
		});

		it("has metadata of its own tenant", async () => {
			const { a, b, call } = world();
			const metadata = (query: object) =>
				call("/sso/saml2/sp/metadata", { query: { providerId: "okta", ...query } });
			for (const tenantId of [a, b]) {
				expect((await metadata({ tenantId })).body).toContain(acsOf(tenantId));
			}
			expect((await metadata({})).status).toBe(404);
			expectRefusal(await metadata({ tenantId: "unknown" }), 404, "TENANT_NOT_FOUND");
		});
	});

	describe("and single logout", () => {
		const app = { audience: ISSUER, acs: `${BASE}${ACS}`, slo: `${BASE}${SLO}` };
		const world = useWorld(() => setUp({ sso: { saml: { enableSingleLogout: true } } }));

		it.each(["post", "redirect"] as const)(
			"finds the tenant of a logout that the app started, by %s",
			async (binding) => {
				const { a, b, signIn, call, db, sessionOf, post } = world();
				const [inA, inB] = [await signIn(a), await signIn(b)];
				const started = await call("/sso/saml2/logout/okta", {
					cookie: inA.cookie,
					body: { callbackURL: "/bye" },
				});
				expect(await sessionOf(inA.cookie)).toBeNull();
				const url = String(started.headers.get("location"));
				const { id } = readSamlRequest(url);
				const stored = () =>
					db
						.selectFrom("verification")
						.select("id")
						.where("identifier", "like", `%${id}`)
						.execute();
				expect(await stored()).toHaveLength(1);
				const message = idp.confirmLogout(app, url, binding);
				const answer =
					binding === "post"
						? await post(SLO, { body: { SAMLResponse: message, RelayState: "/bye" } })
						: await call(`${SLO}${new URL(message).search}&RelayState=%2Fbye`);
				expect([answer.status, answer.headers.get("location")]).toEqual([302, "/bye"]);
				expect(await stored()).toEqual([]);
				expect((await sessionOf(inB.cookie)).user.tenantId).toBe(b);
			},
		);

		it("ends a session that the identity provider ends, in the named tenant only", async () => {
			const { a, b, signIn, sessionOf, post } = world();
			const [inA, inB] = [await signIn(a), await signIn(b)];
			const message = () => ({ SAMLRequest: idp.requestLogout(app, EMAIL, "post") });
			await post(SLO, { body: message() });
			expect((await sessionOf(inA.cookie)).user.tenantId).toBe(a);
			const here = await post(`${SLO}?tenantId=${a}`, { body: message(), cookie: inB.cookie });
			expect(here.status).toBe(200);
			expect(await sessionOf(inA.cookie)).toBeNull();
			expect((await sessionOf(inB.cookie)).user.tenantId).toBe(b);
		});

		it("ends the session of the browser that brings the message", async () => {
			const { a, b, signIn, call, sessionOf } = world();
			const [inA, inB] = [await signIn(a), await signIn(b)];
			const { search } = new URL(idp.requestLogout(app, EMAIL, "redirect"));
			const answer = await call(`${SLO}${search}`, { cookie: inA.cookie });
			expect(answer.status).toBe(302);
			expect(await sessionOf(inA.cookie)).toBeNull();
			expect((await sessionOf(inB.cookie)).user.tenantId).toBe(b);
		});
	});
});
