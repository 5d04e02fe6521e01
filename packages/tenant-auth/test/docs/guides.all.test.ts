import { bearer } from "better-auth/plugins";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { obtainGoogleIdToken } from "../support/providers/id-token";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { totpOf } from "../support/providers/totp";
import { makePlatform } from "../support/worlds/moving-people";
import { addTenantAt, makeSocialApp } from "../support/worlds/social-app";
import { openBrowser, packages, startApp } from "./code-blocks/documented-app";
import { runBlock } from "./code-blocks/run-block";

const password = "correct horse battery";

interface Email {
	to: string;
	subject: string;
	text: string;
	html: string;
	replyTo: string | undefined;
}

describe("docs/sign-in-pages.md", () => {
	const page = "docs/sign-in-pages.md";
	type Enable = { data: { totpURI: string } };
	interface Functions {
		client: { twoFactor: { enable(body: object): Promise<Enable> } };
		openPage(slug: string): Promise<object>;
		signIn(email: string, password: string): Promise<string>;
		enterCode(code: string): Promise<void>;
		signInWith(provider: string): Promise<{ data: { url: string } }>;
		signUp(name: string, email: string, password: string): Promise<void>;
		forgotPassword(email: string): Promise<object>;
		resetPassword(token: string, password: string): Promise<void>;
		signOut(): Promise<object>;
	}

	it("signs up, in and out, with a second factor and with a new password", async () => {
		const { auth, sent } = await startApp<{ sent: Email[] }>(page, "server-auth.ts");
		openBrowser(auth.handler);
		const pages = await runBlock<Functions>(page, "sign-in.ts", packages);
		const { id: tenantId } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		await auth.api.registerTenantOAuthConfig({
			body: { tenantId, providerId: "google", clientId: "acme-id", clientSecret: "secret" },
		});

		expect(await pages.openPage("acme")).toMatchObject({
			tenant: { name: "Acme" },
			email: { signIn: true, signUp: true, reset: true },
			providers: ["google"],
		});
		await expect(pages.openPage("nobody")).rejects.toThrow();
		await pages.signUp("Ada", "ada@example.com", password);
		await pages.signOut();
		await expect(pages.signIn("ada@example.com", "wrong")).rejects.toThrow("Invalid email");
		expect(await pages.signIn("ada@example.com", password)).toBe("signed-in");

		const { data } = await pages.client.twoFactor.enable({ password });
		await pages.enterCode(totpOf(data.totpURI));
		await pages.signOut();
		expect(await pages.signIn("ada@example.com", password)).toBe("enter-code");
		await expect(pages.enterCode("000000")).rejects.toThrow();
		await pages.enterCode(totpOf(data.totpURI));

		await pages.forgotPassword("ada@example.com");
		expect(sent).toMatchObject([{ to: "ada@example.com", subject: "Your password at Acme" }]);
		const [, token = ""] = /reset-password\/(\w+)/.exec(sent[0]?.text ?? "") ?? [];
		await pages.resetPassword(token, "another password");
		expect(await pages.signIn("ada@example.com", "another password")).toBe("enter-code");

		const { data: social } = await pages.signInWith("google");
		expect(new URL(social.url).searchParams.get("client_id")).toBe("acme-id");
	});
});

