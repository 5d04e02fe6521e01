import { createHash } from "node:crypto";
import { sql } from "kysely";
import { generate } from "selfsigned";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
	makeSamlIdentityProvider,
	readSamlRequest,
	type SamlForm,
	type SamlIdentityProvider,
} from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import { samlCheck } from "../../src/http/saml-routes";
import { newUser, runningService, useService } from "../running-service";
import { GROUP, person } from "../scim/scim-tenant";
import { changeRequest, changeResponse, samlTenant } from "./saml-tenant";

const service = useService({ SAML: "true" });

let idp: SamlIdentityProvider;
let other: SamlIdentityProvider;

beforeAll(async () => {
	[idp, other] = [await makeSamlIdentityProvider("idp"), await makeSamlIdentityProvider("other")];
});

afterEach(() => {
	vi.useRealTimers();
});

const metadataOf = (one: SamlIdentityProvider) => one.config.idpMetadata.metadata;

/** A tenant with an identity provider. */
async function connected(
	options: Parameters<typeof samlTenant>[1] = {},
	one = idp,
	environment?: Record<string, string>,
) {
	const running = environment
		? await runningService({ SAML: "true", ...environment })
		: await service();
	const tenant = await samlTenant(running, options);
	await tenant.verifyDomain();
	const saved = await tenant.manage("/tenant/saml/set", { metadata: metadataOf(one) });
	expect([saved.status, saved.body]).toMatchObject([200, {}]);
	return { ...tenant, email: `ada@${tenant.domain}` };
}

type Connected = Awaited<ReturnType<typeof connected>>;

async function signIn({ start, finish }: Connected, email: string) {
	const { url, cookie } = await start();
	return finish(await idp.answer(url, email), cookie);
}

describe("groups of the company", () => {
	const roles = { "App Admins": "admin", Editors: "editor" };
	const attributes = { role: "groups" };

	/** Signs in with groups, and returns the role. */
	const roleWith = async (acme: Connected, groups: string[] | null, email = acme.email) => {
		const { url, cookie } = await acme.start();
		const asserted: Record<string, string[]> = groups ? { groups } : { other: ["App Admins"] };
		const { error } = await acme.finish(await idp.answer(url, email, asserted), cookie);
		expect(error).toBeNull();
		const users = (await acme.users()) as { email: string; tenantRole: string | null }[];
		return users.find((user) => user.email === email)?.tenantRole ?? "member";
	};

	test("decide the role at each sign-in", async () => {
		const acme = await connected({}, idp, { TENANT_ROLES: '{"editor":["user:list"]}' });
		const saved = await acme.manage("/tenant/saml/set", { attributes, roles });
		expect(saved).toMatchObject({
			status: 200,
			body: { identityProvider: { attributes, roles, entityId: idp.entityID } },
		});
		expect(await roleWith(acme, ["Editors"])).toBe("editor");
		expect(await roleWith(acme, ["Staff", "Editors", "App Admins"])).toBe("admin");
		expect(await roleWith(acme, ["Staff"])).toBe("member");
		expect(await roleWith(acme, ["App Admins"])).toBe("admin");
		// Who has left all groups has no such attribute.
		expect(await roleWith(acme, null)).toBe("member");
		const audit = await acme.get("/tenant/audit/list");
		const mapped = audit.filter(({ action }: { action: string }) => action === "user:map-role");
		expect(mapped.map(({ detail }: { detail: { role: string } }) => detail.role)).toEqual(
			["editor", "admin", "member", "admin", "member"].reverse(),
		);
	});

	test("decide nothing if they are not mapped, and never about an owner", async () => {
		const acme = await connected();
		expect(await roleWith(acme, ["App Admins"])).toBe("member");
		const [user] = (await acme.users()) as { id: string }[];
		await acme.manage("/tenant/user/update", { userId: user?.id, role: "owner" });
		await acme.manage("/tenant/saml/set", { attributes, roles: { Staff: "admin" } });
		expect(await roleWith(acme, ["Staff"])).toBe("owner");
	});

	test("do not decide the role of somebody who has one from a group of the directory", async () => {
		const acme = await connected({}, idp, {
			SCIM: "true",
			TENANT_ROLES: '{"editor":["user:list"]}',
		});
		await acme.manage("/tenant/saml/set", { attributes, roles });
		const directory = await acme.directory();
		await acme.manage("/tenant/scim/set-roles", { roles: { Staff: "editor" } });
		const { id } = await directory("POST", "/Users", person(acme.email));
		expect(await roleWith(acme, ["App Admins"])).toBe("admin");
		const members = [{ value: id }];
		const group = await directory("POST", "/Groups", {
			schemas: [GROUP],
			displayName: "Staff",
			members,
		});
		expect(await roleWith(acme, ["App Admins"])).toBe("editor");
		expect(await roleWith(acme, null)).toBe("editor");
		await directory("DELETE", `/Groups/${group.id}`);
		const [user] = await acme.users();
		expect(user.tenantRole).toBeNull();
		expect(await roleWith(acme, ["App Admins"])).toBe("admin");
		expect(await roleWith(acme, ["App Admins"], `bob@${acme.domain}`)).toBe("admin");
	});

	test.each([
		["an owner", { attributes, roles: { Staff: "owner" } }],
		["an unknown role", { attributes, roles: { Staff: "editor" } }],
		["no attribute", { roles: { Staff: "admin" } }],
		["no roles", { attributes }],
		["no group", { attributes, roles: { "": "admin" } }],
		[
			"too many groups",
			{
				attributes,
				roles: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`g${n}`, "admin"])),
			},
		],
	])("are not saved with %s", async (_, body) => {
		const acme = await connected();
		expect((await acme.manage("/tenant/saml/set", body)).status).toBe(400);
		const { identityProvider } = await acme.get("/tenant/saml/get");
		expect(identityProvider).toMatchObject({ attributes: {}, roles: {} });
	});
});

