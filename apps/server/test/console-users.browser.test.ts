import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { enterConsole, selectAll, waitForToast } from "./console-driver";
import { usePages } from "./running-pages";

const password = "correct horse battery";

describe.skipIf(!services.browser)("the users of a tenant in the console", () => {
	const open = useChromium();
	const pages = usePages();

	test("are created, edited, disabled and enabled", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/users`);
		const dialog = page.getByRole("dialog");
		const create = async (name: string, passwordBy: string) => {
			await page.getByRole("button", { name: "Create user" }).click();
			await dialog.getByLabel("Name").fill(name);
			await dialog.getByLabel("Email", { exact: true }).fill(`${name}@example.com`);
			await dialog.getByLabel("Password", { exact: true }).selectOption(passwordBy);
			if (passwordBy === "Set one now") {
				await dialog.getByLabel("New password", { exact: true }).fill(password);
				await dialog.getByLabel("The email is verified").check();
				await dialog.getByLabel("Role").selectOption("Owner");
			}
			await dialog.getByRole("button", { name: "Create user" }).click();
			await waitForToast(page, "User created.");
			await dialog.waitFor({ state: "detached" });
		};
		await create("ada", "Set one now");
		await create("bob", "Send an email to choose one");
		expect(await server.emailedLink("bob@example.com")).toContain("reset-password");
		await create("eve", "No password");
		await page.getByText("1–3 of 3 users").waitFor();
		const row = (email: string) => page.getByRole("row").filter({ hasText: email });
		await row("ada@example.com").getByText("Owner").waitFor();
		await row("ada@example.com").getByText("Verified", { exact: true }).waitFor();
		await row("bob@example.com").getByText("Not verified").waitFor();

		await page.getByRole("button", { name: "Create user" }).click();
		await dialog.getByLabel("Name").fill("Other Ada");
		await dialog.getByLabel("Email", { exact: true }).fill("ada@example.com");
		await dialog.getByRole("button", { name: "Create user" }).click();
		await dialog.getByRole("alert").waitFor();
		await page.keyboard.press("Escape");

		const choose = async (email: string, action: string) => {
			await page.getByRole("button", { name: `Actions for ${email}` }).click();
			await page.getByRole("menuitem", { name: action, exact: true }).click();
		};
		await choose("bob@example.com", "Edit");
		await dialog.getByLabel("Name").fill("Robert");
		await dialog.getByLabel("The email is verified").check();
		await dialog.getByLabel("Role").selectOption("Admin");
		await dialog.getByRole("button", { name: "Save" }).click();
		await row("bob@example.com").getByText("Admin").waitFor();
		await row("bob@example.com").getByText("Robert").waitFor();
		await choose("bob@example.com", "Disable");
		await row("bob@example.com").getByText("Disabled").waitFor();
		// The last owner stays.
		await choose("ada@example.com", "Disable");
		await waitForToast(page, "last owner");

		await row("bob@example.com").getByRole("link", { name: "Robert" }).click();
		await page.getByRole("button", { name: "Enable" }).click();
		await waitForToast(page, "bob@example.com was enabled.");
		await page.getByRole("button", { name: "Edit", exact: true }).click();
		await dialog.getByLabel("Email", { exact: true }).fill("robert@example.com");
		await dialog.getByRole("button", { name: "Save" }).click();
		await page.getByText("robert@example.com").first().waitFor();
		await page.getByText("Not verified").waitFor();
		expect(problems).toEqual([]);
	});

	test("are disabled, enabled and signed out together", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		await server.signUp(tenant, "ada@example.com", password);
		await server.signUp(tenant, "bob@example.com", password);
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/users`);
		const dialog = page.getByRole("dialog");
		const run = async (action: string, toast: string) => {
			await selectAll(page);
			await page
				.getByRole("group", { name: "Selected users" })
				.getByRole("button", { name: action })
				.click();
			await dialog.getByRole("button", { name: action }).click();
			await waitForToast(page, toast);
		};
		const sessions = () =>
			server.manage<object[]>(`/session/list?tenantId=${tenant.id}`).then(({ length }) => length);
		expect(await sessions()).toBe(2);
		await run("Sign out", "2 users signed out.");
		expect(await sessions()).toBe(0);
		await run("Disable", "2 users disabled.");
		await expect.poll(() => page.locator(".badge", { hasText: "Disabled" }).count()).toBe(2);
		await run("Enable", "2 users enabled.");
		await expect.poll(() => page.locator(".badge", { hasText: "Disabled" }).count()).toBe(0);
		expect(problems).toEqual([]);
	});

	test("are invited, and the invitation is sent again and revoked", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/users`);
		const dialog = page.getByRole("dialog");
		await page.getByRole("button", { name: "Invite" }).click();
		await dialog.getByLabel("Email", { exact: true }).fill("grace@example.com");
		await dialog.getByLabel("Role").selectOption("Admin");
		await dialog.getByRole("button", { name: "Send invitation" }).click();
		await waitForToast(page, "Invitation sent");

		await page.getByRole("link", { name: "Invitations" }).click();
		const menu = page.getByRole("button", { name: "Actions for grace@example.com" });
		await page.getByText("Pending").waitFor();
		await menu.click();
		await page.getByRole("menuitem", { name: "Send again" }).click();
		await waitForToast(page, "Invitation sent");
		await menu.click();
		await page.getByRole("menuitem", { name: "Revoke" }).click();
		await dialog.getByRole("button", { name: "Revoke invitation" }).click();
		await page.getByText("Revoked", { exact: true }).waitFor();
		expect(problems).toEqual([]);
	});

	test("are impersonated with a reason, and an owner gets a sign-in link", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const owner = { name: "Ada", email: "ada@example.com", password, role: "owner" };
		const { id } = await server.manage<{ id: string }>("/user/create", {
			tenantId: tenant.id,
			...owner,
		});
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/users/${id}`);
		const dialog = page.getByRole("dialog");
		await page.getByRole("button", { name: "Impersonate" }).click();
		await dialog.getByLabel("Reason").fill("Ticket 4711");
		await dialog.getByRole("button", { name: "Impersonate" }).click();
		const opened = page.context().waitForEvent("page");
		await dialog.getByRole("link", { name: "Open the account page" }).click();
		const account = await opened;
		await account.getByText("ada@example.com").first().waitFor();
		await account.close();

		await page.getByRole("button", { name: "Create link" }).click();
		await dialog.getByLabel("Reason").fill("Ticket 4712");
		await dialog.getByRole("button", { name: "Create link" }).click();
		const url = await dialog.getByText("/tenant/sign-in-link?token=").innerText();
		await dialog.getByRole("button", { name: "Done" }).click();
		const other = await open(server.baseUrl);
		await other.page.goto(url);
		await other.page.getByText("ada@example.com").first().waitFor();

		await page.getByRole("link", { name: "Audit log" }).last().click();
		await page.getByText("reason: Ticket 4711").waitFor();
		await page.getByText("reason: Ticket 4712").waitFor();
		expect(problems).toEqual([]);
	});

	test("are imported from a file, with the result of each line", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/users/import`);
		const user = (number: number) =>
			JSON.stringify({ externalId: String(number), email: `user${number}@example.com`, name: "X" });
		const lines = Array.from({ length: 250 }, (_, index) => user(index + 1));
		lines[41] = "not json";
		lines[142] = JSON.stringify({ externalId: "143", email: "not an email" });
		const choose = () =>
			page.getByLabel("File").setInputFiles({
				name: "users.ndjson",
				mimeType: "application/x-ndjson",
				buffer: Buffer.from(lines.join("\n")),
			});
		const importUsers = page.getByRole("button", { name: "Import 248 users" });
		await choose();
		await page.getByText("248 new, 0 changed, 0 unchanged, 2 with an error").waitFor();
		await importUsers.waitFor();
		expect(await server.manage(`/user/list?tenantId=${tenant.id}`)).toEqual([]);
		await importUsers.click();
		await page.getByText("248 created, 0 updated, 0 unchanged, 2 failed").waitFor();
		const failed = page.getByRole("row");
		await failed.filter({ hasText: "42" }).getByText("INVALID_JSON").waitFor();
		await failed.filter({ hasText: "143" }).getByText("VALIDATION_ERROR").waitFor();
		await choose();
		await page.getByText("0 new, 0 changed, 248 unchanged, 2 with an error").waitFor();
		await page.getByText("There is nothing to import").waitFor();
		await expect.poll(() => page.getByRole("button", { name: /^Import/ }).count()).toBe(0);
		await page.getByRole("link", { name: "Users", exact: true }).last().click();
		await page.getByText("1–50 of 248 users").waitFor();
		expect(problems).toEqual([]);
	});

	test("are imported from where an import has stopped", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/users/import`);
		const lines = Array.from({ length: 250 }, (_, index) =>
			JSON.stringify({ externalId: `${index}`, email: `user${index}@example.com`, name: "X" }),
		);
		await page.getByLabel("File").setInputFiles({
			name: "users.ndjson",
			mimeType: "application/x-ndjson",
			buffer: Buffer.from(lines.join("\n")),
		});
		let calls = 0;
		await page.getByRole("button", { name: "Import 250 users" }).waitFor();
		await page.route("**/tenant/user/import*", (route) => {
			calls += 1;
			return calls === 2 ? route.abort() : route.continue();
		});
		await page.getByRole("button", { name: "Import 250 users" }).click();
		await page.getByText("The import stopped").waitFor();
		await page.getByText("100 of 250 lines").waitFor();
		await page.getByRole("button", { name: "Continue the import" }).click();
		await page.getByText("250 created, 0 updated, 0 unchanged, 0 failed").waitFor();
		expect(calls).toBe(4);
		expect(problems).toEqual([]);
	});

	test("are found in all tenants", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const globex = await server.newTenant("Globex");
		await server.signUp(acme, "somebody@found.example", password);
		await server.signUp(globex, "somebody@found.example", password);
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		await page.getByRole("link", { name: "Find a user" }).click();
		await page.getByRole("searchbox").fill("SOMEBODY@found");
		await page.getByRole("link", { name: "Globex" }).waitFor();
		await page.getByRole("link", { name: "Acme" }).waitFor();
		await page.getByRole("row").filter({ hasText: "Globex" }).getByRole("link").first().click();
		await page.getByText("Sign-in methods").waitFor();
		await expect.poll(() => page.url()).toContain(globex.id);
		expect(problems).toEqual([]);
	});

	test("cannot get in, and the sign-ins say why", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		await server.signUp(tenant, "bob@example.com", password);
		await server.signInWithWrongPassword(tenant, "bob@example.com");
		await server.signInWithWrongPassword(tenant, "nobody@example.com");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/sign-ins`);
		const cells = page.locator("tbody");
		await cells.getByText("Wrong password").waitFor();
		await cells.getByText("No user has this email").waitFor();
		await page.getByRole("button", { name: "User: Any" }).click();
		await page.getByRole("combobox", { name: "Search by name or email" }).fill("lovelace");
		await page.getByRole("option", { name: /bob@example.com/ }).click();
		await page.getByRole("button", { name: "User: bob@example.com" }).waitFor();
		await expect.poll(() => cells.getByText("No user has this email").count()).toBe(0);
		await page.getByLabel("Reason").selectOption("Wrong password");
		await page.getByText("1–1 of 1 sign-ins").waitFor();
		await page.getByLabel("Reason").selectOption("The user is disabled");
		await page.getByText("No sign-ins match these filters").waitFor();
		await page.getByRole("button", { name: "Clear filters" }).first().click();
		await page.getByRole("searchbox", { name: "Email entered" }).fill("nobody@example.com");
		await page.getByText("1–1 of 1 sign-ins").waitFor();
		await cells.getByText("No user has this email").waitFor();
		expect(problems).toEqual([]);
	});

	test("obey the policy of the tenant, which shows the limits of the service", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/policy`);
		const save = page.getByRole("button", { name: "Save policy" });
		await page.getByText("the service's rule, 8 characters").waitFor();
		await page.getByLabel("Who may sign up").selectOption("Only with an invitation");
		await page.getByLabel("Email domains").fill("acme.com, acme.org");
		await page.getByLabel("All methods of the service").uncheck();
		await page.getByLabel("Social providers", { exact: true }).uncheck();
		await page.getByLabel("Shortest password").fill("1000");
		await page.getByText("Enter a whole number from 1 to 128.").waitFor();
		await expect.poll(() => save.isDisabled()).toBe(true);
		await page.getByLabel("Shortest password").fill("14");
		await page.getByLabel("Ends after", { exact: true }).fill("12");
		await page.getByLabel("Ends without use after", { exact: true }).fill("30");
		await page.getByLabel("Unit of “Ends without use after”").selectOption("minutes");
		await save.click();
		await waitForToast(page, "Policy saved.");
		const policy = await server.manage<{ signIn: { methods: string[] } }>(
			`/policy/get?tenantId=${tenant.id}`,
		);
		expect(policy).toMatchObject({
			signUp: { mode: "invite", emailDomains: ["acme.com", "acme.org"] },
			password: { minLength: 14 },
			session: { lifetime: 12 * 3600, idleTime: 1800 },
		});
		expect(policy.signIn.methods).toContain("password");
		expect(policy.signIn.methods).not.toContain("social");

		await page.getByLabel("Email domains").fill("not a domain!");
		await save.click();
		await page.getByRole("alert").waitFor();
		await page.getByRole("button", { name: "Discard changes" }).click();
		await expect
			.poll(() => page.getByLabel("Email domains").inputValue())
			.toBe("acme.com acme.org");
		expect(problems).toEqual([]);
	});

	test("appear in the audit log by name, which is read in one call and can be exported", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Umbrella");
		const { user } = await server.signUp(tenant, "ada@umbrella.example", password);
		await server.manage("/user/disable", { tenantId: tenant.id, userId: user.id });
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		const calls: string[] = [];
		page.on("request", (request) => calls.push(new URL(request.url()).pathname));
		await page.getByRole("link", { name: "Audit log" }).click();
		await page.getByRole("link", { name: "ada@umbrella.example" }).waitFor();
		expect(calls.filter((path) => path.endsWith("/tenant/get"))).toEqual([]);
		// One for the page, and one for the number of all events.
		expect(calls.filter((path) => path.endsWith("/service/audit"))).toHaveLength(2);

		await page.getByRole("button", { name: "Tenant: Any" }).click();
		await page.getByRole("combobox", { name: /^Search/ }).fill("umbrella");
		await page.getByRole("option", { name: /Umbrella/ }).click();
		await page.getByText("1–2 of 2 events").waitFor();
		await page.getByRole("button", { name: "User: Any" }).click();
		await page.getByRole("combobox", { name: /^Search/ }).fill("ada@");
		await page.getByRole("option", { name: /ada@umbrella.example/ }).click();
		await page.getByText("1–1 of 1 events").waitFor();
		for (const format of ["CSV", "NDJSON"]) {
			const downloading = page.waitForEvent("download");
			await page.getByRole("button", { name: "Export" }).click();
			await page.getByRole("menuitem", { name: format, exact: true }).click();
			const download = await downloading;
			expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.(csv|ndjson)$/);
			const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
			expect(lines).toHaveLength(format === "CSV" ? 2 : 1);
			expect(lines.at(-1)).toContain("ada@umbrella.example");
		}
		await page.getByRole("button", { name: "Clear the filter Tenant" }).click();
		await page.getByRole("button", { name: "Tenant: Any" }).waitFor();
		expect(problems).toEqual([]);
	});
});