describe("docs/mobile.md", () => {
	const google = useIdentityProvider("google");
	interface Functions {
		client: { getSession(): Promise<{ data: { session: { tenantId: string } } | null }> };
		chooseTenant(slug: string): Promise<{ tenant: { id: string } }>;
		signInWithIdToken(provider: string, token: string): Promise<{ user: { email: string } }>;
		signOut(): Promise<void>;
	}

	it("signs in with an ID token, and keeps the token of the session", async () => {
		const app = await makeSocialApp({ plugins: [bearer()] });
		const { tenantId, client } = await addTenantAt(app, "google", google);
		const person = google.addPerson({ email: "ada@example.com" });
		const idToken = await obtainGoogleIdToken(google, client, person);
		const keychain = new Map<string, string>();
		// A phone has no cookies and no origin. Requests to the provider go there.
		const send = globalThis.fetch;
		vi.stubGlobal("fetch", (input: RequestInfo | URL, init?: RequestInit) => {
			const request = new Request(input, init);
			return request.url.startsWith(app.origin) ? app.handler(request) : send(request);
		});
		onTestFinished(() => void vi.unstubAllGlobals());
		const mobile = await runBlock<Functions>("docs/mobile.md", "mobile.ts", {
			...packages,
			"./keychain.js": { keychain },
		});
		const [slug = ""] = app.database
			.prepare("select slug from tenant where id = ?")
			.all(tenantId)
			.map((row) => (row as { slug: string }).slug);

		expect((await mobile.chooseTenant(slug)).tenant.id).toBe(tenantId);
		const { user } = await mobile.signInWithIdToken("google", idToken);
		expect(user.email).toBe(person.email);
		expect(keychain.get("token")).toEqual(expect.any(String));
		// The session names its tenant.
		keychain.delete("tenant");
		expect((await mobile.client.getSession()).data?.session.tenantId).toBe(tenantId);
		await mobile.signOut();
		expect((await mobile.client.getSession()).data).toBeNull();
	});
});

describe("docs/machine-clients.md", () => {
	interface Functions {
		createKey(tenantId: string, userId: string, name: string): Promise<string>;
		findCaller(headers: Headers): Promise<object | null>;
	}

	it("creates an API key that says who calls, and in which tenant", async () => {
		const { auth, createKey, findCaller } = await startApp<Functions>(
			"docs/machine-clients.md",
			"keys.ts",
		);
		const { id: tenantId } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
		const { user } = await auth.api.signUpEmailTenant({
			body: { tenantId, name: "Ada", email: "ada@example.com", password },
		});
		const key = await createKey(tenantId, user.id, "nightly job");
		const headers = new Headers({ "x-api-key": key });
		expect(await findCaller(headers)).toEqual({ userId: user.id, tenantId });
		expect(await findCaller(new Headers())).toBeNull();
	});
});

describe("docs/emails.md", () => {
	it("sends emails that look like the tenant", async () => {
		const { auth, sent } = await startApp<{ sent: Email[] }>("docs/emails.md", "emails.ts");
		const branding = {
			logoUrl: "https://acme.com/logo.png",
			primaryColor: "#2456e6",
			supportEmail: "help@acme.com",
		};
		const { id: tenantId } = await auth.api.createTenant({
			body: { name: "Acme & <Sons>", slug: "acme", metadata: { branding } },
		});
		await auth.api.signUpEmailTenant({
			body: { tenantId, name: "Ada", email: "ada@example.com", password },
		});
		await auth.api.createTenantInvitation({
			body: { tenantId, email: "bob@example.com", role: "member", callbackURL: "/join" },
		});
		expect(sent.map(({ subject }) => subject)).toEqual([
			"Verify your email at Acme & <Sons>",
			"Join at Acme & <Sons>",
		]);
		expect(sent[0]?.replyTo).toBe("help@acme.com");
		expect(sent[0]?.html).toContain("color:#2456e6");
		expect(sent[0]?.html).toContain("Acme &#38; &#60;Sons&#62;");
	});
});