test("without saved metadata, it must be given", async () => {
	const acme = await samlTenant(await service());
	await acme.verifyDomain();
	expect(await acme.manage("/tenant/saml/set", {})).toMatchObject({
		status: 404,
		body: { code: "SAML_NOT_SET_UP" },
	});
});

describe("a user of the company", () => {
	test("is not asked for the fields of the sign-up form", async () => {
		const acme = await connected();
		const fields = [{ name: "company", label: "Company", type: "text", required: true }];
		expect((await acme.manage("/tenant/sign-up-fields/set", { fields })).status).toBe(200);
		const { error, user } = await signIn(acme, acme.email);
		expect([error, user]).toMatchObject([null, { email: acme.email }]);
	});

	test("signs in at the identity provider, and is the same user the next time", async () => {
		const acme = await connected();
		const first = await signIn(acme, acme.email);
		expect(first).toMatchObject({
			status: 302,
			path: `/t/${acme.slug}/account`,
			error: null,
			user: { email: acme.email },
		});
		const second = await signIn(acme, acme.email);
		expect(second.user.id).toBe(first.user.id);
		expect(await acme.users()).toHaveLength(1);
	});

	test("finds it on the sign-in page of the tenant", async () => {
		const acme = await connected();
		const globex = await samlTenant(await service(), { name: "globex" });
		const { call, backend } = await service();
		const options = await call(`/api/auth/tenant/login-options?slug=${acme.slug}`);
		expect(((await options.json()) as { methods: string[] }).methods).toContain("sso");
		const hasSaml = samlCheck(backend.auth);
		expect([await hasSaml(acme.tenantId), await hasSaml(globex.tenantId)]).toEqual([true, false]);
		await acme.manage("/tenant/suspend");
		expect(await hasSaml(acme.tenantId)).toBe(false);
	});

	test("comes back to the page that the sign-in has named, if it is one of ours", async () => {
		const acme = await connected();
		const { url, cookie } = await acme.start(`?callbackURL=/t/${acme.slug}/consent`);
		expect(await acme.finish(await idp.answer(url, acme.email), cookie)).toMatchObject({
			path: `/t/${acme.slug}/consent`,
			user: { email: acme.email },
		});
		const foreign = await acme.start("?callbackURL=https://evil.example/");
		expect(new URL(foreign.url).pathname).toBe(`/t/${acme.slug}/error`);
	});

	test("gets the user with the same email, because the tenant owns the domain", async () => {
		const acme = await connected();
		const { id } = await acme.signUpAs("owner", acme.email);
		expect((await signIn(acme, acme.email)).user.id).toBe(id);
	});

	test("whom a directory or an admin has created, and who never signed in, is that user", async () => {
		const acme = await connected();
		const made = await acme.manage("/tenant/user/create", { email: acme.email, name: "Ada" });
		expect(made.body).toMatchObject({ emailVerified: false });
		expect((await signIn(acme, acme.email)).user).toMatchObject({ id: made.body.id, name: "Ada" });
		expect((await signIn(acme, acme.email)).user.id).toBe(made.body.id);
	});

	test("does not get a user whose password somebody else may know", async () => {
		const acme = await connected();
		const { post } = await service();
		const named = { "x-tenant-id": acme.tenantId };
		await post("/tenant/sign-up/email", newUser(acme.email), named);
		expect(await signIn(acme, acme.email)).toMatchObject({
			error: "account_not_linked",
			user: null,
		});
	});

	test("with an email of a domain that the tenant does not own is refused", async () => {
		const acme = await connected();
		for (const email of ["eve@elsewhere.com", `eve@sub.${acme.domain}`]) {
			expect(await signIn(acme, email)).toMatchObject({
				error: "EMAIL_DOMAIN_NOT_VERIFIED",
				user: null,
			});
		}
		await acme.loseDomains();
		expect((await signIn(acme, acme.email)).user).toBeNull();
		expect(await acme.users()).toEqual([]);
	});

	test("with an email that is none, or several, is refused", async () => {
		const acme = await connected();
		for (const name of [
			"eve@evil.com,ada",
			"eve@evil.com",
			"ad\u00e4",
			"a b",
			"",
			"x".repeat(300),
		]) {
			expect(await signIn(acme, `${name}@${acme.domain}`)).toMatchObject({
				error: "INVALID_EMAIL",
				user: null,
			});
		}
		expect(await acme.users()).toEqual([]);
	});

	test("is created only if the policy of the tenant allows it", async () => {
		const acme = await connected();
		await acme.manage("/tenant/policy/update", { signUp: { mode: "closed" } });
		expect((await signIn(acme, acme.email)).user).toBeNull();
		expect(await acme.users()).toEqual([]);
	});

	test("who is disabled, or whose tenant is suspended, does not get in", async () => {
		const acme = await connected();
		const { user } = await signIn(acme, acme.email);
		await acme.manage("/tenant/user/disable", { userId: user.id });
		expect((await signIn(acme, acme.email)).user).toBeNull();
		await acme.manage("/tenant/user/enable", { userId: user.id });
		const { url, cookie } = await acme.start();
		await acme.manage("/tenant/suspend");
		expect((await acme.finish(await idp.answer(url, acme.email), cookie)).user).toBeNull();
		expect(new URL((await acme.start()).url).pathname).toBe(`/t/${acme.slug}/error`);
	});
});

