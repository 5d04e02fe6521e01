import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { type ChooserApp, errorIn, makeChooserApp } from "../support/worlds/chooser";
import { readSession } from "../support/worlds/social-app";

const gitlab = useIdentityProvider("gitlab");
const NOBODY = ["/sign-in", "tenant_not_found"];

describe("a tenant is not found by the chooser", () => {
	let app: ChooserApp;

	beforeAll(async () => {
		app = await makeChooserApp(gitlab);
	});

	it("by an email that the provider has not verified", async () => {
		const person = app.newPerson({ emailVerified: false });
		await app.makeTenantsOf(person, 2);
		const visit = await app.signIn(person);
		expect(errorIn(visit)).toEqual(["/sign-in", "email_not_verified"]);
		expect(await readSession(visit.browser)).toBeNull();
	});

	it("by the domain of an email that the provider has not verified", async () => {
		const domain = `${randomUUID()}.example.com`;
		await app.addDomain(await app.makeTenant(), domain, "email");
		const person = app.newPerson({ email: `ada@${domain}`, emailVerified: false });
		expect(errorIn(await app.signIn(person))).toEqual(["/sign-in", "email_not_verified"]);
	});

	it("by a user whose own email is unproven: somebody else may have signed up with it", async () => {
		const person = app.newPerson();
		await app.addUser(await app.makeTenant(), person, false);
		expect(errorIn(await app.signIn(person))).toEqual(NOBODY);
	});

	it("by its domain, if it has such a user", async () => {
		const domain = `${randomUUID()}.example.com`;
		const tenantId = await app.makeTenant();
		await app.addDomain(tenantId, domain, "email");
		const person = app.newPerson({ email: `ada@${domain}` });
		await app.addUser(tenantId, person, false);
		expect(errorIn(await app.signIn(person))).toEqual(NOBODY);
	});

	it("by an account with the same id at another server", async () => {
		const person = app.newPerson({ emailVerified: false });
		const tenantId = await app.makeTenant();
		await app.link(tenantId, person);
		await app.db
			.updateTable("account")
			.set({ authority: "issuer=https://gitlab.example.com" })
			.where("tenantId", "=", tenantId)
			.execute();
		expect(errorIn(await app.signIn(person))).toEqual(["/sign-in", "email_not_verified"]);
	});

	it("if it has its own client for the provider", async () => {
		const person = app.newPerson();
		const [own = "", other = ""] = await app.makeTenantsOf(person, 2);
		await app.addOwnClient(own);
		const { browser } = await app.signIn(person);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId: other } });
	});

	it("if its policy does not allow the provider", async () => {
		for (const signIn of [
			{ methods: ["password"] },
			{ providers: ["google"] },
			{ fallbackToGlobal: false },
		]) {
			const person = app.newPerson();
			const [tenantId = ""] = await app.makeTenantsOf(person, 1);
			await app.setPolicy(tenantId, { signIn });
			expect(errorIn(await app.signIn(person)), JSON.stringify(signIn)).toEqual(NOBODY);
		}
	});

	it.each(["suspend", "delete"])("after %s", async (verb) => {
		const person = app.newPerson();
		const [tenantId = ""] = await app.makeTenantsOf(person, 1);
		await app.manage(`/tenant/${verb}`, { body: { tenantId } });
		expect(errorIn(await app.signIn(person))).toEqual(NOBODY);
	});

	it("by a user who is disabled", async () => {
		const person = app.newPerson();
		const tenantId = await app.makeTenant();
		const { id: userId } = await app.addUser(tenantId, person);
		await app.auth.api.disableTenantUser({ body: { tenantId, userId } });
		expect(errorIn(await app.signIn(person))).toEqual(NOBODY);
	});

	it("by its domain, if it admits only people with an invitation, or nobody", async () => {
		for (const mode of ["invite", "closed"]) {
			const domain = `${randomUUID()}.example.com`;
			const tenantId = await app.makeTenant();
			await app.addDomain(tenantId, domain, "email");
			await app.setPolicy(tenantId, { signUp: { mode } });
			expect(errorIn(await app.signIn(app.newPerson({ email: `ada@${domain}` })))).toEqual(NOBODY);
		}
	});

	it("by a domain that it has added and not verified", async () => {
		const domain = `${randomUUID()}.example.com`;
		const tenantId = await app.makeTenant();
		await app.auth.api.addTenantDomain({ body: { tenantId, host: domain, purpose: "email" } });
		expect(errorIn(await app.signIn(app.newPerson({ email: `ada@${domain}` })))).toEqual(NOBODY);
	});

	it("for a user of the platform, who stays outside", async () => {
		const person = app.newPerson();
		const browser = app.newBrowser();
		const signedUp = await browser.fetch("/sign-up/email", {
			body: { name: "Operator", email: person.email, password: "correct horse battery" },
		});
		expect(signedUp.status).toBe(200);
		await app.db
			.updateTable("user")
			.set({ emailVerified: 1 })
			.where("email", "=", person.email)
			.execute();
		const visit = await app.signIn(person);
		expect(errorIn(visit)).toEqual(NOBODY);
		expect(await readSession(visit.browser)).toBeNull();
	});
});

describe("with the app's rules for linking", () => {
	it.each([{ enabled: false }, { disableImplicitLinking: true }])(
		"%j, a user with the email is not offered",
		async (accountLinking) => {
			const app = await makeChooserApp(gitlab, { account: { accountLinking } });
			const person = app.newPerson();
			await app.makeTenantsOf(person, 1);
			expect(errorIn(await app.signIn(person))).toEqual(NOBODY);
		},
	);

	it("a trusted provider still has to verify the email", async () => {
		const app = await makeChooserApp(gitlab, {
			account: { accountLinking: { trustedProviders: ["gitlab"] } },
		});
		const person = app.newPerson({ emailVerified: false });
		await app.makeTenantsOf(person, 1);
		expect(errorIn(await app.signIn(person))).toEqual(["/sign-in", "email_not_verified"]);
	});

	it("a user with an unproven email is offered if the app allows it", async () => {
		const app = await makeChooserApp(gitlab, {
			account: { accountLinking: { requireLocalEmailVerified: false } },
		});
		const person = app.newPerson();
		const tenantId = await app.makeTenant();
		await app.addUser(tenantId, person, false);
		const { browser } = await app.signIn(person);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
	});
});
