import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { waitForToast } from "./console-driver";
import { fillSignIn, password, waitForAccount } from "./end-user";
import { type PagesServer, type PagesTenant, runningPages, usePages } from "./running-pages";
import { asManager } from "./running-service";
import { png } from "./sample-images";

const HELPDESK = ["user:list", "user:get", "user:disable", "session:list", "audit:list"];

describe.skipIf(!services.browser)("the pages of a tenant's administrators in Chromium", () => {
	const open = useChromium();
	const start = usePages({ TENANT_ROLES: JSON.stringify({ helpdesk: HELPDESK }) });
	const look = async (page: Page, name: string) =>
		expect(await checkPage(page, `tenant-admin-${name}`)).toEqual([]);

	/** A user of the tenant with a password and a role. */
	const addUser = (server: PagesServer, { id }: PagesTenant, email: string, role: string) =>
		server.manage<{ id: string }>("/user/create", {
			tenantId: id,
			name: email.split("@")[0],
			email,
			password,
			role,
			emailVerified: true,
		});

	async function makeTenant(server: PagesServer, name: string) {
		const tenant = await server.newTenant(name, { primaryColor: "#0f766e" });
		const owner = await addUser(server, tenant, "ada@example.com", "owner");
		return { ...tenant, owner, admin: `/t/${tenant.slug}/admin` };
	}

	async function signIn(page: Page, { slug }: PagesTenant, email: string) {
		await page.goto(`/t/${slug}/sign-in`);
		await fillSignIn(page, email);
		await waitForAccount(page);
	}

	/** The paths that the page calls. */
	function watchCalls(page: Page): string[] {
		const paths: string[] = [];
		page.on("request", (request) => {
			if (request.resourceType() === "fetch") paths.push(new URL(request.url()).pathname);
		});
		return paths;
	}

	const links = (page: Page) =>
		page.getByRole("navigation", { name: "Administration" }).getByRole("link").allInnerTexts();

	const heading = (page: Page, name: string | RegExp) =>
		page.getByRole("heading", { name }).first().waitFor();

	test("an owner comes from the account page and manages the tenant", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		await addUser(server, acme, "bob@example.com", "member");
		const { page, problems } = await open(server.baseUrl);
		const calls = watchCalls(page);
		await signIn(page, acme, "ada@example.com");
		const manage = page.getByRole("link", { name: "Manage Acme" });
		await manage.waitFor();
		await look(page, "account");
		await manage.click();
		await heading(page, "Acme");
		await expect.poll(() => page.title()).toBe("Acme");
		const expected = [
			"Overview",
			"Users",
			"Sessions",
			"Sign-ins",
			"Branding",
			"Policy",
			"Providers",
			"Applications",
			"Domains",
			"Webhooks",
			"Emails",
			"Audit log",
			"Settings",
		];
		await expect.poll(() => links(page)).toEqual(expect.arrayContaining(expected));
		await look(page, "overview");

		await page.getByRole("link", { name: "Users" }).first().click();
		await page.getByText("bob@example.com").waitFor();
		await look(page, "users");
		await page.getByRole("button", { name: "Actions for bob@example.com" }).click();
		await page.getByRole("menuitem", { name: "Edit" }).click();
		const dialog = page.getByRole("dialog");
		await expect.poll(() => dialog.getByLabel("The email is verified").count()).toBe(0);
		await expect
			.poll(() => dialog.getByLabel("Role").getByRole("option").allInnerTexts())
			.toEqual(["Owner", "Admin", "Member", "helpdesk"]);
		await dialog.getByLabel("Role").selectOption("admin");
		await look(page, "edit-user");
		await dialog.getByRole("button", { name: "Save" }).click();
		await waitForToast(page, "Saved.");
		await page.getByRole("cell", { name: "Admin" }).waitFor();

		await page.getByRole("button", { name: "Create user" }).click();
		await dialog.getByLabel("Name").fill("Carol");
		await dialog.getByLabel("Email", { exact: true }).fill("carol@example.com");
		await dialog.getByRole("button", { name: "Create user" }).click();
		await waitForToast(page, "User created.");

		await page.getByRole("link", { name: "Policy" }).first().click();
		await page.getByLabel("Who may sign up").selectOption("invite");
		await page.getByRole("button", { name: "Save policy" }).click();
		await waitForToast(page, "Policy saved.");
		await look(page, "policy");

		const others = ["Sessions", "Sign-ins", "Providers", "Applications", "Domains", "Webhooks"];
		for (const name of notEmpty(others)) {
			await page.getByRole("link", { name, exact: true }).first().click();
			await page.getByRole("heading", { name, level: 1 }).waitFor();
			await look(page, name.toLowerCase());
			await expect.poll(() => page.getByRole("alert").count()).toBe(0);
		}

		await page.getByRole("link", { name: "Applications" }).first().click();
		await page.getByRole("link", { name: "New application" }).click();
		await page.getByText("Mobile or desktop app").click();
		await page.getByLabel("Name", { exact: true }).fill("Field app");
		await page.getByLabel("Redirect URIs", { exact: true }).fill("com.acme.field:/callback");
		await page.getByLabel(/^offline_access/).uncheck();
		await page.getByRole("button", { name: "Create application" }).click();
		await page.getByText(`ISSUER=${server.baseUrl}/t/${acme.slug}`).waitFor();
		await look(page, "application");

		await page.getByRole("link", { name: "Audit log" }).first().click();
		const table = page.getByRole("table");
		await table.getByText("Policy updated").waitFor();
		await table.getByText("ada@example.com").first().waitFor();
		await table.getByText("Server").or(table.getByText("Management key")).first().waitFor();
		await look(page, "audit");
		expect(calls.filter((path) => path.startsWith("/service"))).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("an owner changes the slug, and the pages move with it", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Moving");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme, "ada@example.com");
		await page.goto(`${acme.admin}/branding`);
		await page.getByLabel("Tagline").fill("We move");
		await page.getByLabel("Upload a logo").setInputFiles({
			name: "logo.png",
			mimeType: "image/png",
			buffer: png(),
		});
		await page.getByText("logo.png is uploaded when you save.").waitFor();
		await look(page, "branding");
		await page.getByRole("button", { name: "Save branding" }).click();
		await waitForToast(page, "Saved.");
		const logoUrl = await page.getByLabel("Logo URL").inputValue();
		expect((await fetch(logoUrl)).status).toBe(200);
		await page.getByRole("link", { name: "Settings" }).first().click();
		await page.getByLabel("Slug", { exact: true }).waitFor();
		await expect.poll(() => page.getByText("Metadata").count()).toBe(0);
		await expect.poll(() => page.getByRole("button", { name: /Suspend|Delete/ }).count()).toBe(0);
		await look(page, "settings");
		await page.getByLabel("Slug", { exact: true }).fill(`${acme.slug}-new`);
		await page.getByRole("button", { name: "Save name and slug" }).click();
		await page.waitForURL(`**/t/${acme.slug}-new/admin/settings`);
		await heading(page, "Settings");
		expect(problems).toEqual([]);
	});

	test("an admin reaches neither owners nor the slug", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		await addUser(server, acme, "bob@example.com", "admin");
		await server.manage("/domain/add", {
			tenantId: acme.id,
			host: `${acme.slug}.example`,
			purpose: "login",
		});
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme, "bob@example.com");
		await page.goto(`${acme.admin}/users/${acme.owner.id}`);
		await page.getByText("ada@example.com").first().waitFor();
		await expect
			.poll(() => page.getByRole("button", { name: /Edit|Delete|Disable|Send email/ }).count())
			.toBe(0);
		await page.goto(`${acme.admin}/users`);
		await page.getByRole("button", { name: "Actions for ada@example.com" }).click();
		await expect.poll(() => page.getByRole("menuitem").allInnerTexts()).toEqual(["Open"]);
		await page.goto(`${acme.admin}/settings`);
		await page.getByLabel("Name", { exact: true }).fill("Acme Ltd");
		await expect.poll(() => page.getByLabel("Slug", { exact: true }).isEditable()).toBe(false);
		await page.getByRole("button", { name: "Save name and slug" }).click();
		await waitForToast(page, "Saved.");
		await page.goto(`${acme.admin}/domains`);
		await page.getByText(`${acme.slug}.example`).first().waitFor();
		await expect.poll(() => page.getByRole("button", { name: /Check now/ }).count()).toBe(0);
		expect(problems).toEqual([]);
	});

	test("a role of the service sees only what it may do, and gets 403 for the rest", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const bob = await addUser(server, acme, "bob@example.com", "member");
		await addUser(server, acme, "help@example.com", "helpdesk");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme, "help@example.com");
		await page.goto(acme.admin);
		await heading(page, "Acme");
		await expect.poll(() => links(page)).toEqual(["Overview", "Users", "Sessions", "Audit log"]);
		await look(page, "helpdesk");
		await page.goto(`${acme.admin}/users/${bob.id}`);
		await page.getByRole("button", { name: "Disable" }).waitFor();
		await expect
			.poll(() => page.getByRole("main").getByRole("button").allInnerTexts())
			.toEqual(
				expect.not.arrayContaining(["Edit", "Delete", "Send email", "Impersonate", "Enable"]),
			);
		await look(page, "helpdesk-user");
		await page.goto(`${acme.admin}/policy`);
		await page.getByText("You may not see this page").waitFor();
		await look(page, "not-allowed");
		const status = await page.evaluate(
			async ([userId, tenantId]) =>
				(
					await fetch("/api/auth/tenant/user/delete", {
						method: "POST",
						headers: { "content-type": "application/json" },
						body: JSON.stringify({ userId, tenantId }),
					})
				).status,
			[bob.id, acme.id],
		);
		expect(status).toBe(403);
		expect(problems).toEqual([]);
	});

	test("a member gets an explanation and no link", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		await addUser(server, acme, "bob@example.com", "member");
		const { page, problems } = await open(server.baseUrl);
		const permissions = page.waitForResponse("**/tenant/permissions");
		await signIn(page, acme, "bob@example.com");
		expect((await permissions).status()).toBe(200);
		await page.getByRole("button", { name: "Delete account" }).waitFor();
		await expect.poll(() => page.getByRole("link", { name: "Manage Acme" }).count()).toBe(0);
		expect((await page.goto(`${acme.admin}/users`))?.status()).toBe(403);
		await heading(page, "You may not manage Acme");
		expect(await page.content()).not.toContain("ada@example.com");
		await look(page, "no-rights");
		await page.getByRole("link", { name: "Go to your account" }).click();
		await waitForAccount(page);
		expect(problems).toEqual([]);
	});

	test("somebody who is signed out signs in and comes back", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const { page, problems } = await open(server.baseUrl);
		await page.goto(`${acme.admin}/users?status=active`);
		await page.waitForURL("**/sign-in?callbackURL=*");
		await fillSignIn(page, "ada@example.com");
		await page.waitForURL(`**${acme.admin}/users?status=active`);
		await page.getByRole("table").getByText("ada@example.com").waitFor();
		expect(problems).toEqual([]);
	});

	test("an owner of another tenant sees nothing, and the API refuses", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const globex = await makeTenant(server, "Globex");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, globex, "ada@example.com");
		await page.goto(`${acme.admin}/users`);
		await page.waitForURL(`**/t/${acme.slug}/sign-in?callbackURL=*`);
		const statuses = await page.evaluate(async (tenantId) => {
			const headers = { "content-type": "application/json", "x-tenant-id": tenantId };
			const get = async (path: string) =>
				(await fetch(`/api/auth/tenant/${path}`, { headers })).status;
			const post = async (path: string, body: object) => {
				const init = { method: "POST", headers, body: JSON.stringify({ tenantId, ...body }) };
				return (await fetch(`/api/auth/tenant/${path}`, init)).status;
			};
			return [
				await get(`permissions?tenantId=${tenantId}`),
				await get(`get?id=${tenantId}`),
				await get(`user/list?tenantId=${tenantId}`),
				await get(`audit/list?tenantId=${tenantId}`),
				await get(`policy/get?tenantId=${tenantId}`),
				await post("user/create", { name: "Eve", email: "eve@example.com", role: "owner" }),
				await post("update", { name: "Eve Ltd" }),
				await post("policy/update", { signUp: { mode: "open" } }),
			];
		}, acme.id);
		expect(statuses).toEqual([401, 403, 403, 403, 403, 403, 403, 403]);
		expect(problems).toEqual([]);
	});

	test("an impersonated owner manages nothing", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const { page, problems } = await open(server.baseUrl);
		await impersonate(server, page, acme);
		await page.goto(acme.admin);
		await heading(page, "You may not manage Acme");
		await page.getByText("on behalf of a user").waitFor();
		expect(problems).toEqual([]);
	});

	test("the page says when the session ends, the role changes or the tenant is suspended", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const bob = await addUser(server, acme, "bob@example.com", "admin");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme, "bob@example.com");
		await page.goto(`${acme.admin}/policy`);
		await page.getByLabel("Who may sign up").waitFor();
		await server.manage("/user/update", { tenantId: acme.id, userId: bob.id, role: "helpdesk" });
		await page.getByRole("link", { name: "Webhooks" }).first().click();
		await page.getByText("You may not see this page").waitFor();
		await expect.poll(() => links(page)).toEqual(["Overview", "Users", "Sessions", "Audit log"]);

		await server.manage("/suspend", { tenantId: acme.id });
		await page.getByRole("link", { name: "Sessions" }).first().click();
		await heading(page, "Acme is suspended");
		await look(page, "suspended");
		await server.manage("/resume", { tenantId: acme.id });

		await page.goto(`${acme.admin}/users`);
		await page.getByRole("table").getByText("bob@example.com").waitFor();
		await server.manage("/user/revoke-sessions", { tenantId: acme.id, userId: bob.id });
		await page.getByRole("link", { name: "Sessions" }).first().click();
		await heading(page, "Your session has ended");
		await look(page, "session-ended");
		const opened = page.context().waitForEvent("page");
		await page.getByRole("link", { name: "Sign in again" }).click();
		const tab = await opened;
		await fillSignIn(tab, "bob@example.com");
		await tab.waitForURL(`**${acme.admin}/sessions`);
		await tab.close();
		await page.getByRole("button", { name: "I have signed in" }).click();
		await page.getByRole("dialog").waitFor({ state: "hidden" });
		await page.getByRole("table").getByText("bob@example.com").first().waitFor();
		expect(problems).toEqual([]);
	});

	test("the owner signs out", async () => {
		const server = await start();
		const acme = await makeTenant(server, "Acme");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme, "ada@example.com");
		await page.goto(acme.admin);
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.waitForURL(`**/t/${acme.slug}/sign-in`);
		await page.goto(acme.admin);
		await page.waitForURL("**/sign-in?callbackURL=*");
		expect(problems).toEqual([]);
	});

	test("the pages can be turned off", async () => {
		const server = await runningPages({ TENANT_ADMIN_PAGES: "false" });
		const acme = await makeTenant(server, "Acme");
		const { page, problems } = await open(server.baseUrl);
		await signIn(page, acme, "ada@example.com");
		await page.getByRole("button", { name: "Delete account" }).waitFor();
		await expect.poll(() => page.getByRole("link", { name: "Manage Acme" }).count()).toBe(0);
		expect((await page.goto(acme.admin))?.status()).toBe(404);
		expect(problems).toEqual([]);
	});
});

/** Signs the browser in as the owner, as an operator does in the console. */
async function impersonate(
	server: PagesServer,
	page: Page,
	{ id, owner }: PagesTenant & { owner: { id: string } },
) {
	const response = await fetch(`${server.baseUrl}/api/auth/tenant/user/impersonate`, {
		method: "POST",
		headers: { "content-type": "application/json", ...asManager },
		body: JSON.stringify({ tenantId: id, userId: owner.id, reason: "Ticket", setCookie: true }),
	});
	const cookies = response.headers.getSetCookie().map((cookie) => {
		const [pair = ""] = cookie.split(";");
		const [name = "", ...value] = pair.split("=");
		return { name, value: value.join("="), url: server.baseUrl };
	});
	await page.context().addCookies(cookies.filter(({ value }) => value !== ""));
}