describe("a response is refused", () => {
	/** Sends what a start makes, and requires that nobody is signed in or created. */
	async function refuses(
		error: string,
		make: (url: string, email: string) => Promise<Partial<SamlForm>>,
	): Promise<void> {
		const acme = await connected();
		const { url, cookie } = await acme.start();
		const end = await acme.finish(await make(url, acme.email), cookie);
		expect(end).toMatchObject({ status: 302, error, user: null });
		expect(await acme.users()).toEqual([]);
		// The same tenant accepts a right one.
		expect((await signIn(acme, acme.email)).user).toMatchObject({ email: acme.email });
	}

	test("if another identity provider signed it", () =>
		refuses("saml_error", (url, email) => other.answer(url, email)));

	test("if its assertion is not signed", () =>
		refuses("saml_error", async (url, email) =>
			changeResponse(await idp.answer(url, email), (xml) => {
				const unsigned = xml.replaceAll(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, "");
				expect(unsigned).not.toBe(xml);
				return unsigned;
			}),
		));

	test("if it was changed after it was signed", () =>
		refuses("saml_error", async (url, email) =>
			changeResponse(await idp.answer(url, email), (xml) => {
				const changed = xml.replaceAll(email, email.replace("ada", "eve"));
				expect(changed).not.toBe(xml);
				return changed;
			}),
		));

	test("if a second assertion wraps the signed one", () =>
		refuses("saml_multiple_assertions", async (url, email) =>
			changeResponse(await idp.answer(url, email), (xml) => {
				const [assertion = ""] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml) ?? [];
				const forged = assertion
					.replaceAll(/<ds:Signature[\s\S]*?<\/ds:Signature>/g, "")
					.replaceAll(email, email.replace("ada", "eve"))
					.replace(/\bID="[^"]*"/, 'ID="_forged"');
				expect(forged).toContain("eve@");
				return xml.replace(assertion, `${forged}${assertion}`);
			}),
		));

	test("if it is for another audience", () =>
		refuses("invalid_saml_response", (url, email) =>
			idp.answer(
				changeRequest(url, (xml) =>
					xml.replace(/(Issuer[^>]*>)[^<]*/, "$1https://app.example.com"),
				),
				email,
			),
		));

	test("if its destination and recipient are elsewhere", () =>
		refuses("invalid_saml_response", (url, email) =>
			idp.answer(
				changeRequest(url, (xml) =>
					xml.replace(
						/AssertionConsumerServiceURL="[^"]*"/,
						'AssertionConsumerServiceURL="https://app.example.com/acs"',
					),
				),
				email,
			),
		));

	test("if it responds to a request that nobody has sent", () =>
		refuses("invalid_saml_response", (url, email) =>
			idp.answer(
				changeRequest(url, (xml) => xml.replace(/\bID="[^"]*"/, 'ID="_unknown"')),
				email,
			),
		));

	test("if it responds to no request", () =>
		refuses("unsolicited_response", async (url, email) => {
			const { audience, acs, relayState } = readSamlRequest(url);
			const form = await idp.start({ audience, acs }, email);
			return { ...form, RelayState: relayState ?? "" };
		}));

	test("if it has the assertion for another request in it, of which only the assertion is signed", async () => {
		const acme = await connected();
		const victim = await acme.start();
		const stolen = await idp.answer(victim.url, acme.email);
		const { audience, acs } = readSamlRequest(victim.url);
		const unsolicited = await idp.start({ audience, acs }, acme.email);
		for (const { SAMLResponse } of notEmpty([stolen, unsolicited])) {
			const attacker = await acme.start();
			const { id, relayState = "" } = readSamlRequest(attacker.url);
			const form = changeResponse({ SAMLResponse, RelayState: relayState }, (xml) =>
				xml.replace(/(<samlp:Response[^>]*?)( InResponseTo="[^"]*")?>/, `$1 InResponseTo="${id}">`),
			);
			expect(await acme.finish(form, attacker.cookie)).toMatchObject({
				error: "invalid_saml_response",
				user: null,
			});
			// Exclusive canonicalization leaves out what a name space that nobody uses is called.
			const hidden = changeResponse(form, (xml) =>
				xml.replace(
					/<saml:SubjectConfirmationData/,
					`<saml:SubjectConfirmationData xmlns:x=' InResponseTo="${id}"'`,
				),
			);
			expect((await acme.finish(hidden, attacker.cookie)).user).toBeNull();
		}
		expect(await acme.users()).toEqual([]);
		expect((await acme.finish(stolen, victim.cookie)).user).toMatchObject({ email: acme.email });
	});

	test("if SHA-1 signs it", async () => {
		const old = await makeSamlIdentityProvider("old", {
			signature: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
		});
		const acme = await connected({}, old);
		const { url, cookie } = await acme.start();
		const form = await old.answer(url, acme.email);
		expect(await acme.finish(form, cookie)).toMatchObject({
			error: "saml_algorithm_not_allowed",
			user: null,
		});
		const escaped = changeResponse(form, (xml) => xml.replaceAll("sha1", "sha&#49;"));
		expect((await acme.finish(escaped, cookie)).user).toBeNull();
		expect(await acme.users()).toEqual([]);
	});

	test.each([
		["elements", "<a/>".repeat(40_000)],
		[
			"attributes",
			`<a ${Array.from({ length: 15_000 }, (_, index) => `b${index}=""`).join(" ")}/>`,
		],
		["comments", "<!---->".repeat(20_000)],
		["tags that do not end", "<a ".repeat(50_000)],
		["spaces in a tag", `<a${" ".repeat(150_000)}`],
	])("if it has many %s, before they take time", async (_, many) => {
		const acme = await connected();
		const { url, cookie } = await acme.start();
		const form = await idp.answer(url, acme.email);
		const large = changeResponse(form, (xml) =>
			xml.replace("</samlp:Response>", `${many}</samlp:Response>`),
		);
		expect(await acme.finish(large, cookie)).toMatchObject({
			error: "saml_invalid_xml",
			user: null,
		});
		expect((await acme.finish(form, cookie)).user).toMatchObject({ email: acme.email });
	});

	test("if it has expired", () =>
		refuses("saml_error", async (url, email) => {
			vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60 * 60_000 });
			const form = await idp.answer(url, email);
			vi.useRealTimers();
			return form;
		}));

	test("if it has no RelayState, or another one", async () => {
		await refuses("invalid_state", async (url, email) => ({
			SAMLResponse: (await idp.answer(url, email)).SAMLResponse,
		}));
		await refuses("invalid_state", async (url, email) => ({
			...(await idp.answer(url, email)),
			RelayState: "x",
		}));
	});

	test("if it comes a second time, or from another browser", async () => {
		const acme = await connected();
		const { url, cookie } = await acme.start();
		const form = await idp.answer(url, acme.email);
		// Somebody sends a victim the response to a request of their own browser.
		const elsewhere = await acme.start();
		expect(await acme.finish(form, elsewhere.cookie)).toMatchObject({
			error: "invalid_state",
			user: null,
		});
		expect((await acme.finish(form, cookie)).user).not.toBeNull();
		expect((await acme.finish(form, cookie)).user).toBeNull();
	});

	test("if nobody can read it, and it is no error of the server", async () => {
		const acme = await connected();
		const { url, cookie } = await acme.start();
		const { RelayState = "" } = await idp.answer(url, acme.email);
		const xml = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>';
		const responses = ["", "?", "PHg+", "A".repeat(300_000), Buffer.from(xml).toString("base64")];
		for (const SAMLResponse of notEmpty(responses)) {
			const end = await acme.finish({ SAMLResponse, RelayState }, cookie);
			expect([end.status, end.path, end.user]).toEqual([302, `/t/${acme.slug}/error`, null]);
		}
	});
});

