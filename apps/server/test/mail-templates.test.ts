import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { stopClock } from "../../../testing/stopped-clock";
import { builtInTemplate, MAIL_KINDS } from "../src/email/templates/mail-kinds";
import { contentSchema, fillIn, requireUsable } from "../src/email/templates/template-rules";
import { LANGUAGES } from "../src/languages";
import { loopbackSmtp } from "./loopback-smtp";
import { newOperator } from "./operator-accounts";
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

const content = {
	subject: "Welcome to {{tenant}}, {{name}}",
	text: "Dear {{name}},\n\nplease click:\n\n{{link}}\n\nYour team\nof {{tenant}}",
	button: "Go",
};
const verification = { kind: "verification", language: "en", ...content };

type Template = typeof verification & {
	source: string;
	writtenIn: string;
	placeholders: string[];
	code?: string;
	message?: string;
};
type Headers = Record<string, string>;

async function withTenant(environment: Record<string, string> = {}) {
	const service = await runningService({ REQUIRE_EMAIL_VERIFICATION: "true", ...environment });
	const tenantId = await newTenant(service.post, "acme", { name: "Acme" });
	return { ...service, tenantId, ...callsOf(service) };
}

function callsOf({ call, post, backend }: RunningService) {
	const answerOf = async (response: Response) => ({
		status: response.status,
		body: (await response.json()) as Template,
	});
	return {
		/** Of a tenant if the body names one, or else of the service. */
		change: async (path: string, body: object, headers: Headers = asManager) => {
			const prefix = "tenantId" in body ? "/tenant" : "/operator";
			return answerOf(await post(`${prefix}/mail-template/${path}`, body, headers));
		},
		read: async (path: string, query: Headers, headers: Headers = asManager) => {
			const prefix = "tenantId" in query ? "/tenant" : "/operator";
			const url = `/api/auth${prefix}/mail-template/${path}?${new URLSearchParams(query)}`;
			return answerOf(await call(url, { headers }));
		},
		/** Signs up, and returns the mail that this sends. */
		signUp: async (tenantId: string, email: string, headers: Headers = {}) => {
			const all = { "x-tenant-id": tenantId, ...headers };
			await post("/tenant/sign-up/email", newUser(email), all);
			const [mail] = (await backend.mailer.outbox?.list()) ?? [];
			expect(mail?.to).toBe(email);
			return mail ?? { subject: "", text: "", html: "" };
		},
	};
}