describe("docs/from-single-tenant.md", () => {
	it("creates a tenant and moves the users of a domain", async () => {
		const { auth, signUp, sessionOf } = await makePlatform();
		const name = Math.random().toString(36).slice(2);
		const [ada, bob] = [await signUp(`ada-${name}`), await signUp(`bob-${name}`)];
		await (await auth.$context).internalAdapter.updateUser(bob.id, { email: "bob@corp.com" });
		interface Functions {
			makeTenant(...names: string[]): Promise<{ tenantId: string; moved: number }>;
		}
		const { makeTenant } = await runBlock<Functions>(
			"docs/from-single-tenant.md",
			"split-users.ts",
			{ ...packages, "./auth.js": { auth } },
		);
		const { tenantId, moved } = await makeTenant("Corp", "corp", "corp.com");
		expect(moved).toBe(1);
		expect((await sessionOf(bob.cookie)).session.tenantId).toBe(tenantId);
		expect((await sessionOf(ada.cookie)).session.tenantId).toBeNull();

		// Again: a user whose email is taken there does not stop another one.
		const [eve, joe] = [await signUp(`eve-${name}`), await signUp(`joe-${name}`)];
		const { internalAdapter } = await auth.$context;
		await internalAdapter.updateUser(eve.id, { email: "bob@corp.com" });
		await internalAdapter.updateUser(joe.id, { email: "joe@corp.com" });
		const print = vi.spyOn(console, "error").mockImplementation(() => {});
		expect(await makeTenant("Corp", "corp", "corp.com")).toEqual({ tenantId, moved: 1 });
		expect(print.mock.calls).toMatchObject([["EMAIL_TAKEN", eve.id, expect.any(String)]]);
		print.mockRestore();
		expect((await sessionOf(joe.cookie)).session.tenantId).toBe(tenantId);
	});

	it("creates a tenant once if the script runs twice at once", async () => {
		const { auth } = await makePlatform();
		interface Functions {
			makeTenant(...names: string[]): Promise<{ tenantId: string; moved: number }>;
		}
		const { makeTenant } = await runBlock<Functions>(
			"docs/from-single-tenant.md",
			"split-users.ts",
			{ ...packages, "./auth.js": { auth } },
		);
		const run = () => makeTenant("Corp", "corp", "corp.com");
		const [one, other] = await Promise.all([run(), run()]);
		expect(one).toEqual(other);
		await expect(makeTenant("Corp", "Not A Slug", "corp.com")).rejects.toMatchObject({
			body: { code: "INVALID_SLUG" },
		});
	});
});

describe("docs/from-own-tenants-table.md", () => {
	const page = "docs/from-own-tenants-table.md";

	it("creates tenants with the ids of the customers, and can be repeated", async () => {
		const { auth, signUp, sessionOf, db } = await makePlatform();
		const name = Math.random().toString(36).slice(2);
		const [ada, bob] = [await signUp(`ada-${name}`), await signUp(`bob-${name}`)];
		await db.schema
			.createTable("customer")
			.addColumn("id", "text")
			.addColumn("name", "text")
			.addColumn("slug", "text")
			.execute();
		await db.schema
			.createTable("customer_user")
			.addColumn("customer_id", "text")
			.addColumn("user_id", "text")
			.execute();
		const customers = [
			{ id: "customer-1", name: "Acme", slug: "acme" },
			{ id: "customer-2", name: "Globex", slug: "globex" },
		];
		await db.insertInto("customer").values(customers).execute();
		await db
			.insertInto("customer_user")
			.values([
				{ customer_id: "customer-1", user_id: ada.id },
				{ customer_id: "customer-2", user_id: bob.id },
			])
			.execute();
		interface Functions {
			adoptCustomers(): Promise<object[]>;
		}
		const { adoptCustomers } = await runBlock<Functions>(page, "adopt-customers.ts", {
			"./auth.js": { auth },
			"./db.js": { db },
		});
		const moved = (count: number) => [
			{ customer: "acme", moved: count, problems: [] },
			{ customer: "globex", moved: count, problems: [] },
		];
		expect(await adoptCustomers()).toEqual(moved(1));
		expect(await adoptCustomers()).toEqual(moved(0));
		expect((await sessionOf(ada.cookie)).session.tenantId).toBe("customer-1");
		expect((await sessionOf(bob.cookie)).session.tenantId).toBe("customer-2");
	});
});
