import { beforeAll, describe, expect, test, vi } from "vitest";
import {
	makeSamlIdentityProvider,
	type SamlIdentityProvider,
} from "../../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import { useService } from "../running-service";
import { metadataServer } from "./metadata-server";
import { samlTenant } from "./saml-tenant";

const service = useService({ SAML: "true", ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });
const strict = useService({ SAML: "true" });

/** The same identity provider with its next certificate, and another one. */
let idp: SamlIdentityProvider;
let rotated: SamlIdentityProvider;
let other: SamlIdentityProvider;

beforeAll(async () => {
	idp = await makeSamlIdentityProvider("idp");
	rotated = await makeSamlIdentityProvider("idp");
	other = await makeSamlIdentityProvider("other");
});

const metadataOf = (one: SamlIdentityProvider) => one.config.idpMetadata.metadata;

type Event = { action: string; targetId: string; actor: object; detail: Record<string, unknown> };

/** A tenant whose identity provider publishes its metadata. */
async function connected(name = "acme") {
	const acme = await samlTenant(await service(), { name });
	await acme.verifyDomain();
	const published = await metadataServer(metadataOf(idp));
	const saved = await acme.manage("/tenant/saml/set", {
		metadataUrl: published.url,
		attributes: { role: "groups" },
		roles: { Staff: "admin" },
	});
	expect(saved).toMatchObject({ status: 200 });
	const events = async (): Promise<Event[]> =>
		((await acme.get("/tenant/audit/list")) as Event[]).filter(
			({ action }) => action === "saml:refresh",
		);
	const signIn = async (one: SamlIdentityProvider) => {
		const { url, cookie } = await acme.start();
		return (await acme.finish(await one.answer(url, `ada@${acme.domain}`), cookie)).user;
	};
	const provider = async () => (await acme.get("/tenant/saml/get")).identityProvider;
	const refresh = () => acme.manage("/tenant/saml/refresh");
	return { ...acme, published, saved, events, signIn, provider, refresh };
}

describe("an owner gives the URL of the metadata", () => {
	test("and the service loads it, and keeps both", async () => {
		const acme = await connected();
		expect(acme.saved.body.identityProvider).toMatchObject({
			entityId: idp.entityID,
			metadataUrl: acme.published.url,
			load: { checkedAt: expect.stringMatching(/^20/), problem: null },
		});
		expect(acme.published.requests).toEqual(["GET /metadata?app=1"]);
		expect(await acme.signIn(idp)).toMatchObject({ email: `ada@${acme.domain}` });
		const audit: Event[] = await acme.get("/tenant/audit/list");
		const { host } = new URL(acme.published.url);
		expect(audit.find(({ action }) => action === "saml:set")).toMatchObject({
			targetId: idp.entityID,
			detail: { metadataHost: host },
		});
	});

	test("and attributes change without it, but pasted metadata replaces it", async () => {
		const acme = await connected();
		await acme.manage("/tenant/saml/set", { attributes: { name: "fullName" } });
		expect(await acme.provider()).toMatchObject({
			metadataUrl: acme.published.url,
			attributes: { name: "fullName" },
		});
		await acme.manage("/tenant/saml/set", { metadata: metadataOf(other) });
		expect(await acme.provider()).toMatchObject({ metadataUrl: null, load: null });
		expect(await acme.refresh()).toMatchObject({
			status: 409,
			body: { code: "SAML_HAS_NO_METADATA_URL" },
		});
		expect(acme.published.requests).toHaveLength(1);
	});

	test("but not with the metadata itself, and not before a domain is verified", async () => {
		const acme = await samlTenant(await service());
		const { url: metadataUrl, requests } = await metadataServer(metadataOf(idp));
		const set = (body: object) => acme.manage("/tenant/saml/set", body);
		expect((await set({ metadataUrl })).body.code).toBe("SAML_NEEDS_EMAIL_DOMAIN");
		await acme.verifyDomain();
		expect((await set({ metadataUrl, metadata: metadataOf(idp) })).status).toBe(400);
		expect((await acme.get("/tenant/saml/get")).identityProvider).toBeNull();
		expect(requests).toEqual([]);
	});

	test("but an admin, a member and an owner of another tenant cannot make the service load one", async () => {
		const acme = await connected();
		const globex = await connected("globex");
		const admin = await acme.signUpAs("admin", "admin@elsewhere.com");
		const member = await acme.signUpAs("member", "member@elsewhere.com");
		const owner = await globex.signUpAs("owner", "owner@elsewhere.com");
		const { url: metadataUrl } = acme.published;
		for (const { headers } of notEmpty([admin, member, owner])) {
			expect((await acme.manage("/tenant/saml/set", { metadataUrl }, headers)).status).toBe(403);
			expect((await acme.manage("/tenant/saml/refresh", {}, headers)).status).toBe(403);
		}
		expect(acme.published.requests).toHaveLength(1);
	});
});

