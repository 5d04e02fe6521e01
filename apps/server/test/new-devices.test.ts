import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startRogueProvider } from "../../../packages/tenant-auth/test/support/providers/rogue-provider";
import {
	makeSamlIdentityProvider,
	type SamlIdentityProvider,
} from "../../../packages/tenant-auth/test/support/providers/saml-identity-provider";
import { makeAuthenticator } from "../../../packages/tenant-auth/test/support/providers/software-authenticator";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { builtInTemplate } from "../src/email/templates/mail-kinds";
import { renderMail } from "../src/email/templates/render-mail";
import { LANGUAGES } from "../src/languages";
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
import { samlTenant } from "./saml/saml-tenant";

const service = useService({ SAML: "true", ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

type Headers = Record<string, string>;

/** The cookies of a browser that has signed out, or whose session has ended. */
const withoutSession = (response: Response) =>
	cookiesOf(response)
		.split("; ")
		.filter((cookie) => !cookie.includes("session"))
		.join("; ");

const mailsOf = async ({ backend }: RunningService, slug: string) =>
	((await backend.mailer.outbox?.list()) ?? []).filter(({ subject }) =>
		subject.startsWith(`${slug}: new sign-in`),
	);

/** A user who has signed up in a tenant. */
async function signedUp(given?: RunningService) {
	const running = given ?? (await service());
	const slug = newSlug();
	const tenantId = await newTenant(running.post, slug);
	const tenant = { "x-tenant-id": tenantId };
	const user = newUser("ada@example.com");
	const response = await running.post("/tenant/sign-up/email", user, tenant);
	expect(response.status).toBe(200);
	const { user: created } = (await response.clone().json()) as { user: { id: string } };
	const signIn = async (headers: Headers = {}, ip?: string) => {
		const signedIn = await running.post(
			"/tenant/sign-in/email",
			user,
			{ ...tenant, ...headers },
			ip,
		);
		expect(signedIn.status).toBe(200);
		return signedIn;
	};
	return {
		...{ ...running, slug, tenantId, tenant, user, userId: created.id, response, signIn },
		mails: () => mailsOf(running, slug),
	};
}

test("a sign-in at a second device sends one email, in the brand of the tenant", async () => {
	const { slug, signIn, mails } = await signedUp();
	expect(await mails()).toEqual([]);
	await signIn({ "user-agent": FIREFOX }, "203.0.113.7");
	const [mail, ...more] = await mails();
	expect(more).toEqual([]);
	expect(mail).toMatchObject({
		to: "ada@example.com",
		subject: `${slug}: new sign-in to your account`,
	});
	expect(mail?.text).toContain("Hello Ada,");
	expect(mail?.text).toContain(`your account at ${slug}`);
	expect(mail?.text).toContain("Device: Firefox on Windows\nIP address: 203.0.113.7");
	expect(mail?.text).toMatch(/Time: .*\b20\d\d\b.* UTC\n/);
	expect(mail?.text).toContain(`http://localhost:3000/t/${slug}/account\n`);
	expect(mail?.text).toContain("change your password now, and sign out of all other devices");
});

test("the device of the sign-up is known, also after a sign-out", async () => {
	const { response, signIn, mails } = await signedUp();
	await signIn({ cookie: withoutSession(response) });
	expect(await mails()).toEqual([]);
});

test("a device is known after its first sign-in, and the cookie lasts longer with each", async () => {
	const { signIn, mails } = await signedUp();
	const first = await signIn();
	expect(await mails()).toHaveLength(1);
	const again = await signIn({ cookie: withoutSession(first) });
	expect(again.headers.getSetCookie().join()).toMatch(/known_[^;]+; Max-Age=15552000;.*HttpOnly/);
	expect(cookiesOf(again)).toContain(withoutSession(first));
	expect(await mails()).toHaveLength(1);
});

test("a device of another user, or of the same email in another tenant, is new", async () => {
	const ada = await signedUp();
	const { post, tenant, signIn, mails } = ada;
	const eve = await post("/tenant/sign-up/email", newUser("eve@example.com"), tenant);
	const elsewhere = await signedUp();
	await signIn({ cookie: withoutSession(eve) });
	await signIn({ cookie: withoutSession(elsewhere.response) });
	expect(await mails()).toHaveLength(2);
	expect(await elsewhere.mails()).toEqual([]);
});

test("the device of an earlier user with the same email is new", async () => {
	const { backend, post, tenantId, tenant, user, userId, response, mails } = await signedUp();
	await backend.auth.api.deleteTenantUser({ body: { tenantId, userId } });
	expect((await post("/tenant/sign-up/email", user, tenant)).status).toBe(200);
	const headers = { ...tenant, cookie: withoutSession(response) };
	expect((await post("/tenant/sign-in/email", user, headers)).status).toBe(200);
	expect(await mails()).toHaveLength(1);
});

test("other users of the tenant cannot use up the emails about new devices", async () => {
	const limited = await runningService({ RATE_LIMIT_TENANT_EMAIL: "2/3600" });
	const { post, tenant, signIn, mails } = await signedUp(limited);
	for (const name of notEmpty(["eve", "mallory", "oscar"])) {
		const other = newUser(`${name}@example.com`);
		expect((await post("/tenant/sign-up/email", other, tenant)).status).toBe(200);
		expect((await post("/tenant/sign-in/email", other, tenant)).status).toBe(200);
	}
	await signIn();
	expect((await mails()).map(({ to }) => to)).toContain("ada@example.com");
});

test("a forged cookie makes no known device", async () => {
	const { response, signIn, mails } = await signedUp();
	await signIn({ cookie: withoutSession(response).replace(/=./, "=x") });
	expect(await mails()).toHaveLength(1);
});

test("a wrong password sends nothing", async () => {
	const { post, tenant, user, mails } = await signedUp();
	const wrong = { ...user, password: "not the password" };
	expect((await post("/tenant/sign-in/email", wrong, tenant)).status).toBe(401);
	expect(await mails()).toEqual([]);
});

test("a session that is renewed or replaced sends nothing", async () => {
	const { post, call, baseUrl, user, response, mails } = await signedUp();
	const session = cookiesOf(response)
		.split("; ")
		.filter((cookie) => !cookie.includes("known_"))
		.join("; ");
	const headers = { cookie: session, origin: baseUrl };
	expect(await (await call("/api/auth/get-session", { headers })).json()).not.toBeNull();
	expect((await post("/update-user", { name: "Ada King" }, headers)).status).toBe(200);
	const changed = await post(
		"/change-password",
		{
			currentPassword: user.password,
			newPassword: "another horse battery",
			revokeOtherSessions: true,
		},
		headers,
	);
	expect(changed.status).toBe(200);
	expect(await mails()).toEqual([]);
});

test("an impersonation sends nothing, and makes no known device", async () => {
	const { post, tenantId, userId, baseUrl, signIn, mails } = await signedUp();
	const body = { tenantId, userId, reason: "A ticket", setCookie: true };
	const headers = { ...asManager, origin: baseUrl };
	const impersonated = await post("/tenant/user/impersonate", body, headers);
	expect(cookiesOf(impersonated)).toContain("session_token");
	expect(cookiesOf(impersonated)).not.toContain("known_");
	expect(await mails()).toEqual([]);
	await signIn({ cookie: withoutSession(impersonated) });
	expect(await mails()).toHaveLength(1);
});

test("the link of a verification email ends a sign-up, at any device", async () => {
	const running = await runningService({ REQUIRE_EMAIL_VERIFICATION: "true" });
	const slug = newSlug();
	const tenant = { "x-tenant-id": await newTenant(running.post, slug) };
	await running.post("/tenant/sign-up/email", newUser("ada@example.com"), tenant);
	const [verification] = (await running.backend.mailer.outbox?.list()) ?? [];
	const link = new URL(verification?.text.match(/https?:\/\/\S+/)?.[0] ?? "");
	const verified = await running.call(
		`/api/auth/verify-email?${link.searchParams.get("link") ?? ""}`,
	);
	expect(cookiesOf(verified)).toContain("session_token");
	const signIn = (headers: Headers = {}) =>
		running.post("/tenant/sign-in/email", newUser("ada@example.com"), { ...tenant, ...headers });
	expect((await signIn({ cookie: withoutSession(verified) })).status).toBe(200);
	expect(await mailsOf(running, slug)).toEqual([]);
	expect((await signIn()).status).toBe(200);
	expect(await mailsOf(running, slug)).toHaveLength(1);
});

describe("a new device is reported after a sign-in", () => {
	test("with a second factor, and not after the password alone", async () => {
		const { post, baseUrl, tenant, user, response, signIn, mails } = await signedUp();
		const headers = { ...tenant, origin: baseUrl, cookie: cookiesOf(response) };
		const enabled = await post("/two-factor/enable", { password: user.password }, headers);
		const { totpURI } = (await enabled.json()) as { totpURI: string };
		const code = { code: totpOf(totpURI) };
		expect((await post("/two-factor/verify-totp", code, headers)).status).toBe(200);
		const challenged = await signIn();
		expect(await challenged.clone().json()).toMatchObject({ twoFactorRedirect: true });
		expect(cookiesOf(challenged)).not.toContain("known_");
		expect(await mails()).toEqual([]);
		const cookie = cookiesOf(challenged);
		const next = await post("/two-factor/verify-totp", code, {
			...tenant,
			origin: baseUrl,
			cookie,
		});
		expect(next.status).toBe(200);
		expect(await mails()).toHaveLength(1);
	});

	test("with a sign-in link", async () => {
		const { post, call, backend, tenant, user, response, mails } = await signedUp();
		const open = async (headers: Headers) => {
			await post("/sign-in/magic-link", { email: user.email, callbackURL: "/" }, tenant);
			const [mail] = (await backend.mailer.outbox?.list()) ?? [];
			const link = new URL(mail?.text.match(/https?:\/\/\S+/)?.[0] ?? "");
			const query = link.searchParams.get("link");
			const opened = await call(`/api/auth/magic-link/verify?${query}`, { headers });
			expect(cookiesOf(opened)).toContain("session_token");
		};
		await open({ cookie: withoutSession(response) });
		expect(await mails()).toEqual([]);
		await open({});
		expect(await mails()).toHaveLength(1);
	});

	test("with a passkey", async () => {
		const { post, call, baseUrl, tenant, response, mails } = await signedUp();
		const authenticator = makeAuthenticator(baseUrl);
		const options = async (path: string, cookie: string) => {
			const headers = { ...tenant, origin: baseUrl, ...(cookie ? { cookie } : {}) };
			const answer = await call(`/api/auth/passkey/${path}`, { headers });
			const { challenge } = (await answer.json()) as { challenge: string };
			const cookies = [cookie, cookiesOf(answer)].filter(Boolean).join("; ");
			return { challenge, headers: { ...tenant, origin: baseUrl, cookie: cookies } };
		};
		const add = await options("generate-register-options", cookiesOf(response));
		const key = { response: authenticator.register(add.challenge) };
		expect((await post("/passkey/verify-registration", key, add.headers)).status).toBe(200);
		const signIn = async (devices: string) => {
			const { challenge, headers } = await options("generate-authenticate-options", devices);
			const proof = { response: authenticator.authenticate(challenge) };
			expect((await post("/passkey/verify-authentication", proof, headers)).status).toBe(200);
		};
		await signIn(withoutSession(response));
		expect(await mails()).toEqual([]);
		await signIn("");
		expect(await mails()).toHaveLength(1);
	});

	test("with an identity provider, and not for the sign-up there", async () => {
		const running = await service();
		const provider = await startRogueProvider();
		onTestFinished(() => provider.close());
		const claims = { email: "grace@example.com", email_verified: true, name: "Grace" };
		const slug = newSlug();
		const tenantId = await newTenant(running.post, slug);
		const config = {
			...{ tenantId, providerId: "oidc:corp", clientId: "client", clientSecret: "secret" },
			options: { issuer: provider.issuer },
		};
		await running.post("/tenant/oauth-config/register", config, asManager);
		const signIn = async (devices = "") => {
			const start = { tenantId, provider: "oidc:corp", callbackURL: "/" };
			const started = await running.post("/tenant/sign-in/social", start);
			const { url } = (await started.json()) as { url: string };
			const asked = new URL(url).searchParams;
			provider.claims = { ...claims, nonce: asked.get("nonce"), aud: asked.get("client_id") };
			const query = new URLSearchParams({ code: "code", state: asked.get("state") ?? "" });
			const cookie = [cookiesOf(started), devices].filter(Boolean).join("; ");
			const finished = await running.call(`${asked.get("redirect_uri")}?${query}`, {
				headers: { cookie },
			});
			expect(cookiesOf(finished)).toContain("session_token");
			return finished;
		};
		const first = await signIn();
		expect(await mailsOf(running, slug)).toEqual([]);
		await signIn(withoutSession(first));
		expect(await mailsOf(running, slug)).toEqual([]);
		await signIn();
		expect(await mailsOf(running, slug)).toHaveLength(1);
	});

	describe("with SAML", () => {
		let idp: SamlIdentityProvider;
		beforeAll(async () => {
			idp = await makeSamlIdentityProvider("idp");
		});

		test("and not for the sign-up there", async () => {
			const running = await service();
			const acme = await samlTenant(running, { name: "saml" });
			await acme.verifyDomain();
			const { metadata } = idp.config.idpMetadata;
			expect((await acme.manage("/tenant/saml/set", { metadata })).status).toBe(200);
			const signIn = async (devices = "") => {
				const { url, cookie } = await acme.start();
				const form = await idp.answer(url, `ada@${acme.domain}`);
				return acme.finish(form, [cookie, devices].filter(Boolean).join("; "));
			};
			const { cookies } = await signIn();
			const known = cookies.split("; ").filter((cookie) => cookie.includes("known_"));
			expect(known).toHaveLength(1);
			expect(await mailsOf(running, acme.slug)).toEqual([]);
			await signIn(known.join("; "));
			expect(await mailsOf(running, acme.slug)).toEqual([]);
			await signIn();
			expect(await mailsOf(running, acme.slug)).toHaveLength(1);
		});
	});
});

test("NEW_DEVICE_EMAILS=false sends nothing", async () => {
	const { signIn, mails } = await signedUp(await runningService({ NEW_DEVICE_EMAILS: "false" }));
	await signIn();
	expect(await mails()).toEqual([]);
});

test("without a limit of attempts, devices are remembered for the emails", async () => {
	const running = await runningService({ RATE_LIMIT_ACCOUNT: "off" });
	const { response, signIn, mails } = await signedUp(running);
	await signIn({ cookie: withoutSession(response) });
	expect(await mails()).toEqual([]);
	await signIn();
	expect(await mails()).toHaveLength(1);
});

test("somebody who knows the password cannot flood the mailbox", async () => {
	stopClock();
	const { signIn, mails } = await signedUp(await runningService());
	for (let i = 0; i < 6; i++) await signIn();
	expect(await mails()).toHaveLength(3);
});

test("a sign-in succeeds if its email cannot be sent", async () => {
	const { backend, signIn, logged } = await signedUp(
		await runningService({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "login@example.com" }),
	);
	await signIn();
	await backend.mailer.close();
	expect(logged()).toContainEqual(
		expect.objectContaining({ level: "error", msg: "email could not be sent" }),
	);
});

const builtIn = (language: (typeof LANGUAGES)[number]) => ({
	...builtInTemplate("new-device", language),
	language,
	source: "built-in" as const,
});

const values = {
	...{ tenant: null, to: "ada@example.com", name: "Ada", url: "https://auth.example.com/account" },
	signIn: {
		createdAt: new Date("2026-11-18T09:30:00Z"),
		ipAddress: "203.0.113.7",
		userAgent: FIREFOX,
	},
};

test("the email says when, with what and from where, in each language", () => {
	for (const language of notEmpty(LANGUAGES)) {
		const { text, html } = renderMail("new-device", builtIn(language), values);
		for (const fact of ["2026", "9:30", "UTC", "Firefox", "Windows", "203.0.113.7", values.url]) {
			expect([language, text]).toEqual([language, expect.stringContaining(fact)]);
			expect([language, html]).toEqual([language, expect.stringContaining(fact)]);
		}
		expect(text).not.toMatch(/[{}]/);
	}
});

test("an unknown client sends no text of its own into the email", () => {
	const userAgent = "Visit https://evil.example\n\nnow";
	const signIn = { createdAt: new Date(), ipAddress: null, userAgent };
	const { text } = renderMail("new-device", builtIn("en"), { ...values, signIn });
	expect(text).toContain("Device: Unknown device\nIP address: unknown");
	expect(text).not.toContain("evil");
});

test("a text of a tenant may have the IP address, but makes no link of a value", () => {
	const template = { ...builtIn("en"), source: "tenant" as const };
	const own = { ...template, text: "From {{ipAddress}}, {{device}}.\n\n{{link}}" };
	expect(renderMail("new-device", own, values).text).toContain(
		"From 203.0.113.7, Firefox on Windows.",
	);
	const evil = { ...template, text: "Go to evil.{{device}}\n\n{{link}}" };
	expect(renderMail("new-device", evil, values).text).not.toContain("evil.");
});