describe("the template of a mail", () => {
	test("is used for the mails of its tenant, and can be reset", async () => {
		const { tenantId, change, read, signUp } = await withTenant();
		const before = await read("get", { tenantId, kind: "verification", language: "en" });
		expect(before.body).toMatchObject({
			source: "built-in",
			subject: "{{tenant}}: verify your email",
			placeholders: ["tenant", "greeting", "name", "email", "link"],
		});
		const set = await change("set", { tenantId, ...verification });
		expect([set.status, set.body]).toEqual([
			200,
			{ ...before.body, ...content, source: "tenant", updatedAt: expect.any(String) },
		]);
		const mail = await signUp(tenantId, "ada@example.com");
		expect(mail.subject).toBe("Welcome to Acme, Ada");
		expect(mail.text).toMatch(
			/^Dear Ada,\n\nplease click:\n\nhttp:\/\/localhost:3000\/\S+\n\nYour team\nof Acme\n\nIf you did not request this/,
		);
		expect(mail.html).toContain("Your team<br>of Acme");
		expect(mail.html).toMatch(/<a href="http:\/\/localhost:3000\/[^"]+"[^>]*>Go<\/a>/);
		const name = { tenantId, kind: "verification", language: "en" };
		expect((await change("reset", name)).body).toEqual(before.body);
		expect((await change("reset", name)).status).toBe(200);
		expect((await signUp(tenantId, "bob@example.com")).subject).toBe("Acme: verify your email");
	});

	test("is listed with all others, in each language", async () => {
		const { tenantId, change, read } = await withTenant();
		await change("set", { tenantId, ...verification, language: "de" });
		const { body } = await read("list", { tenantId });
		const templates = body as unknown as Template[];
		expect(templates).toHaveLength(MAIL_KINDS.length * LANGUAGES.length);
		const changed = templates.filter(({ source }) => source === "tenant");
		expect(changed.map(({ kind, language }) => [kind, language])).toEqual([["verification", "de"]]);
	});

	test("of another tenant changes nothing, and is not visible", async () => {
		const { tenantId, post, change, read, signUp } = await withTenant();
		const other = await newTenant(post, "globex", { name: "Globex" });
		await change("set", { tenantId, ...verification });
		await change("reset", { tenantId: other, kind: "verification", language: "en" });
		expect((await read("list", { tenantId: other })).body).not.toContainEqual(
			expect.objectContaining({ source: "tenant" }),
		);
		expect((await signUp(other, "ada@example.com")).subject).toBe("Globex: verify your email");
		expect((await signUp(tenantId, "ada@example.com")).subject).toBe("Welcome to Acme, Ada");
		// Both have their own.
		await change("set", { tenantId: other, ...verification, subject: "Globex says hello" });
		expect((await signUp(other, "bob@example.com")).subject).toBe("Globex says hello");
		expect((await signUp(tenantId, "bob@example.com")).subject).toBe("Welcome to Acme, Ada");
	});

	test("goes with its tenant", async () => {
		const { tenantId, post, change, backend } = await withTenant();
		const other = await newTenant(post, "globex");
		await change("set", { tenantId, ...verification });
		await change("set", { tenantId: other, ...verification });
		await change("set", verification);
		const count = async (table: string) => {
			const rows = await backend.database.db
				.selectFrom(table as never)
				.selectAll()
				.execute();
			return rows.length;
		};
		const owners = await count("tenantRow");
		expect(await count("mailTemplate")).toBe(3);
		await post("/tenant/delete", { tenantId }, asManager);
		expect(await count("mailTemplate")).toBe(2);
		expect(await count("tenantRow")).toBe(owners - 1);
	});

	test("in the tenant's default language is next, then the service's, then the built-in", async () => {
		const { tenantId, post, change, signUp } = await withTenant();
		const set = (language: string, subject: string, of: object = { tenantId }) =>
			change("set", { ...of, ...verification, language, subject });
		const german = { "accept-language": "de-AT" };
		const french = { "accept-language": "fr" };
		expect((await signUp(tenantId, "1@example.com", german)).subject).toBe(
			"Acme: E-Mail-Adresse bestätigen",
		);
		await set("de", "service in German", {});
		await set("fr", "service in French", {});
		expect((await signUp(tenantId, "2@example.com", german)).subject).toBe("service in German");
		await set("en", "tenant in English");
		expect((await signUp(tenantId, "3@example.com", german)).subject).toBe("service in German");
		const metadata = { language: "en" };
		await post("/tenant/update", { tenantId, metadata }, asManager);
		const english = await signUp(tenantId, "4@example.com", german);
		expect(english.subject).toBe("tenant in English");
		// The whole mail is in one language.
		expect(english.text).toContain("If you did not request this");
		expect(english.html).toContain('<html lang="en">');
		await set("de", "tenant in German");
		expect((await signUp(tenantId, "5@example.com", german)).subject).toBe("tenant in German");
		expect((await signUp(tenantId, "6@example.com", french)).subject).toBe("tenant in English");
		const other = await newTenant(post, "globex");
		expect((await signUp(other, "7@example.com", french)).subject).toBe("service in French");
	});

	test("of a tenant is not used for mails of the platform, those of the service are", async () => {
		const service = await withTenant();
		const { tenantId, change, post, backend } = service;
		const { email } = await newOperator(service, "owner");
		const reset = { ...verification, kind: "reset-password" };
		const sent = async () => {
			await post("/request-password-reset", { email });
			const [mail] = (await backend.mailer.outbox?.list()) ?? [];
			return mail?.subject;
		};
		await change("set", { tenantId, ...reset });
		expect(await sent()).toBe("Your account: choose a new password");
		await change("set", { ...reset, subject: "Choose a password" });
		expect(await sent()).toBe("Choose a password");
	});
});