describe("a URL is refused", () => {
	const unusable: [string, string][] = [
		["is not one", "idp"],
		["is not a web page", "file:///etc/passwd"],
		["has credentials", "https://ada:secret@idp.example.com/metadata"],
		["has a fragment", "https://idp.example.com/metadata#a"],
		["is not encrypted", "http://idp.example.com/metadata"],
		["is on loopback", "https://127.0.0.1/metadata"],
		["is on loopback, in another notation", "https://0x7f.1/metadata"],
		["is in a private network", "https://10.0.0.1/metadata"],
		["is the metadata service of a cloud", "https://169.254.169.254/latest/meta-data"],
		["has a private name", "https://vault.internal/metadata"],
	];

	test.each(unusable)("if it %s", async (_, metadataUrl) => {
		const acme = await samlTenant(await strict());
		await acme.verifyDomain();
		const { status, body } = await acme.manage("/tenant/saml/set", { metadataUrl });
		expect([status, body.code]).toEqual([400, "INVALID_SAML_METADATA_URL"]);
		expect(JSON.stringify(body)).not.toContain("secret");
		expect((await acme.get("/tenant/saml/get")).identityProvider).toBeNull();
	});

	test("if it stops to be allowed after it was saved, and nothing is sent there", async () => {
		const acme = await samlTenant(await strict());
		await acme.verifyDomain();
		await acme.manage("/tenant/saml/set", { metadata: metadataOf(idp) });
		const { url, requests } = await metadataServer(metadataOf(rotated));
		const { adapter } = await (await strict()).backend.auth.$context;
		const { runInTenant } = await import("better-auth-tenant");
		const { auth } = (await strict()).backend;
		await runInTenant(auth, acme.tenantId, async () => {
			const row = await adapter.findOne<{ samlConfig: string }>({
				model: "ssoProvider",
				where: [{ field: "providerId", value: "saml" }],
			});
			const config = { ...JSON.parse(row?.samlConfig ?? ""), metadataUrl: url };
			await adapter.updateMany({
				model: "ssoProvider",
				where: [{ field: "providerId", value: "saml" }],
				update: { samlConfig: JSON.stringify(config) },
			});
		});
		expect(await acme.manage("/tenant/saml/refresh")).toMatchObject({
			status: 400,
			body: { code: "INVALID_SAML_METADATA_URL" },
		});
		expect(requests).toEqual([]);
	});
});

/** What a URL may respond with in place of the metadata, with the code of the refusal. */
const responses: [string, Parameters<typeof metadataServer>[0], number, string][] = [
	[
		"is an error",
		(response) => response.writeHead(500).end("internal secret"),
		502,
		"SAML_METADATA_UNREACHABLE",
	],
	[
		"is not there",
		(response) => response.writeHead(404).end("internal secret"),
		502,
		"SAML_METADATA_UNREACHABLE",
	],
	["is cut off", (response) => response.destroy(), 502, "SAML_METADATA_UNREACHABLE"],
	[
		"is a redirect",
		(response) => response.writeHead(302, { location: "/other" }).end(),
		502,
		"SAML_METADATA_UNREACHABLE",
	],
	["is too large", "<a/>".repeat(200_000), 502, "SAML_METADATA_UNREACHABLE"],
	["is a page", "<html>internal secret</html>", 400, "INVALID_SAML_METADATA"],
	["is not XML", "internal secret", 400, "INVALID_SAML_METADATA"],
];