describe("another tenant", () => {
	test("with the same identity provider does not accept the response, whoever brings it", async () => {
		const acme = await connected();
		const globex = await connected({ name: "globex", domain: "acme.com" });
		const [inAcme, inGlobex] = [await acme.start(), await globex.start()];
		const ofAcme = await idp.answer(inAcme.url, acme.email);
		const ofGlobex = await idp.answer(inGlobex.url, acme.email);
		const mixed = { ...ofAcme, RelayState: ofGlobex.RelayState ?? "" };
		for (const [form, cookie] of notEmpty([
			[ofAcme, inAcme.cookie],
			[mixed, inGlobex.cookie],
		] as const)) {
			expect((await globex.finish(form, cookie)).user).toBeNull();
		}
		expect(await globex.users()).toEqual([]);
	});

	test("keeps its user with the same email", async () => {
		const acme = await connected();
		const globex = await samlTenant(await service(), { name: "globex" });
		const { id } = await globex.signUpAs("owner", acme.email);
		const { user } = await signIn(acme, acme.email);
		expect(user.id).not.toBe(id);
		expect(await globex.users()).toHaveLength(1);
	});
});

describe("an owner", () => {
	test("sets it up, reads what the identity provider needs, and removes it", async () => {
		const acme = await connected();
		const base = `http://localhost:3000/t/${acme.slug}/saml`;
		expect(await acme.get("/tenant/saml/get")).toMatchObject({
			entityId: `${base}/metadata`,
			acsUrl: `${base}/acs`,
			metadataUrl: `${base}/metadata`,
			signInUrl: `${base}/sign-in`,
			emailDomains: [acme.domain],
			identityProvider: {
				entityId: "https://idp.example.com",
				signInUrl: "https://idp.example.com/sso",
				certificates: [{ expiresAt: expect.stringMatching(/^20\d\d-/) }],
			},
		});
		const { call } = await service();
		const metadata = await (await call(`/t/${acme.slug}/saml/metadata`)).text();
		expect(metadata).toContain(`entityID="${base}/metadata"`);
		expect(metadata).toContain(`Location="${base}/acs"`);
		expect(metadata).toContain('WantAssertionsSigned="true"');
		const actions = (await acme.get("/tenant/audit/list")).map(
			({ action, targetId }: { action: string; targetId: string }) => [action, targetId],
		);
		expect(actions).toContainEqual(["saml:set", "https://idp.example.com"]);

		const { url, cookie } = await acme.start();
		expect((await acme.manage("/tenant/saml/remove")).status).toBe(200);
		expect((await acme.manage("/tenant/saml/remove")).status).toBe(404);
		expect((await acme.finish(await idp.answer(url, acme.email), cookie)).user).toBeNull();
		expect((await acme.get("/tenant/saml/get")).identityProvider).toBeNull();
	});

	test("changes the identity provider, and a flow that was running ends", async () => {
		const acme = await connected();
		const { url, cookie } = await acme.start();
		await acme.manage("/tenant/saml/set", { metadata: metadataOf(other) });
		for (const one of [idp, other]) {
			expect((await acme.finish(await one.answer(url, acme.email), cookie)).user).toBeNull();
		}
		const next = await acme.start();
		expect(
			(await acme.finish(await other.answer(next.url, acme.email), next.cookie)).user,
		).toMatchObject({ email: acme.email });
	});

	test("is needed: an admin could become one by an identity provider of their own", async () => {
		const acme = await connected();
		const admin = await acme.signUpAs("admin", "admin@elsewhere.com");
		const owner = await acme.signUpAs("owner", "owner@elsewhere.com");
		const member = await acme.signUpAs("member", "member@elsewhere.com");
		const body = { metadata: metadataOf(idp) };
		const set = async ({ headers }: typeof admin) =>
			(await acme.manage("/tenant/saml/set", body, headers)).status;
		expect([await set(admin), await set(member), await set(owner)]).toEqual([403, 403, 200]);
		expect((await acme.manage("/tenant/saml/remove", {}, admin.headers)).status).toBe(403);
		const globex = await samlTenant(await service(), { name: "globex" });
		expect((await globex.manage("/tenant/saml/set", body, owner.headers)).status).toBe(403);
	});

	test("may save large metadata with other keys and characters that XML escapes", async () => {
		const acme = await samlTenant(await service());
		await acme.verifyDomain();
		const encryption = /<KeyDescriptor[\s\S]*?<\/KeyDescriptor>/
			.exec(metadataOf(other))?.[0]
			.replace('use="signing"', 'use="encryption"');
		const metadata = metadataOf(idp)
			.replace("<KeyDescriptor", `${encryption}<KeyDescriptor`)
			.replaceAll("https://idp.example.com/sso", "https://idp.example.com/sso?a=1&amp;b=2")
			.replace("</EntityDescriptor>", `${"<Other/>".repeat(30_000)}</EntityDescriptor>`)
			.replace("<EntityDescriptor", `<!-- ${"x".repeat(200_000)} --><EntityDescriptor`);
		const { status, body } = await acme.manage("/tenant/saml/set", { metadata });
		expect([status, body.identityProvider]).toMatchObject([
			200,
			{ signInUrl: "https://idp.example.com/sso?a=1&b=2", certificates: [{}] },
		]);
		expect(body.identityProvider.certificates).toHaveLength(1);
		const { url, cookie } = await acme.start();
		expect(new URL(url).searchParams.get("b")).toBe("2");
		const email = `ada@${acme.domain}`;
		expect((await acme.finish(await idp.answer(url, email), cookie)).user).toMatchObject({ email });
		const next = await acme.start();
		expect((await acme.finish(await other.answer(next.url, email), next.cookie)).user).toBeNull();
	});

	test("needs a verified email domain first", async () => {
		const acme = await samlTenant(await service());
		const { status, body } = await acme.manage("/tenant/saml/set", { metadata: metadataOf(idp) });
		expect([status, body.code]).toEqual([409, "SAML_NEEDS_EMAIL_DOMAIN"]);
	});

	const broken: [string, (xml: string) => string][] = [
		["no XML", () => "hello"],
		["cut off", (xml) => xml.slice(0, 400)],
		["with a document type", (xml) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}`],
		["too large", (xml) => `${xml}<!-- ${"x".repeat(600_000)} -->`],
		["with many open tags", (xml) => `${xml}${"<IDPSSODescriptor ".repeat(25_000)}`],
		["with many descriptors", (xml) => `${xml}${"<IDPSSODescriptor >".repeat(25_000)}`],
		[
			"of two identity providers",
			(xml) => `<EntitiesDescriptor>${`${xml}`.repeat(2)}</EntitiesDescriptor>`,
		],
		["with a name of control characters", (xml) => xml.replace(/entityID="/, "$&&#1;")],
		["of a service provider", (xml) => xml.replaceAll("IDPSSODescriptor", "SPSSODescriptor")],
		[
			"without a certificate",
			(xml) => xml.replaceAll(/<KeyDescriptor[\s\S]*?<\/KeyDescriptor>/g, ""),
		],
		["with a certificate that is none", (xml) => xml.replace(/(X509Certificate>)[^<]+/, "$1AAAA")],
		[
			"with a script as its URL",
			(xml) => xml.replaceAll("https://idp.example.com/sso", "javascript:alert(1)"),
		],
		[
			"with an http URL",
			(xml) => xml.replaceAll("https://idp.example.com/sso", "http://idp.example.com/sso"),
		],
		...[
			"#page",
			"?RelayState=a",
			"?a=b&amp;SAMLRequest=a",
			"/&#1;",
			"/&#10;a",
			"/ö",
			"/&#xD800;",
		].map((end): [string, (xml: string) => string] => [
			`with a URL that cannot carry a request: ${end}`,
			(xml) => xml.replaceAll("https://idp.example.com/sso", `$&${end}`),
		]),
		[
			"that wants signed requests",
			(xml) => xml.replace('WantAuthnRequestsSigned="false"', 'WantAuthnRequestsSigned="true"'),
		],
	];

	test("cannot save certificates that fit into no column", async () => {
		const acme = await connected();
		const altNames = Array.from({ length: 1000 }, (_, at) => ({
			type: 2 as const,
			value: `${at}.${"a".repeat(60)}.example.com`,
		}));
		const { cert } = await generate([{ name: "commonName", value: "idp" }], {
			keySize: 2048,
			extensions: [{ name: "subjectAltName", altNames }],
		});
		const base64 = cert.replaceAll(/-----[^-]+-----|\s/g, "");
		const metadata = metadataOf(idp).replace(/(X509Certificate>)[^<]+/, `$1${base64}`);
		const { status, body } = await acme.manage("/tenant/saml/set", { metadata });
		expect([status, body.code]).toEqual([400, "INVALID_SAML_METADATA"]);
		expect((await signIn(acme, acme.email)).user).not.toBeNull();
	});

	test.each(broken)("cannot save metadata %s", async (_, change) => {
		const acme = await connected();
		const metadata = change(metadataOf(idp));
		expect(metadata).not.toBe(metadataOf(idp));
		const { status, body } = await acme.manage("/tenant/saml/set", { metadata });
		expect([status, body.code]).toEqual([400, "INVALID_SAML_METADATA"]);
		expect((await signIn(acme, acme.email)).user).not.toBeNull();
	});
});

test("too many requests get 429, and an outage 503, in place of a page", async () => {
	stopClock();
	const running = await runningService({ SAML: "true", RATE_LIMIT: "5/60" });
	const { slug, domain, manage, verifyDomain } = await samlTenant(running);
	await verifyDomain();
	await manage("/tenant/saml/set", { metadata: metadataOf(idp) });
	const start = (ip: string) => running.call(`/t/${slug}/saml/sign-in`, {}, ip);
	const url = (await start("10.9.9.7")).headers.get("location") ?? "";
	const form = await idp.answer(url, `ada@${domain}`);
	const finish = (ip: string) => {
		const name = createHash("sha256")
			.update(form.RelayState ?? "")
			.digest("hex")
			.slice(0, 32);
		const headers = { cookie: `saml-${name}=1` };
		const body = new URLSearchParams({ ...form });
		return running.call(`/t/${slug}/saml/acs`, { method: "POST", headers, body }, ip);
	};
	for (const send of [start, finish]) {
		const responses = [];
		for (let count = 0; count < 6; count += 1) responses.push(await send("10.9.9.9"));
		const last = responses.at(-1);
		expect([last?.status, await last?.json()]).toMatchObject([429, { code: "TOO_MANY_REQUESTS" }]);
		expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
	}
	await sql`pragma query_only = 1`.execute(running.backend.database.db);
	for (const send of [start, finish]) {
		const response = await send("10.9.9.8");
		expect([response.status, await response.json()]).toMatchObject([
			503,
			{ code: "STORAGE_UNAVAILABLE" },
		]);
	}
});

test("over https, no other host can set the cookie of a sign-in", async () => {
	const running = await runningService({
		SAML: "true",
		BETTER_AUTH_URL: "https://auth.example.com",
	});
	const { domain, manage, verifyDomain, start, finish } = await samlTenant(running);
	await verifyDomain();
	await manage("/tenant/saml/set", { metadata: metadataOf(idp) });
	const { url, cookie } = await start();
	expect(cookie).toMatch(/^__Host-saml-/);
	const form = await idp.answer(url, `ada@${domain}`);
	const tossed = cookie.replace("__Host-", "");
	expect(await finish(form, tossed)).toMatchObject({ error: "invalid_state", user: null });
	expect((await finish(form, cookie)).user).toMatchObject({ email: `ada@${domain}` });
});

test("nothing is open without the setting, or beside the tenant's URLs", async () => {
	const off = await runningService();
	const on = await service();
	const { slug } = await connected();
	expect((await off.call(`/t/${slug}/saml/metadata`)).status).toBe(404);
	expect((await off.post("/tenant/saml/set", {})).status).toBe(404);
	for (const path of [
		"/sign-in/sso",
		"/sso/register",
		"/sso/saml2/sp/acs/saml",
		"/sso/providers",
	]) {
		expect([path, (await on.post(path, {})).status]).toEqual([path, 404]);
	}
	expect((await on.call("/t/nobody/saml/sign-in")).status).toBe(404);
});
