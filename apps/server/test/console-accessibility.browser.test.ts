import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { checkPage, checkPageOnce, holdRequests, rejectRequests, useChromium } from "./chromium";
import { chooseKey, enterConsole, keyField } from "./console-driver";
import { type PagesServer, runningPages, usePages } from "./running-pages";
import { asManager } from "./running-service";

const password = "correct horse battery";

/** Every page: its name, its path, a text that it shows, and the request that it waits for. */
const pagesOf = (tenantId: string, userId: string) =>
	[
		["overview", "/console", "Failed sign-ins", "**/service/overview"],
		["tenants", "/console/tenants", /of \d+ tenants/, "**/tenant/list?limit=50*"],
		["tenant", `/console/tenants/${tenantId}`, "Sign-in page", "**/tenant/get?*"],
		["providers", `/console/tenants/${tenantId}/providers`, "Not set up", "**/effective?*"],
		["users", `/console/tenants/${tenantId}/users`, /of 1 users/, "**/user/list?*"],
		["user", `/console/tenants/${tenantId}/users/${userId}`, "Sign-in methods", "**/user/get?*"],
		["sessions", `/console/tenants/${tenantId}/sessions`, /of 1 sessions/, "**/session/list?*"],
		["find-user", "/console/users?q=ada", "ada@example.com", "**/service/users?*"],
		[
			"invitations",
			`/console/tenants/${tenantId}/users/invitations`,
			/of 1 inv/,
			"**/invitation/*",
		],
		["sign-ins", `/console/tenants/${tenantId}/sign-ins`, /of \d+ sign-ins/, "**/sign-in/list?*"],
		["saml", `/console/tenants/${tenantId}/saml`, "For the identity provider", "**/saml/get?*"],
		["directory", `/console/tenants/${tenantId}/directory`, "No tokens yet", "**/scim/get?*"],
		["branding", `/console/tenants/${tenantId}/branding`, "Support email", "**/tenant/get?*"],
		["policy", `/console/tenants/${tenantId}/policy`, "Who may sign up", "**/policy/get?*"],
		[
			"applications",
			`/console/tenants/${tenantId}/applications`,
			"Nightly job",
			"**/tenant/application/list?*",
		],
		["service", "/console/service", "Jobs", "**/service/jobs"],
		["audit", "/console/audit", /of \d+ events/, "**/service/audit?*"],
		["tenant-audit", `/console/tenants/${tenantId}/audit`, /of \d+ events/, "**/service/audit?*"],
		["operators", "/console/operators", "grace@example.com", "**/operator/list"],
		["keys", "/console/keys", "deploy", "**/operator/key/list"],
		["outbox", "/console/outbox", "To ada@example.com", "**/service/outbox"],
	] as const;

async function seed(server: PagesServer) {
	const tenant = await server.newTenant("Acme", { primaryColor: "#0f766e" });
	const { user } = await server.signUp(tenant, "ada@example.com", password);
	await server.manage("/user/send-password-reset", { tenantId: tenant.id, userId: user.id });
	const operate = (path: string, body: object) =>
		server.call(`/api/auth/operator/${path}`, asManager, body).catch(() => {});
	// Several tests share the server.
	await operate("create", { email: "grace@example.com", role: "owner" });
	await operate("key/create", { name: "deploy", scopes: ["operator"], tenantId: tenant.id });
	const invitation = { email: "grace@example.com", role: "admin" };
	await server.manage("/invitation/create", { tenantId: tenant.id, ...invitation });
	const job = { name: "Nightly job", type: "machine" };
	await server.manage("/application/create", { tenantId: tenant.id, ...job });
	await server.signInWithWrongPassword(tenant, "ada@example.com");
	return { tenant, userId: user.id };
}