describe.each(responses)("a response that %s", (_, answer, status, code) => {
	test("is not saved, and the error has nothing of it", async () => {
		const acme = await samlTenant(await service());
		await acme.verifyDomain();
		const { url: metadataUrl } = await metadataServer(answer);
		const refused = await acme.manage("/tenant/saml/set", { metadataUrl });
		expect([refused.status, refused.body.code]).toEqual([status, code]);
		expect(JSON.stringify(refused.body)).not.toMatch(/secret|127\.0\.0\.1/);
		expect((await acme.get("/tenant/saml/get")).identityProvider).toBeNull();
	});

	test("keeps what is saved, with one event and a warning", async () => {
		const acme = await connected();
		acme.published.publish(answer);
		for (let count = 0; count < 2; count += 1) {
			const refused = await acme.refresh();
			expect([refused.status, refused.body.code]).toEqual([status, code]);
		}
		const { load, certificates } = await acme.provider();
		expect(load.problem).toMatchObject({ code, since: expect.stringMatching(/^20/) });
		expect(JSON.stringify(load)).not.toMatch(/secret|127\.0\.0\.1/);
		expect(certificates).toEqual(acme.saved.body.identityProvider.certificates);
		expect(await acme.events()).toMatchObject([
			{ targetId: idp.entityID, detail: { problem: code } },
		]);
		expect(await acme.signIn(idp)).not.toBeNull();
		acme.published.publish(metadataOf(idp));
		expect(await acme.refresh()).toMatchObject({ status: 200, body: { changed: false } });
		expect((await acme.provider()).load.problem).toBeNull();
	});
});

describe("a refresh", () => {
	test("brings a new certificate and sign-in URL, and keeps attributes and roles", async () => {
		const acme = await connected();
		const moved = "https://login.example.com/sso?a=1&amp;b=2";
		acme.published.publish(metadataOf(rotated).replaceAll("https://idp.example.com/sso", moved));
		expect(await acme.signIn(rotated)).toBeNull();
		const { status, body } = await acme.refresh();
		expect([status, body]).toMatchObject([
			200,
			{
				changed: true,
				identityProvider: {
					entityId: idp.entityID,
					signInUrl: "https://login.example.com/sso?a=1&b=2",
					metadataUrl: acme.published.url,
					attributes: { role: "groups" },
					roles: { Staff: "admin" },
				},
			},
		]);
		const [before] = acme.saved.body.identityProvider.certificates;
		const [after] = body.identityProvider.certificates;
		expect(await acme.events()).toMatchObject([
			{ detail: { added: [after.fingerprint], removed: [before.fingerprint] } },
		]);
		const { url } = await acme.start();
		expect(new URL(url).origin).toBe("https://login.example.com");
		expect(await acme.signIn(rotated)).toMatchObject({ email: `ada@${acme.domain}` });
		expect(await acme.signIn(idp)).toBeNull();
	});

	test("that finds nothing new has no event, and ends no sign-in that is running", async () => {
		const acme = await connected();
		const { url, cookie } = await acme.start();
		expect(await acme.refresh()).toMatchObject({ status: 200, body: { changed: false } });
		expect(await acme.events()).toEqual([]);
		expect(acme.published.requests).toHaveLength(2);
		acme.published.publish("nothing");
		expect((await acme.refresh()).status).toBe(400);
		const form = await idp.answer(url, `ada@${acme.domain}`);
		expect((await acme.finish(form, cookie)).user).not.toBeNull();
	});

	test("never accepts another identity provider", async () => {
		const acme = await connected();
		acme.published.publish(metadataOf(other));
		expect(await acme.refresh()).toMatchObject({
			status: 409,
			body: { code: "SAML_ENTITY_ID_CHANGED" },
		});
		expect(await acme.provider()).toMatchObject({
			entityId: idp.entityID,
			load: { problem: { code: "SAML_ENTITY_ID_CHANGED" } },
		});
		expect(await acme.events()).toMatchObject([{ detail: { problem: "SAML_ENTITY_ID_CHANGED" } }]);
		expect(await acme.signIn(other)).toBeNull();
		expect(await acme.signIn(idp)).not.toBeNull();
	});

	test("never accepts a certificate that has expired", async () => {
		const acme = await connected();
		acme.published.publish(metadataOf(rotated));
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * 366 * 24 * 60 * 60_000 });
		const refused = await acme.refresh().finally(() => vi.useRealTimers());
		expect(refused).toMatchObject({ status: 422, body: { code: "SAML_CERTIFICATES_EXPIRED" } });
		expect((await acme.provider()).certificates).toEqual(
			acme.saved.body.identityProvider.certificates,
		);
		expect(await acme.signIn(rotated)).toBeNull();
	});

	test("does not undo what somebody saves meanwhile", async () => {
		const acme = await connected();
		const saving = new Promise((resolve) => {
			acme.published.publish((response) => {
				const saved = acme.manage("/tenant/saml/set", { metadata: metadataOf(other) });
				resolve(saved.then(() => response.end(metadataOf(rotated))));
			});
		});
		const refused = await acme.refresh();
		await saving;
		expect(refused).toMatchObject({ status: 409, body: { code: "SAML_CHANGED_MEANWHILE" } });
		expect(await acme.provider()).toMatchObject({ entityId: other.entityID, metadataUrl: null });
	});
});

