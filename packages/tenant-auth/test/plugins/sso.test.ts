import { randomUUID } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { organization } from "better-auth/plugins";
import { getCurrentTenantId, runInTenant } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { expectRefusal } from "../support/http/refusal";
import { startDnsServer } from "../support/providers/dns-server";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { type Answer, EMAIL, ORIGIN } from "../support/worlds/instance";
import {
	endOf,
	flowStates,
	makeSsoApp,
	SIGNED_IN,
	type SsoAppOptions,
} from "../support/worlds/sso-app";
import { stores } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const CALLBACK = `${ORIGIN}/api/auth/sso/callback`;

describe("sign-in with OIDC", () => {
	const idp = useIdentityProvider("gitlab");
	const person = (email = `${randomUUID()}@acme.com`) => idp.addPerson({ email });

	/** A client of the app at the identity provider, as options of an OIDC provider. */
	async function makeClient() {
		const redirectURIs = [CALLBACK, `${CALLBACK}/okta`, `${CALLBACK}/corp`];
		const { clientId, clientSecret } = await idp.addClient({ redirectURIs });
		return {
			clientId,
			clientSecret,
			tokenEndpointAuthentication: "client_secret_post" as const,
			scopes: ["openid"],
			pkce: true,
			discoveryEndpoint: `${idp.url}/.well-known/openid-configuration`,
		};
	}

	/** Both tenants and the platform have a provider with the same id and domain. */
	async function setUp(options: SsoAppOptions = {}) {
		const app = await makeSsoApp({ trustedOrigins: [idp.url], ...options });
		for (const user of [app.ada, app.bob, app.carol]) {
			await app.register(user, { issuer: idp.url, oidcConfig: await makeClient() });
		}
		return app;
	}

	describeVariations("with the state %s", flowStates, (options, it) => {
		const world = useWorld(() => setUp(options()));

		it("ends in the tenant in which it started, whatever the callback carries", async () => {
			const { a, b, start, visit, call, bob, carol, sessionOf } = world();
			const ends = [
				{ tenantId: a, carried: { tenant: b, session: bob.cookie } },
				{ tenantId: b, carried: { session: carol.cookie } },
				{ tenantId: a, carried: {} },
				{ tenantId: null, carried: { tenant: a, session: bob.cookie } },
			];
			for (const { tenantId, carried } of notEmpty(ends)) {
				const someone = person();
				const { path, cookie } = await visit(await start(tenantId), someone);
				const { session = "", ...names } = carried;
				const answer = await call(path, { ...names, cookie: `${session}; ${cookie}` });
				expect(endOf(answer)).toEqual(SIGNED_IN);
				expect((await sessionOf(answer.cookie)).user).toMatchObject({
					email: someone.email,
					tenantId,
				});
			}
		});

		it("rejects the code of B with the state of A, and a state that was used", async () => {
			const { a, b, start, visit, call, users } = world();
			const before = await users();
			const inA = await visit(await start(a), person());
			const inB = await visit(await start(b), person());
			const [ofA, ofB] = [inA, inB].map(({ path }) => new URL(path, ORIGIN));
			const mixed = `/sso/callback/okta?${new URLSearchParams({
				code: String(ofB?.searchParams.get("code")),
				state: String(ofA?.searchParams.get("state")),
			})}`;
			for (const cookie of [inA.cookie, inB.cookie]) {
				const answer = await call(mixed, { cookie, tenant: b });
				expect(endOf(answer)).toMatchObject({ status: 302, isSignedIn: false });
				expect(answer.headers.get("location")).toContain("error=");
			}
			expect(await users()).toEqual(before);
			const { path, cookie } = await visit(await start(a), person());
			expect(endOf(await call(path, { cookie }))).toEqual(SIGNED_IN);
			expect(endOf(await call(path, { cookie })).isSignedIn).toBe(false);
		});

		// A hostile tenant names the pages and the client of another one, and a token endpoint of its own.
		it("refuses a code that came with the state of another tenant before", async () => {
			const { a, b, ada, bob, register, start, visit, call, sessionOf } = world();
			const provider = { issuer: idp.url, domain: "mixed.com", providerId: "corp" };
			const oidcConfig = { ...(await makeClient()), pkce: false };
			await register(ada, { ...provider, oidcConfig });
			const ofOther = { ...oidcConfig, clientSecret: "unknown to the other tenant" };
			await register(bob, { ...provider, oidcConfig: ofOther });

			const someone = person();
			const { path } = await visit(await start(b, { providerId: "corp" }), someone);
			const lured = await start(b, { providerId: "corp" });
			const stolen = await visit(lured, someone);
			expect(endOf(await call(stolen.path, { cookie: lured.cookie })).isSignedIn).toBe(false);

			const own = await start(a, { providerId: "corp" });
			const state = String(new URL(own.body.url).searchParams.get("state"));
			const withCodeOf = (callback: string) => {
				const code = String(new URL(callback, ORIGIN).searchParams.get("code"));
				return `/sso/callback/corp?${new URLSearchParams({ code, state })}`;
			};
			const answer = await call(withCodeOf(stolen.path), { cookie: own.cookie });
			expect(endOf(answer)).toMatchObject({ status: 302, isSignedIn: false });
			expect(answer.headers.get("location")).toContain("error=invalid_code");
			// Without the callback of the other tenant, the code is good: nothing else would stop it.
			const unused = await call(withCodeOf(path), { cookie: own.cookie });
			expect((await sessionOf(unused.cookie)).user.tenantId).toBe(a);
		});

		it("is refused in a suspended or deleted tenant, at the start and at the callback", async () => {
			const { a, b, start, visit, call, manage, users } = world();
			const inA = await visit(await start(a), person());
			const inB = await visit(await start(b), person());
			await manage("/tenant/suspend", { body: { tenantId: a } });
			await manage("/tenant/delete", { body: { tenantId: b } });
			const before = await users();
			expect((await start(a)).body.code).toBe("TENANT_SUSPENDED");
			expect((await start(b)).body.code).toBe("TENANT_NOT_FOUND");
			const ofSuspended = await call(inA.path, { cookie: inA.cookie });
			expectRefusal(ofSuspended, 403, "TENANT_SUSPENDED");
			const ofDeleted = await call(inB.path, { cookie: inB.cookie });
			expect([302, 404]).toContain(ofDeleted.status);
			expect([ofSuspended, ofDeleted].map((it) => endOf(it).isSignedIn)).toEqual([false, false]);
			expect(await users()).toEqual(before);
		});
	});

	it("under the id of a tenant's own provider reaches no account of that provider", async () => {
		const app = await makeSsoApp({ trustedOrigins: [idp.url] });
		const providerId = "oidc:okta";
		const victim = await app.signUp(app.a, "victim@acme.com");
		const attacker = person();
		const now = new Date().toISOString();
		const owned = { id: randomUUID(), userId: victim.body.user.id, tenantId: app.a };
		const account = {
			providerId,
			accountId: attacker.sub,
			authority: "issuer=https://acme.okta.com",
		};
		await app.db
			.insertInto("account")
			.values({ ...owned, ...account, createdAt: now, updatedAt: now })
			.execute();
		const { clientId, clientSecret } = await idp.addClient({
			redirectURIs: [CALLBACK, `${CALLBACK}/${providerId}`],
		});
		const oidcConfig = { ...(await makeClient()), clientId, clientSecret };
		await app.register(app.ada, { providerId, issuer: idp.url, oidcConfig });
		const { path, cookie } = await app.visit(await app.start(app.a, { providerId }), attacker);
		expect(endOf(await app.call(path, { cookie }))).toMatchObject({ isSignedIn: false });
	});

	describe.each(flowStates.slice(0, 2))(
		"with a provider of the app and the state %s",
		(_, options) => {
			const world = useWorld(async () => {
				const oidcConfig = { issuer: idp.url, allowIdpInitiated: true, ...(await makeClient()) };
				const defaultSSO = [{ providerId: "corp", domain: "corp.com", oidcConfig }];
				return makeSsoApp({
					trustedOrigins: [idp.url],
					...options(),
					sso: { defaultSSO, redirectURI: "/sso/callback" },
				});
			});

			it("ends in the tenant in which it started, at the shared callback", async () => {
				const { a, b, start, visit, call, sessionOf } = world();
				for (const tenantId of [a, b, null]) {
					const { path, cookie } = await visit(
						await start(tenantId, { providerId: "corp" }),
						person(),
					);
					expect(path).toMatch(/^\/sso\/callback\?/);
					const answer = await call(path, { cookie, tenant: b });
					expect(endOf(answer)).toEqual(SIGNED_IN);
					expect((await sessionOf(answer.cookie)).user.tenantId).toBe(tenantId);
				}
			});

			it("ends in the tenant of the session or of the server code that started it", async () => {
				const { a, b, auth, bob, call, visit, sessionOf } = world();
				const body = { providerId: "corp", callbackURL: "/home" };
				const bySession = await call("/sign-in/sso", { cookie: bob.cookie, body });
				const byServer = await runInTenant(auth, a, () => call("/sign-in/sso", { body }));
				for (const [started, tenantId] of [
					[bySession, b],
					[byServer, a],
				] as const) {
					const { path, cookie } = await visit(started, person());
					const answer = await call(path, { cookie });
					expect(endOf(answer)).toEqual(SIGNED_IN);
					expect((await sessionOf(answer.cookie)).user.tenantId).toBe(tenantId);
				}
			});

			it("which the identity provider starts ends in the tenant that the request names", async () => {
				const { a, call, visit, sessionOf } = world();
				for (const tenantId of [a, null]) {
					const bounced = await call("/sso/callback/corp", {
						query: { code: "unasked" },
						...(tenantId ? { tenant: tenantId } : {}),
					});
					const url = bounced.headers.get("location");
					const { path, cookie } = await visit({ ...bounced, body: { url } }, person());
					const answer = await call(path, { cookie });
					expect(endOf(answer)).toMatchObject({ status: 302, isSignedIn: true });
					expect((await sessionOf(answer.cookie)).user.tenantId).toBe(tenantId);
				}
			});
		},
	);

	describe("and accounts that exist", () => {
		const world = useWorld(() => setUp());

		it("takes over no user of another tenant or of the platform with the same email", async () => {
			const { a, b, start, visit, call, signUp, users, sessionOf } = world();
			const email = `${randomUUID()}@acme.com`;
			const [ofB] = [await signUp(b, email)];
			const { path, cookie } = await visit(await start(a), person(email));
			const answer = await call(path, { cookie });
			expect(endOf(answer)).toEqual(SIGNED_IN);
			const { user } = await sessionOf(answer.cookie);
			expect(user).toMatchObject({ tenantId: a, email });
			expect(user.id).not.toBe(ofB.body.user.id);
			const same = (await users()).filter((it) => it.email === email);
			expect(same.map(({ tenantId }) => tenantId).sort()).toEqual([a, b].sort());
			expect((await sessionOf(ofB.cookie)).user.id).toBe(ofB.body.user.id);
		});

		it("signs the same person in to the same user again, one in each tenant", async () => {
			const { a, b, start, visit, call, sessionOf } = world();
			const someone = person();
			const userOf = async (tenantId: string) => {
				const { path, cookie } = await visit(await start(tenantId), someone);
				return (await sessionOf((await call(path, { cookie })).cookie)).user.id;
			};
			const [inA, inB] = [await userOf(a), await userOf(b)];
			expect([await userOf(a), await userOf(b)]).toEqual([inA, inB]);
			expect(inA).not.toBe(inB);
		});

		it("joins no user of its own tenant either, without a verified domain", async () => {
			const { a, start, visit, call, users } = world();
			const before = await users();
			const { path, cookie } = await visit(await start(a), person(EMAIL));
			const answer = await call(path, { cookie });
			expect(endOf(answer)).toMatchObject({ status: 302, isSignedIn: false });
			expect(answer.headers.get("location")).toContain("/failed?error=");
			expect(await users()).toEqual(before);
		});

		it("finds a provider by its domain in its own tenant only", async () => {
			const { a, b, start, call, bob } = world();
			const byDomain = { providerId: undefined, domain: "acme.com" };
			const clientOf = async (tenantId: string) =>
				new URL((await start(tenantId, byDomain)).body.url).searchParams.get("client_id");
			expect(await clientOf(a)).not.toBe(await clientOf(b));
			await call("/sso/delete-provider", { cookie: bob.cookie, body: { providerId: "okta" } });
			expect((await start(b, byDomain)).status).toBe(404);
			expect((await start(a, byDomain)).status).toBe(200);
		});

		it("keeps the providers of both tenants when one of them is deleted", async () => {
			const { a, b, manage, start, db } = world();
			await manage("/tenant/delete", { body: { tenantId: a } });
			expect(await db.selectFrom("ssoProvider").select("id").execute()).toHaveLength(2);
			expect((await start(b)).status).toBe(200);
			expect((await start(null)).status).toBe(200);
		});
	});

	describe.each(stores)("with verified domains and values %s", (stored, options) => {
		const records = new Map<string, string[]>();
		let dns: Awaited<ReturnType<typeof startDnsServer>>;
		beforeAll(async () => {
			dns = await startDnsServer(records);
		});
		afterAll(() => dns.close());
		const world = useWorld(() =>
			setUp({ ...options(), sso: { domainVerification: { enabled: true } } }),
		);

		it("verifies a domain in its own tenant only", async () => {
			const { a, b, ada, bob, call, start } = world();
			const body = { providerId: "okta" };
			const ask = async ({ cookie }: Answer) =>
				(await call("/sso/request-domain-verification", { cookie, body })).body
					.domainVerificationToken;
			const verify = ({ cookie }: Answer) => call("/sso/verify-domain", { cookie, body });
			const [ofA, ofB] = [await ask(ada), await ask(bob)];
			expect(ofA).not.toBe(ofB);
			// If identifiers are hashed, the plugin accepts only the second part.
			const prefix = stored === "hashed" ? "" : "_better-auth-token-okta=";
			records.set("_better-auth-token-okta.acme.com", [`${prefix}${ofA}`]);
			expectRefusal(await verify(bob), 502, "DOMAIN_VERIFICATION_FAILED");
			expect((await verify(ada)).status).toBe(204);
			expect((await start(b)).status).toBe(401);
			expect((await start(a)).status).toBe(200);
		});
	});

	describe("with organizations", () => {
		const world = useWorld(async () => {
			const app = await makeSsoApp({
				trustedOrigins: [idp.url],
				plugins: [organization() as unknown as BetterAuthPlugin],
			});
			const create = async ({ cookie }: Answer) =>
				(await app.call("/organization/create", { cookie, body: { name: "Acme", slug: "acme" } }))
					.body.id;
			const organizations = { a: await create(app.ada), b: await create(app.bob) };
			const provider = async () => ({ issuer: idp.url, oidcConfig: await makeClient() });
			for (const [user, organizationId] of [
				[app.ada, organizations.a],
				[app.bob, organizations.b],
			] as const) {
				await app.register(user, { organizationId, ...(await provider()) });
			}
			return { ...app, organizations };
		});

		it("adds a user to the organization of the provider, in the tenant of the flow", async () => {
			const { a, b, start, visit, call, organizations } = world();
			for (const [tenantId, organizationId] of [
				[a, organizations.a],
				[b, organizations.b],
			] as const) {
				const started = await start(tenantId, { providerId: undefined, organizationSlug: "acme" });
				const { path, cookie } = await visit(started, person());
				const answer = await call(path, { cookie, tenant: b });
				const list = await call("/organization/list", { cookie: answer.cookie });
				expect(list.body.map(({ id }: { id: string }) => id)).toEqual([organizationId]);
			}
		});

		it("registers no provider for an organization of another tenant", async () => {
			const { ada, bob, organizations, call } = world();
			const body = {
				providerId: "other",
				issuer: idp.url,
				domain: "acme.com",
				oidcConfig: await makeClient(),
			};
			for (const [user, organizationId] of [
				[ada, organizations.b],
				[bob, organizations.a],
			] as const) {
				const answer = await call("/sso/register", {
					cookie: user.cookie,
					body: { ...body, organizationId },
				});
				expect([answer.status, answer.body.message]).toEqual([
					400,
					"You are not a member of the organization",
				]);
			}
		});
	});

	it("runs callbacks of the app in the tenant of the flow", async () => {
		const seen: (string | null)[] = [];
		const provisionUser = async () => {
			seen.push(await getCurrentTenantId());
		};
		const { a, b, start, visit, call } = await setUp({ sso: { provisionUser } });
		for (const tenantId of [a, b]) {
			const { path, cookie } = await visit(await start(tenantId), person());
			await call(path, { cookie });
		}
		expect(seen).toEqual([a, b]);
	});
});