describe("a text is rejected", () => {
	const service = useService({ REQUIRE_EMAIL_VERIFICATION: "true" });
	const withTenant = async () => {
		const running = await service();
		return { ...callsOf(running), tenantId: await newTenant(running.post, newSlug()) };
	};
	const wrong: [string, string, object][] = [
		["an unknown placeholder", "UNKNOWN_PLACEHOLDER", { text: "{{password}}\n\n{{link}}" }],
		["a value that this mail does not have", "UNKNOWN_PLACEHOLDER", { subject: "{{newEmail}}" }],
		["the link in the subject", "UNKNOWN_PLACEHOLDER", { subject: "open {{link}}" }],
		["a placeholder that is not closed", "UNKNOWN_PLACEHOLDER", { text: "{{name\n\n{{link}}" }],
		["no link", "MAIL_LINK_MISPLACED", { text: "Hello" }],
		["two links", "MAIL_LINK_MISPLACED", { text: "{{link}}\n\n{{link}}" }],
		["a link in a sentence", "MAIL_LINK_MISPLACED", { text: "Open {{link}} now" }],
		["a URL", "MAIL_LINK_NOT_ALLOWED", { text: "https://evil.example/x\n\n{{link}}" }],
		["another scheme", "MAIL_LINK_NOT_ALLOWED", { text: "evil-app://x\n\n{{link}}" }],
		["a host name", "MAIL_LINK_NOT_ALLOWED", { text: "Go to Evil.example.\n\n{{link}}" }],
		["a host name of values", "MAIL_LINK_NOT_ALLOWED", { text: "{{tenant}}.com\n\n{{link}}" }],
		["another full stop", "MAIL_LINK_NOT_ALLOWED", { text: "evil。example\n\n{{link}}" }],
		["an IP address", "MAIL_LINK_NOT_ALLOWED", { button: "192.0.2.1" }],
		["a host name in the subject", "MAIL_LINK_NOT_ALLOWED", { subject: "see evil.example" }],
		["a line break in the subject", "VALIDATION_ERROR", { subject: "a\nBcc: all@example.com" }],
		["a control character", "VALIDATION_ERROR", { text: "a\0\n\n{{link}}" }],
		["a text that runs backwards", "VALIDATION_ERROR", { button: "\u202eog" }],
		["a placeholder on the button", "VALIDATION_ERROR", { button: "{{name}}" }],
		["an empty subject", "VALIDATION_ERROR", { subject: " " }],
		["a long subject", "VALIDATION_ERROR", { subject: "a".repeat(151) }],
		["a long text", "VALIDATION_ERROR", { text: `{{link}}\n\n${"a".repeat(5000)}` }],
		["an unknown mail", "VALIDATION_ERROR", { kind: "newsletter" }],
		["an unknown language", "VALIDATION_ERROR", { language: "xx" }],
		["something else", "VALIDATION_ERROR", { text: 1 }],
	];

	test.each(wrong)("with %s: %s", async (_, code, change) => {
		const { tenantId, change: call, read } = await withTenant();
		for (const path of ["set", "preview"]) {
			const { status, body } = await call(path, { tenantId, ...verification, ...change });
			expect([path, status, body.code]).toEqual([path, 400, code]);
		}
		expect((await read("list", { tenantId })).body).not.toContainEqual(
			expect.objectContaining({ source: "tenant" }),
		);
	});

	test("and the message names the placeholder", async () => {
		const { tenantId, change } = await withTenant();
		const text = "{{password}}\n\n{{link}}";
		expect((await change("set", { tenantId, ...verification, text })).body.message).toContain(
			"{{password}}",
		);
	});

	test.each([
		["a sentence with an abbreviation", "z.B. heute, d.h. jetzt.\n\n{{link}}"],
		["an email address", "Write to help@acme.example.\n\n{{link}}"],
		["an amount", "It costs 1.50 or 2.000,00.\n\n{{link}}"],
		["a sentence in Japanese", "こんにちは。パスワードを設定してください。\n\n{{link}}"],
	])("but not %s", async (_, text) => {
		const { tenantId, change } = await withTenant();
		expect((await change("set", { tenantId, ...verification, text })).status).toBe(200);
	});

	test("only if it is the text of a tenant: operators may add links to that of the service", async () => {
		const { change } = await withTenant();
		const text = "Help: https://help.example.com\n\n{{link}}";
		expect((await change("set", { ...verification, text })).status).toBe(200);
	});
});