test("the job loads each URL once a day, and one that fails does not stop the others", async () => {
	const { jobs } = await service();
	const [acme, globex, pasted] = [
		await connected(),
		await connected("globex"),
		await connected("pasted"),
	];
	await jobs.run("saml-metadata");
	await pasted.manage("/tenant/saml/set", { metadata: metadataOf(idp) });
	acme.published.publish(metadataOf(rotated));
	globex.published.publish(metadataOf(other));
	const before = pasted.published.requests.length;
	const report = await jobs.run("saml-metadata");
	expect(report?.changed).toBe(1);
	expect(report?.failed).toBeGreaterThanOrEqual(1);
	expect(await acme.signIn(rotated)).not.toBeNull();
	expect(await acme.events()).toMatchObject([{ actor: { kind: "server" } }]);
	expect(await globex.provider()).toMatchObject({
		entityId: idp.entityID,
		load: { problem: { code: "SAML_ENTITY_ID_CHANGED" } },
	});
	expect(pasted.published.requests).toHaveLength(before);
	expect(await pasted.events()).toEqual([]);
	expect((await jobs.list()).map(({ name, everySeconds }) => [name, everySeconds])).toContainEqual([
		"saml-metadata",
		86_400,
	]);
	expect((await (await strict()).jobs.list()).map(({ name }) => name)).toContain("saml-metadata");
});

test.each([
	["/tenant/saml/set", true],
	["/tenant/saml/refresh", false],
	["/tenant/saml/test", false],
])("%s lets the service call a URL of the tenant ten times in a minute", async (path, hasUrl) => {
	stopClock();
	const acme = await connected();
	const body = hasUrl ? { metadataUrl: acme.published.url } : {};
	const statuses: number[] = [];
	for (let n = 0; n < 10; n += 1) statuses.push((await acme.manage(path, body)).status);
	// The first one has saved the URL.
	expect(statuses).toEqual([...Array(9).fill(200), 429]);
	const asked = acme.published.requests.length;
	expect(await acme.manage(path, body)).toMatchObject({
		status: 429,
		body: { code: "TOO_MANY_REQUESTS" },
	});
	expect(acme.published.requests).toHaveLength(asked);
});
