import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { untilHang } from "../../../testing/time-limits";
import { greeting } from "../src/email/email-template";
import { Outbox, smtpMailer } from "../src/email/mailer";
import { builtInTemplate, MAIL_KINDS, type MailKind } from "../src/email/templates/mail-kinds";
import { renderMail } from "../src/email/templates/render-mail";
import { en } from "../src/email/texts/en";
import { LANGUAGES, type Language } from "../src/languages";
import { loopbackSmtp } from "./loopback-smtp";
import {
	asManager,
	cookiesOf,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";

type KeptEmail = { id: number; to: string; subject: string; text: string; html: string };

async function outboxOf({ call }: RunningService): Promise<KeptEmail[]> {
	const response = await call("/service/outbox", { headers: asManager });
	expect(response.status).toBe(200);
	return (await response.json()) as KeptEmail[];
}

const linkIn = ({ text }: { text: string }) => text.match(/https?:\/\/\S+/)?.[0] ?? "";

/** What the button of the page opens to which the link of an email leads. */
const verificationIn = (email: KeptEmail) =>
	`/api/auth/verify-email?${new URL(linkIn(email)).searchParams.get("link")}`;

const branding = { primaryColor: "#ffee00", supportEmail: "help@acme.example" };

test("a program that opens the link of a sign-in email does not use it up", async () => {
	const service = await runningService();
	const tenant = { "x-tenant-id": await newTenant(service.post, "acme") };
	await service.post("/tenant/sign-up/email", newUser("ada@example.com"), tenant);
	const before = (await outboxOf(service)).length;
	const asked = { email: "ada@example.com", callbackURL: "/t/acme/account" };
	expect((await service.post("/sign-in/magic-link", asked, tenant)).status).toBe(200);
	await vi.waitFor(
		async () => expect((await outboxOf(service)).length).toBe(before + 1),
		untilHang,
	);
	const [email] = await outboxOf(service);
	const link = new URL(linkIn(email as KeptEmail));
	expect(link.href).toContain("http://localhost:3000/t/acme/email-link?link=token%3D");
	const headers = { accept: "text/html" };
	for (let n = 0; n < 2; n += 1) {
		expect(cookiesOf(await service.call(link.href, { headers }))).toBe("");
	}
	const opened = await service.call(
		`/api/auth/magic-link/verify?${link.searchParams.get("link")}`,
		{ headers },
	);
	expect(cookiesOf(opened)).toContain("session_token");
	expect(opened.headers.get("location")).toContain("/t/acme/account");
});

test("a user verifies their email with the link in it, and is signed in", async () => {
	const service = await runningService({ REQUIRE_EMAIL_VERIFICATION: "true" });
	const tenant = {
		"x-tenant-id": await newTenant(service.post, "acme", {
			name: "Acme & <Sons>",
			metadata: { branding },
		}),
	};
	const user = newUser("ada@example.com");
	const signedUp = await service.post("/tenant/sign-up/email", user, tenant);
	expect(await signedUp.json()).toMatchObject({ token: null });
	expect((await service.post("/tenant/sign-in/email", user, tenant)).status).toBe(403);

	const [email] = await outboxOf(service);
	expect(email).toMatchObject({
		to: "ada@example.com",
		subject: "Acme & <Sons>: verify your email",
		text: expect.stringContaining("Hello Ada,"),
	});
	expect(email?.text).toContain("help@acme.example");
	expect(email?.html).toContain("Acme &amp; &lt;Sons&gt;");
	expect(email?.html).toContain("background:#ffee00;color:#000000");

	const page = new URL(linkIn(email as KeptEmail));
	expect(page.href).toContain("http://localhost:3000/t/acme/verify?link=token%3D");
	// A program that opens the link verifies nothing.
	await service.call(page.href, { headers: { accept: "text/html" } });
	expect((await service.post("/tenant/sign-in/email", user, tenant)).status).toBe(403);

	const verified = await service.call(verificationIn(email as KeptEmail));
	expect(cookiesOf(verified)).toContain("session_token");
	expect(verified.headers.get("location")).toBe("http://localhost:3000/t/acme/verify/done");
	expect((await service.post("/tenant/sign-in/email", user, tenant)).status).toBe(200);
});

test("resetting a password, changing an email and deleting an account need a link from an email", async () => {
	const service = await runningService();
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	const cookie = cookiesOf(await service.post("/tenant/sign-up/email", user, tenant));
	const signedIn = { cookie, origin: service.baseUrl };

	await service.post("/request-password-reset", { email: user.email }, tenant);
	const [reset] = await outboxOf(service);
	expect(reset?.subject).toBe("acme: choose a new password");
	const redirect = await service.call(linkIn(reset as KeptEmail));
	// The request named no page, so the link leads to the tenant's own one.
	expect(redirect.headers.get("location")).toMatch(
		/^http:\/\/localhost:3000\/t\/acme\/new-password\?token=/,
	);

	await service.post("/send-verification-email", { email: user.email }, signedIn);
	const [verification] = (await outboxOf(service)) as KeptEmail[];
	await service.call(verificationIn(verification as KeptEmail), { headers: signedIn });
	await service.post("/change-email", { newEmail: "countess@example.com" }, signedIn);
	const [change] = await outboxOf(service);
	expect(change).toMatchObject({
		to: "ada@example.com",
		subject: "acme: confirm your new email",
		text: expect.stringContaining("countess@example.com"),
	});
	expect(verificationIn(change as KeptEmail)).toContain(
		encodeURIComponent("/t/acme/verify/changed"),
	);

	await service.post("/delete-user", {}, signedIn);
	const [deletion] = await outboxOf(service);
	expect(deletion?.subject).toBe("acme: delete your account");
	// A page that asks again: a link alone deletes nothing, and works in every browser.
	expect(linkIn(deletion as KeptEmail)).toMatch(
		/^http:\/\/localhost:3000\/t\/acme\/delete-account\?token=\w+$/,
	);
});

test.each(["Ada", "Dr. Ada King-Noel", "Αδα", "O'Brien, Pat", "x".repeat(60)])(
	"an email greets %s by name",
	(name) => {
		expect(greeting(name, en)).toBe(`Hello ${name},`);
	},
);

test.each([
	"",
	"Victim,\n\nyour account is blocked. Unblock it at https://evil.test/login",
	"Victim\r",
	"Victim\u2028blocked",
	"Victim\u202eblocked",
	"see https://evil",
	"see WWW. evil",
	"see evil.test",
	"see evil。test",
	"see 192.0.2.1",
	"x".repeat(61),
])("a name that could be a message or a link is left out of the greeting: %j", (name) => {
	expect(greeting(name, en)).toBe("Hello,");
});

test("a new password by email ends all sessions of the user, and only theirs", async () => {
	const service = await runningService();
	const { post, call } = service;
	const tenant = { "x-tenant-id": await newTenant(post) };
	const user = newUser("ada@example.com");
	const cookies = [
		cookiesOf(await post("/tenant/sign-up/email", user, tenant)),
		cookiesOf(await post("/tenant/sign-in/email", user, tenant)),
	];
	const other = cookiesOf(await post("/tenant/sign-up/email", newUser("bob@example.com"), tenant));
	const session = async (cookie: string) =>
		(await call("/api/auth/get-session", { headers: { cookie } })).json();
	await post("/request-password-reset", { email: user.email }, tenant);
	const [email] = await outboxOf(service);
	const [, token] = /reset-password\/([^?]+)/.exec(linkIn(email as KeptEmail)) ?? [];
	const reset = await post(
		"/reset-password",
		{ token, newPassword: "another long password" },
		tenant,
	);
	expect(reset.status).toBe(200);
	for (const cookie of notEmpty(cookies)) expect(await session(cookie)).toBeNull();
	expect(await session(other)).not.toBeNull();
});

test("a sign-up with the email of another person cannot send them a message", async () => {
	const service = await runningService({ REQUIRE_EMAIL_VERIFICATION: "true" });
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const name = "Victim,\n\nyour account is blocked. Unblock it at https://evil.test/login";
	const user = { ...newUser("victim@example.com"), name };
	expect((await service.post("/tenant/sign-up/email", user, tenant)).status).toBe(200);
	const [email] = await outboxOf(service);
	expect(email?.text).toMatch(/^Hello,\n\nPlease verify/);
	expect(`${email?.text}${email?.html}`).not.toContain("evil.test");
});

test("a tenant's name cannot add a header to an email", () => {
	const tenant = { id: "1", slug: "x", name: "A\r\nBcc: all@example.com", metadata: null };
	const email = renderMail("verification", builtIn("verification", "en"), {
		to: "ada@example.com",
		name: "Ada",
		tenant: { ...tenant, createdAt: new Date(), updatedAt: new Date() },
		url: "https://example.com/",
	});
	expect(email.subject).toBe("x: verify your email");
});

const builtIn = (kind: MailKind, language: Language) => ({
	...builtInTemplate(kind, language),
	language,
	source: "built-in" as const,
});

/** What mail programs turn into a link, and what a template can add to. */
const evilNames = [
	"Acme https://evil-site.com/x",
	"evil-site.com",
	"www.evil-site",
	"evil-site\u3002com",
	"com/evil-site",
	"com",
	"//evil-site",
	"A\nevil-site",
	`${"evil-site ".repeat(10)}`,
];

/** Texts of a tenant that were stored before the tenant, or the user, got this name. */
const evilTemplates = [
	{ subject: "{{tenant}}", text: "{{greeting}}\n\n{{tenant}}\n\n{{link}}", button: "Open" },
	{ subject: "evil-site.{{tenant}}", text: "Hello\n\n{{link}}", button: "Open" },
	{ subject: "Hello", text: "Go to evil-site.{{tenant}}\n\n{{link}}", button: "Open" },
	{ subject: "Hello", text: "Go to evil-site.{{name}}\n\n{{link}}", button: "Open" },
];

/** Only the link of the mail is left out. */
const readable = ({ subject, text, html }: { subject: string; text: string; html: string }) =>
	[subject, text, html].join("\n").replaceAll("https://auth.example.com/", "");

test.each(LANGUAGES)("no name and no text of a tenant makes a link in a mail: %s", (language) => {
	for (const kind of notEmpty(MAIL_KINDS)) {
		for (const name of notEmpty(evilNames)) {
			const tenant = { id: "1", slug: "acme", name, metadata: null };
			const values = {
				...{ to: "ada@example.com", newEmail: "countess@example.com", name },
				tenant: { ...tenant, createdAt: new Date(), updatedAt: new Date() },
				url: "https://auth.example.com/",
			};
			const templates = [
				builtIn(kind, language),
				...evilTemplates.map((template) => ({ ...template, language, source: "tenant" as const })),
			];
			for (const template of notEmpty(templates)) {
				const mail = readable(renderMail(kind, template, values));
				expect(mail).not.toMatch(/evil-site[.\u3002]\w|www\.evil|:\/\/evil|https?:/);
			}
		}
	}
});

test("a name that is no link stays, and an ordinary text of a tenant too", () => {
	const now = new Date();
	const tenant = { id: "1", slug: "acme", name: "Acme & Sons Inc.", metadata: null };
	const template = { subject: "{{tenant}}: hi", text: "{{email}}\n\n{{link}}", button: "Open" };
	const mail = renderMail(
		"verification",
		{ ...template, language: "en", source: "tenant" },
		{
			...{ to: "ada@example.com", name: "Ada", url: "https://auth.example.com/" },
			tenant: { ...tenant, createdAt: now, updatedAt: now },
		},
	);
	expect(mail.subject).toBe("Acme & Sons Inc.: hi");
	expect(mail.text).toMatch(/^ada@example.com\n\nhttps:\/\/auth\.example\.com\//);
});

test("an email has the tenant's logo, and its link as text too", async () => {
	const service = await runningService();
	const logoUrl = "https://acme.example/logo.svg?a=1&b=2";
	const termsUrl = "https://acme.example/terms";
	const metadata = { branding: { ...branding, logoUrl, termsUrl } };
	const tenant = { "x-tenant-id": await newTenant(service.post, "acme", { metadata }) };
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", user, tenant);
	await service.post("/request-password-reset", { email: user.email }, tenant);
	const [email] = await outboxOf(service);
	// Who chooses the branding does not choose links of an email.
	expect(`${email?.html}${email?.text}`).not.toContain(termsUrl);
	expect(email?.html).toContain('<img src="https://acme.example/logo.svg?a=1&amp;b=2" alt=""');
	const link = linkIn(email as KeptEmail).replaceAll("&", "&amp;");
	expect(email?.html.split(link)).toHaveLength(4);
});

test("an email is in the language of the browser that caused it", async () => {
	const service = await runningService();
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", user, tenant);
	const german = { ...tenant, "accept-language": "de-AT, en;q=0.5" };
	await service.post("/request-password-reset", { email: user.email }, german);
	const [email] = await outboxOf(service);
	expect(email?.subject).toBe("acme: neues Passwort wählen");
	expect(email?.text).toContain("Guten Tag Ada,");
});

test("an email is in the language that the user chose on a page, whatever the browser says", async () => {
	const service = await runningService();
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", user, tenant);
	const cookie = "tenant-auth-language=de";
	const headers = { ...tenant, "accept-language": "fr", cookie, origin: service.baseUrl };
	await service.post("/request-password-reset", { email: user.email }, headers);
	const [email] = await outboxOf(service);
	expect(email?.subject).toBe("acme: neues Passwort wählen");
});

test("a sign-up with a known email tells its owner, and nobody else", async () => {
	const service = await runningService({ REQUIRE_EMAIL_VERIFICATION: "true" });
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	const first = await service.post("/tenant/sign-up/email", user, tenant);
	const second = await service.post("/tenant/sign-up/email", { ...user, name: "Eve" }, tenant);
	expect(second.status).toBe(first.status);
	const [email, verification] = await outboxOf(service);
	expect(verification?.subject).toBe("acme: verify your email");
	expect(email).toMatchObject({
		to: "ada@example.com",
		subject: "acme: you already have an account",
		text: expect.stringContaining("Hello Ada,"),
	});
	expect(linkIn(email as KeptEmail)).toBe("http://localhost:3000/t/acme/sign-in");
});

test("the outbox keeps the newest hundred", async () => {
	const outbox = new Outbox();
	for (let n = 1; n <= 120; n++) outbox.add({ to: `${n}`, subject: "", text: "", html: "" });
	expect((await outbox.list()).map(({ to }) => Number(to))).toEqual(
		Array.from({ length: 100 }, (_, index) => 120 - index),
	);
});

test("only managers can read the outbox, and it does not exist in production", async () => {
	const service = await runningService();
	expect((await service.call("/service/outbox")).status).toBe(401);
	const wrong = { authorization: "Bearer another-key" };
	expect((await service.call("/service/outbox", { headers: wrong })).status).toBe(403);

	const production = await runningService({ BETTER_AUTH_URL: "https://auth.example.com" });
	expect((await production.call("/service/outbox", { headers: asManager })).status).toBe(404);
});

test("with SMTP_URL, emails are sent and there is no outbox", async () => {
	const smtp = await loopbackSmtp();
	const service = await runningService({
		SMTP_URL: `smtp://login:smtp-password@127.0.0.1:${smtp.port}`,
		MAIL_FROM: "Acme <login@acme.example>",
	});
	expect((await service.call("/service/outbox", { headers: asManager })).status).toBe(404);
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", user, tenant);
	await service.post("/request-password-reset", { email: user.email }, tenant);
	await service.close();

	expect(smtp.received).toHaveLength(1);
	expect(smtp.received[0]).toMatchObject({
		from: "login@acme.example",
		to: ["ada@example.com"],
		credentials: "login smtp-password",
	});
	expect(smtp.received[0]?.data).toContain("Subject: acme: choose a new password");
	expect(smtp.received[0]?.data).toContain("text/html");
	expect(service.log()).toContain("email sent");
	expect(service.log()).not.toContain("smtp-password");
});

test("an email that the SMTP server rejects is in the log and the metrics, but not in the response", async () => {
	const smtp = await loopbackSmtp(["550 not here"]);
	const service = await runningService({
		SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
		MAIL_FROM: "login@acme.example",
	});
	const tenant = { "x-tenant-id": await newTenant(service.post) };
	const user = newUser("ada@example.com");
	await service.post("/tenant/sign-up/email", user, tenant);
	const response = await service.post("/request-password-reset", { email: user.email }, tenant);
	expect(response.status).toBe(200);
	await vi.waitFor(() => expect(service.log()).toContain("email could not be sent"), untilHang);
	const metrics = await service.call("/metrics", { headers: asManager });
	expect(await metrics.text()).toContain('auth_mails_total{outcome="failed"} 1');
});

describe("an email that the SMTP server does not accept", () => {
	const email = { to: "ada@example.com", subject: "s", text: "t", html: "<p>t</p>" };

	async function sending(rejections: string[], retryDelaysMs: number[]) {
		const smtp = await loopbackSmtp(rejections);
		const outcomes: string[] = [];
		const mailer = smtpMailer({
			url: `smtp://127.0.0.1:${smtp.port}`,
			from: "login@acme.example",
			log: pino({ level: "silent" }),
			onOutcome: (outcome) => outcomes.push(outcome),
			retryDelaysMs,
		});
		mailer.send(email);
		return { smtp, outcomes, mailer };
	}
	const busy = "451 try again";

	test("is sent again after a delay", async () => {
		const { smtp, outcomes } = await sending([busy, busy], [1, 1, 1]);
		await vi.waitFor(() => expect(outcomes).toEqual(["retried", "retried", "sent"]), untilHang);
		expect(smtp.received).toHaveLength(1);
	});

	test("fails if it was never accepted", async () => {
		const { smtp, outcomes } = await sending([busy, busy, busy], [1, 1]);
		await vi.waitFor(() => expect(outcomes).toEqual(["retried", "retried", "failed"]), untilHang);
		expect(smtp.received).toEqual([]);
	});

	test("is not sent again after a permanent rejection", async () => {
		const { outcomes } = await sending(["554 never"], [1]);
		await vi.waitFor(() => expect(outcomes).toEqual(["failed"]), untilHang);
	});

	test("is sent one last time when the server stops", async () => {
		const { smtp, outcomes, mailer } = await sending([busy], [60_000]);
		await vi.waitFor(() => expect(outcomes).toEqual(["retried"]), untilHang);
		await mailer.close();
		expect(outcomes).toEqual(["retried", "sent"]);
		expect(smtp.received).toHaveLength(1);
	});
});