test("a preview shows the text in the tenant's layout, and changes nothing", async () => {
	const { tenantId, post, change, read } = await withTenant();
	const branding = { primaryColor: "#ffee00" };
	await post("/tenant/update", { tenantId, metadata: { branding } }, asManager);
	const text = "<b>{{name}}</b> & {{email}}\n\n{{link}}";
	const { status, body } = await change("preview", { tenantId, ...verification, text });
	expect([status, body]).toEqual([
		200,
		{
			subject: "Welcome to Acme, Ada Lovelace",
			text: expect.stringContaining("<b>Ada Lovelace</b> & ada@example.com"),
			html: expect.stringContaining("&lt;b&gt;Ada Lovelace&lt;/b&gt; &amp; ada@example.com"),
		},
	]);
	expect(JSON.stringify(body)).toContain("background:#ffee00");
	const query = { tenantId, kind: "verification", language: "en" };
	expect((await read("get", query)).body.source).toBe("built-in");
});

describe("a test email goes to the caller", () => {
	test("who is an operator, with the edited text, and nothing is stored", async () => {
		const service = await withTenant();
		const { tenantId, change, read, backend } = service;
		const { headers, email } = await newOperator(service, "operator");
		for (const body of [{ tenantId, ...verification }, verification]) {
			const { status, body: answer } = await change("send-test", body, headers);
			expect([status, answer]).toEqual([200, { to: email, sent: false }]);
			const [mail] = (await backend.mailer.outbox?.list()) ?? [];
			expect(mail?.to).toBe(email);
			expect(mail?.subject).toMatch(/^Welcome to /);
		}
		const query = { tenantId, kind: "verification", language: "en" };
		expect((await read("get", query)).body.source).toBe("built-in");
		const { headers: ofAuditor } = await newOperator(service, "auditor");
		const refused = await change("send-test", { tenantId, ...verification }, ofAuditor);
		expect(refused.status).toBe(403);
	});

	test("who is an admin of the tenant with a verified email, and to nobody else", async () => {
		const service = await withTenant({ REQUIRE_EMAIL_VERIFICATION: "false" });
		const { tenantId, post, change, backend } = service;
		const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
			"x-tenant-id": tenantId,
		});
		const { user } = (await signedUp.json()) as { user: { id: string } };
		const headers = { cookie: cookiesOf(signedUp), origin: "http://localhost:3000" };
		const body = { tenantId, ...verification };
		const elsewhere = await change("send-test", { ...body, to: "eve@example.com" }, headers);
		expect([elsewhere.status, elsewhere.body.code]).toEqual([400, "VALIDATION_ERROR"]);
		const send = () => change("send-test", body, headers);
		expect((await send()).status).toBe(403);
		const update = (changes: object) =>
			post("/tenant/user/update", { tenantId, userId: user.id, ...changes }, asManager);
		await update({ role: "admin" });
		// Anybody can sign up with the address of another person.
		expect((await send()).body.code).toBe("EMAIL_NOT_VERIFIED");
		expect(await backend.mailer.outbox?.list()).toEqual([]);
		await update({ emailVerified: true });
		expect((await send()).body).toEqual({ to: "ada@example.com", sent: false });
		const mails = (await backend.mailer.outbox?.list()) ?? [];
		expect(mails.map(({ to }) => to)).toEqual(["ada@example.com"]);
		const link = { ...body, text: "https://evil.example\n\n{{link}}" };
		expect((await change("send-test", link, headers)).body.code).toBe("MAIL_LINK_NOT_ALLOWED");
	});

	test("and not to a key, which has no address", async () => {
		const { tenantId, change, backend } = await withTenant();
		for (const body of [{ tenantId, ...verification }, verification]) {
			const { status, body: answer } = await change("send-test", body);
			expect([status, answer.code]).toEqual([400, "NO_OWN_EMAIL"]);
		}
		expect(await backend.mailer.outbox?.list()).toEqual([]);
	});

	test("three times in a minute, over all tenants", async () => {
		stopClock();
		const service = await withTenant({ NODE_ENV: "production" });
		const { headers } = await newOperator(service, "operator");
		const bodies = [{ tenantId: service.tenantId, ...verification }, verification];
		const statuses: number[] = [];
		for (const body of [...bodies, ...bodies]) {
			statuses.push((await service.change("send-test", body, headers)).status);
		}
		expect(statuses).toEqual([200, 200, 200, 429]);
	});

	test("and nowhere without SMTP_URL", async () => {
		const service = await withTenant({
			REQUIRE_EMAIL_VERIFICATION: "false",
			BETTER_AUTH_URL: "https://auth.example.com",
			REQUIRE_OPERATOR_SECOND_FACTOR: "false",
		});
		const { headers } = await newOperator(service, "operator");
		const body = { tenantId: service.tenantId, ...verification };
		const { status, body: answer } = await service.change("send-test", body, headers);
		expect([status, answer.code]).toEqual([409, "MAIL_NOT_CONFIGURED"]);
	});

	test("and says if the mail server refuses it", async () => {
		const smtp = await loopbackSmtp(["550 no such user"]);
		const { tenantId, post, change, log } = await withTenant({
			SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
			MAIL_FROM: "auth@example.com",
			REQUIRE_EMAIL_VERIFICATION: "false",
		});
		const email = "ada@example.com";
		const signedUp = await post("/tenant/sign-up/email", newUser(email), {
			"x-tenant-id": tenantId,
		});
		const { user } = (await signedUp.json()) as { user: { id: string } };
		const owner = { tenantId, userId: user.id, role: "owner", emailVerified: true };
		await post("/tenant/user/update", owner, asManager);
		const headers = { cookie: cookiesOf(signedUp), origin: "http://localhost:3000" };
		const body = { tenantId, ...verification };
		const { status, body: answer } = await change("send-test", body, headers);
		expect([status, answer.code]).toEqual([502, "MAIL_NOT_SENT"]);
		// What the mail server says is for operators, and in the log.
		expect(answer.message).not.toContain("no such user");
		expect(log()).toContain("no such user");
		const { body: accepted } = await change("send-test", body, headers);
		expect(accepted).toEqual({ to: email, sent: true });
		expect(smtp.received.map(({ to }) => to)).toEqual([[email]]);
	});
});

