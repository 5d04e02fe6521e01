import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { type ChooserApp, errorIn, makeChooserApp } from "../support/worlds/chooser";
import { readSession } from "../support/worlds/social-app";

const gitlab = useIdentityProvider("gitlab");

describe("one sign-in page for all tenants", () => {
	let app: ChooserApp;

	beforeAll(async () => {
		app = await makeChooserApp(gitlab, { signInLog: true });
	});

	it("signs in to the one tenant with a user of the verified email", async () => {
		const person = app.newPerson();
		const [tenantId = ""] = await app.makeTenantsOf(person, 1);
		const { browser, url } = await app.signIn(person);
		expect(url.pathname).toBe("/home");
		expect(await readSession(browser)).toMatchObject({
			user: { email: person.email, tenantId },
			session: { tenantId },
		});
		const names = browser.cookies.list("http://localhost:3000").map(({ name }) => name);
		expect(names).toEqual(["better-auth.session_token"]);
	});

	it("signs in to the one tenant with the account, whatever the email says", async () => {
		const person = app.newPerson({ emailVerified: false });
		const tenantId = await app.makeTenant();
		await app.link(tenantId, person);
		const { browser } = await app.signIn(person);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
	});

	it("creates a user in the tenant that owns the domain of the email", async () => {
		const domain = `${randomUUID()}.example.com`;
		const tenantId = await app.makeTenant();
		await app.addDomain(tenantId, domain, "email");
		const person = app.newPerson({ email: `Ada@${domain.toUpperCase()}` });
		const { browser, url } = await app.signIn(person);
		expect(url.pathname).toBe("/welcome");
		expect(await readSession(browser)).toMatchObject({
			user: { email: `ada@${domain}`, tenantId },
		});
	});

	it("finds a user by an email in other case", async () => {
		const email = `${randomUUID()}@example.com`;
		const tenantId = await app.makeTenant();
		await app.addUser(tenantId, { email });
		const { browser } = await app.signIn(app.newPerson({ email: email.toUpperCase() }));
		expect(await readSession(browser)).toMatchObject({ user: { email, tenantId } });
	});

	it("lets the user choose where several tenants fit", async () => {
		const person = app.newPerson();
		const ids = await app.makeTenantsOf(person, 2);
		const { browser, token } = await app.toChooser(person);
		expect(await readSession(browser)).toBeNull();
		const { tenants, ...rest } = await app.list(browser, token);
		expect(rest).toEqual({ email: person.email, isComplete: true });
		expect(tenants.map(({ id }) => id).sort()).toEqual([...ids].sort());
		expect(Object.keys(tenants[0] ?? {})).toEqual(["id", "name", "slug"]);
		const [, chosen = ""] = ids;
		expect((await app.finish(browser, token, chosen)).url.pathname).toBe("/home");
		expect(await readSession(browser)).toMatchObject({ session: { tenantId: chosen } });
	});

	it("offers a tenant with the account and one with a user of the same email", async () => {
		const person = app.newPerson();
		const [linked, other] = [await app.makeTenant(), await app.makeTenant()];
		await app.link(linked, person);
		await app.addUser(other, person);
		const { browser, token } = await app.toChooser(person);
		const { tenants } = await app.list(browser, token);
		expect(tenants.map(({ id }) => id).sort()).toEqual([linked, other].sort());
		await app.finish(browser, token, other);
		expect(await readSession(browser)).toMatchObject({ session: { tenantId: other } });
	});

	it("lists at most 50 tenants, and says that there are others", async () => {
		const person = app.newPerson();
		const [tenantId] = await app.makeTenantsOf(person, 1);
		const template = { name: "Many", createdAt: new Date().toISOString() };
		const ids = Array.from({ length: 55 }, () => randomUUID());
		const user = await app.db
			.selectFrom("user")
			.selectAll()
			.where("tenantId", "=", tenantId)
			.executeTakeFirstOrThrow();
		const tenants = ids.map((id) => ({
			...template,
			id,
			slug: `s-${id}`,
			updatedAt: user.updatedAt,
		}));
		await app.db.insertInto("tenant").values(tenants).execute();
		const users = ids.map((id) => ({ ...user, id: `user-${id}`, tenantId: id }));
		await app.db.insertInto("user").values(users).execute();
		const { browser, token } = await app.toChooser(person);
		const found = await app.list(browser, token);
		expect([found.tenants.length, found.isComplete]).toEqual([50, false]);
	});

	it("says that no tenant fits", async () => {
		const visit = await app.signIn(app.newPerson());
		expect(errorIn(visit)).toEqual(["/sign-in", "tenant_not_found"]);
		expect(await readSession(visit.browser)).toBeNull();
	});

	it("passes on that the user refused at the provider", async () => {
		const { browser, url } = await app.start();
		const visit = await browser.follow(url, { as: app.newPerson(), consent: "deny" });
		expect(errorIn(visit)).toEqual(["/sign-in", "access_denied"]);
	});

	it("is in the sign-in log of the tenant, as any social sign-in", async () => {
		const person = app.newPerson();
		const [tenantId = ""] = await app.makeTenantsOf(person, 1);
		const { browser } = await app.signIn(person);
		const session = await readSession(browser);
		const { body } = await app.manage("/tenant/sign-in/list", { query: { tenantId } });
		expect(body).toEqual([
			expect.objectContaining({
				...{ result: "succeeded", method: "social", providerId: "gitlab" },
				user: expect.objectContaining({ id: session?.user.id }),
			}),
		]);
	});

	it("does not know providers that only tenants have", async () => {
		const response = await app.newBrowser().fetch("/tenant/chooser/start", {
			body: { provider: "github", callbackURL: "/home" },
		});
		expect([response.status, (await response.json()).code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
	});
});

describe("a provider without implicit sign-up", () => {
	it("creates a user in the tenant of the domain only if the page asks for it", async () => {
		const app = await makeChooserApp(gitlab, {}, { disableImplicitSignUp: true });
		const domain = `${randomUUID()}.example.com`;
		const tenantId = await app.makeTenant();
		await app.addDomain(tenantId, domain, "email");
		const person = app.newPerson({ email: `ada@${domain}` });
		const visit = await app.signIn(person);
		expect(errorIn(visit)).toEqual(["/sign-in", "tenant_not_found"]);
		const { browser } = await app.signIn(person, app.newBrowser(), { requestSignUp: true });
		expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
	});
});