describe.skipIf(!services.browser)("axe finds no problem in the console", () => {
	const open = useChromium();
	const pages = usePages({
		...{ GITHUB_CLIENT_ID: "client-of-the-service", GITHUB_CLIENT_SECRET: "x" },
		...{ SAML: "true", SCIM: "true" },
	});

	test("on any page, while it loads, and after it failed to load", async () => {
		const server = await pages();
		const { tenant, userId } = await seed(server);
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		const titles = new Map<string, string>();
		for (const [name, path, text, request] of notEmpty(pagesOf(tenant.id, userId))) {
			const release = await holdRequests(page, request);
			await page.goto(path);
			await page.locator(".skeleton").first().waitFor();
			expect(await checkPageOnce(page, `console-${name}-loading`)).toEqual([]);
			await release();
			await page.getByText(text).first().waitFor();
			expect(await checkPage(page, `console-${name}`)).toEqual([]);
			const headings = { message: `headings of ${name}` };
			await expect.poll(() => page.locator("h1").count(), headings).toBe(1);
			titles.set(await page.title(), name);

			const accept = await rejectRequests(page, request);
			await page.goto(path);
			await page.getByRole("alert").first().waitFor();
			expect(await checkPageOnce(page, `console-${name}-error`)).toEqual([]);
			await accept();
		}
		expect([...titles.values()], "pages with a title of their own").toEqual(
			pagesOf(tenant.id, userId).map(([name]) => name),
		);
		expect(problems).toEqual([]);
	});

	test("in an empty list, or in one without a match", async () => {
		const server = await runningPages();
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page);
		const empty = async (path: string, text: string) => {
			await page.goto(`/console${path}`);
			await page.getByText(text).first().waitFor();
			const name = path.replace(/\W+/g, "-").replace(/-c[\w-]{20,}|-[\w-]{32,}/, "");
			expect(await checkPageOnce(page, `console-empty${name}`)).toEqual([]);
		};
		await empty("", "No events yet");
		await empty("/tenants", "No tenants yet");
		await empty("/tenants?q=nobody", "No tenants match “nobody”");
		await empty("/audit", "No events yet");
		await empty("/audit?until=2020-01-01", "No events match these filters");
		await empty("/outbox", "No emails yet");
		await empty("/operators", "No operators yet");
		await empty("/keys", "No keys yet");
		const { id } = await server.newTenant("Acme");
		await empty(`/tenants/${id}/users`, "No users yet");
		await empty(`/tenants/${id}/users?page=9`, "There are no users on this page");
		await empty(`/tenants/${id}/users/invitations`, "No invitations yet");
		await empty(`/tenants/${id}/sign-ins`, "No sign-ins yet");
		await empty(`/tenants/${id}/sign-ins?result=failed`, "No sign-ins match these filters");
		await empty("/users", "Who are you looking for?");
		await empty(`/tenants/${id}/sessions`, "No active sessions");
		await empty(`/tenants/${id}/providers?q=nobody`, "No providers match “nobody”");
		await empty("/tenants/nobody", "Could not load this tenant");
		await empty("/nowhere", "This page does not exist");
		expect(problems).toEqual([]);
	});

	test("in a form or a dialog", async () => {
		const server = await pages();
		const { tenant, userId } = await seed(server);
		const { page, problems } = await open(server.baseUrl);
		const look = async (name: string) =>
			expect(await checkPage(page, `console-${name}`)).toEqual([]);
		const dialog = page.getByRole("dialog");
		await page.goto("/console");
		await look("sign-in");
		await chooseKey(page);
		await keyField(page).fill("not-a-management-key");
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByText("This key is not valid").waitFor();
		await look("sign-in-error");

		await enterConsole(page, "/console/tenants/new");
		await page.getByLabel("Name").fill(tenant.slug);
		await page.getByText(`“${tenant.slug}” is taken.`).first().waitFor();
		await page.getByText("Metadata").first().click();
		await look("new-tenant");

		await page.goto(`/console/tenants/${tenant.id}/providers`);
		await page.getByRole("button", { name: "Set up GitLab" }).click();
		await dialog.getByText("More settings").click();
		await look("set-up-provider");
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Test GitHub" }).click();
		await dialog.getByRole("link", { name: "Sign in (new tab)" }).waitFor();
		await look("test-provider");

		await page.goto(`/console/tenants/${tenant.id}/users`);
		await page.getByRole("button", { name: "Create user" }).click();
		await dialog.getByLabel("Password", { exact: true }).selectOption("Set one now");
		await look("create-user");
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Invite" }).click();
		await look("invite");
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Actions for ada@example.com" }).click();
		await page.getByRole("menuitem", { name: "Edit" }).waitFor();
		await look("row-menu");
		// The other sizes of the window may have closed it.
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Actions for ada@example.com" }).click();
		await page.getByRole("menuitem", { name: "Edit" }).click();
		await look("edit-user");
		await page.keyboard.press("Escape");
		await page.getByRole("checkbox", { name: "Select ada@example.com" }).check();
		await page.getByRole("button", { name: "Disable" }).click();
		await look("bulk");
		await page.keyboard.press("Escape");
		await page.keyboard.press("Control+k");
		await page.getByRole("combobox", { name: /^Search pages/ }).fill("ada");
		await page
			.getByRole("option", { name: /ada@example.com/ })
			.first()
			.waitFor();
		await look("palette");
		await page.keyboard.press("Escape");
		await page.goto(`/console/tenants/${tenant.id}/users/import`);
		await page.getByLabel("File").setInputFiles({
			name: "users.ndjson",
			mimeType: "application/x-ndjson",
			buffer: Buffer.from('{"externalId":"1","email":"eve@example.com"}\noops'),
		});
		await page.getByText("2 of 2 lines").waitFor();
		await look("import");

		await page.goto(`/console/tenants/${tenant.id}/users/${userId}`);
		await page.getByRole("button", { name: "Impersonate" }).click();
		await look("impersonate");
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await look("delete-user");

		await page.goto(`/console/tenants/${tenant.id}/settings`);
		await page.getByRole("textbox", { name: "Metadata" }).fill("{ oops }");
		await page.getByRole("button", { name: /^Line 1/ }).waitFor();
		await look("settings");
		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await look("delete-tenant");
		await server.manage("/suspend", { tenantId: tenant.id });
		await page.goto(`/console/tenants/${tenant.id}`);
		await page.getByText("Suspended since").waitFor();
		await look("suspended");
		expect(problems).toEqual([]);
	});
});