const NO_VALUES = {
	...{ tenant: "", greeting: "", name: "", email: "", newEmail: "", code: "" },
	...{ time: "", device: "", ipAddress: "" },
};

test("a name that could be a message or a placeholder stays out of a mail", () => {
	const values = { ...NO_VALUES, tenant: "{{name}}" };
	expect(fillIn("Hello {{ name }}, this is {{tenant}}.", values)).toBe("Hello, this is {{name}}.");
});

test("the mail with a code must have the code", () => {
	const rules = { mayContainLinks: true, tenant: "Acme" };
	const check = (text: string) => () =>
		requireUsable("second-factor-code", { subject: "{{code}}", text, button: "Open" }, rules);
	expect(check("Your code is {{ code }}.")).not.toThrow();
	expect(check("Your code is on the phone.\n\n{{link}}")).toThrow("must have {{code}}");
	expect(() =>
		requireUsable(
			"verification",
			{ subject: "Hi", text: "{{code}}\n\n{{link}}", button: "Open" },
			rules,
		),
	).toThrow("not possible here");
});

test.each(MAIL_KINDS)("the built-in text of %s is one that a tenant could set", (kind) => {
	for (const language of notEmpty(LANGUAGES)) {
		const template = builtInTemplate(kind, language);
		expect(contentSchema.parse(template)).toEqual(template);
		expect(() =>
			requireUsable(kind, template, { mayContainLinks: false, tenant: "Acme" }),
		).not.toThrow();
	}
});

test("long texts are checked in a short time", () => {
	const parts = ["a", "a.", "a-", "1.", "{{", "}}", ".", " ", "@", "a@", "\n \n"];
	const texts = parts.map((part) => `${part.repeat(5000 / part.length - 10)}\n\n{{link}}`);
	// A placeholder that does not end.
	texts.push(`{{${" ".repeat(4900)}x`, `{{link}}\n\n {{ a${" ".repeat(4900)}x`);
	for (const text of notEmpty(texts)) {
		const startedAt = performance.now();
		const template = { subject: "s", text, button: "b" };
		try {
			requireUsable("verification", template, { mayContainLinks: false, tenant: "Acme" });
		} catch {
			// Either answer is fine.
		}
		fillIn(text, NO_VALUES);
		const start = text.slice(0, 5);
		expect([start, performance.now() - startedAt < 200]).toEqual([start, true]);
	}
});

describe("templates are changed", () => {
	test("by an owner or admin of the tenant, in the own tenant only, and not by others", async () => {
		const { tenantId, post, change, read } = await withTenant({
			REQUIRE_EMAIL_VERIFICATION: "false",
		});
		const signedUp = await post("/tenant/sign-up/email", newUser("ada@example.com"), {
			"x-tenant-id": tenantId,
		});
		const cookie = { cookie: cookiesOf(signedUp), origin: "http://localhost:3000" };
		const { user } = (await signedUp.json()) as { user: { id: string } };
		const query = { tenantId, kind: "verification", language: "en" };
		const bodyOf = (path: string) => (path === "reset" ? query : { tenantId, ...verification });
		for (const path of ["set", "reset", "preview"]) {
			expect((await change(path, bodyOf(path), {})).status).toBe(401);
			expect((await change(path, bodyOf(path), cookie)).status).toBe(403);
		}
		expect((await read("get", query, cookie)).status).toBe(403);
		const other = await newTenant(post, "globex");
		for (const role of ["owner", "admin"]) {
			await post("/tenant/user/update", { tenantId, userId: user.id, role }, asManager);
			for (const path of ["set", "preview", "reset"]) {
				const body = bodyOf(path);
				expect((await change(path, body, cookie)).status).toBe(200);
				const { tenantId: _, ...ofService } = body;
				expect((await change(path, { ...body, tenantId: other }, cookie)).status).toBe(403);
				expect((await change(path, ofService, cookie)).status).toBe(403);
			}
			expect((await read("get", { ...query, tenantId: other }, cookie)).status).toBe(403);
			expect((await read("list", { tenantId }, cookie)).status).toBe(200);
		}
	});

	test("by a key of one tenant there only", async () => {
		const { tenantId, post, change, backend } = await withTenant();
		const other = await newTenant(post, "globex");
		const { key } = await backend.auth.api.createOperatorKey({
			body: { name: "mails", scopes: ["mail-template:set"], tenantId },
		});
		const headers = { authorization: `Bearer ${key}` };
		expect((await change("set", { tenantId, ...verification }, headers)).status).toBe(200);
		expect((await change("set", { tenantId: other, ...verification }, headers)).status).toBe(403);
		expect((await change("set", verification, headers)).status).toBe(403);
		const name = { tenantId, kind: "verification", language: "en" };
		expect((await change("reset", name, headers)).status).toBe(403);
	});

	test("with an event in the audit log", async () => {
		const { tenantId, change, call } = await withTenant();
		const name = { kind: "verification", language: "en" };
		await change("set", { tenantId, ...verification });
		await change("reset", { tenantId, ...name });
		await change("set", verification);
		await change("reset", name);
		const response = await call("/api/auth/tenant/audit/list", { headers: asManager });
		const events = (await response.json()) as { action: string; tenantId: string | null }[];
		const written = events.filter(({ action }) => action.includes("mail-template"));
		expect(written.map((event) => [event.action, event.tenantId]).sort()).toEqual([
			["app:reset-mail-template", null],
			["app:set-mail-template", null],
			["mail-template:reset", tenantId],
			["mail-template:set", tenantId],
		]);
		expect(written).toContainEqual(
			expect.objectContaining({
				action: "mail-template:set",
				targetId: "verification",
				detail: { language: "en", ...content },
			}),
		);
	});

	test("by two operators at once, without an error", async () => {
		const { tenantId, change } = await withTenant();
		for (const whose of [{ tenantId }, {}]) {
			const answers = await Promise.all(
				["a", "b", "c"].map((subject) => change("set", { ...whose, ...verification, subject })),
			);
			expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		}
	});
});
