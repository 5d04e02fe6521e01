import type { Page } from "playwright-core";
import { submitForm } from "../forms";
import { emailOf, people, samlConnection, samlTest } from "./sample-data";
import { password } from "./seed";

export type ShownPage = {
	name: string;
	path: string;
	/** Runs before the screenshot. */
	prepare?: (page: Page) => Promise<unknown>;
	/** Takes a screenshot of the visible part only. */
	isDialog?: boolean;
};

async function signIn(page: Page): Promise<void> {
	await submitForm(page, "Sign in", { Email: emailOf(people[0] ?? ""), Password: password });
	await page.getByRole("button", { name: "Unlink GitHub" }).waitFor();
}

/** As if the domain of the email belonged to GitHub. */
async function offerProvider(page: Page): Promise<void> {
	await page.route("**/email-domain/providers*", (route) =>
		route.fulfill({ json: { providers: ["github"] } }),
	);
	await page.getByLabel("Email", { exact: true }).fill("mara@acme.example");
	await page.getByRole("button", { name: "Use a password instead" }).waitFor();
}

/** As if Acme had connected an identity provider: its domain is not verified here. */
async function connectSaml(page: Page): Promise<void> {
	await page.route("**/tenant/saml/get*", async (route) => {
		const response = await route.fetch();
		await route.fulfill({ response, json: { ...(await response.json()), ...samlConnection } });
	});
	await page.reload();
	await page.getByRole("button", { name: "Change", exact: true }).waitFor();
}

/** In the order in which a user opens them. */
export const tenantPages: ShownPage[] = [
	{ name: "tenant-sign-in", path: "/t/acme" },
	{ name: "tenant-sign-in-provider", path: "/t/acme/sign-in", prepare: offerProvider },
	{ name: "tenant-sign-in-plain", path: "/t/zephyr" },
	{ name: "tenant-sign-in-long", path: "/t/staedtische-verkehrsbetriebe-mittelland-nord-ag" },
	{ name: "tenant-sign-in-yellow", path: "/t/kiwi-games" },
	{ name: "tenant-suspended", path: "/t/lumen" },
	{ name: "tenant-unknown", path: "/t/nobody" },
	{ name: "tenant-sign-up", path: "/t/acme/sign-up" },
	{
		name: "tenant-sign-up-password",
		path: "/t/acme/sign-up",
		prepare: async (page) => {
			await page.getByLabel("Name", { exact: true }).fill("Mara Lind");
			await page.getByLabel("Password", { exact: true }).fill("mara-lind");
			await page.getByText("it has a name or an email in it").waitFor();
		},
	},
	{ name: "tenant-forgot-password", path: "/t/acme/forgot-password" },
	{
		name: "tenant-email-sent",
		path: "/t/acme/forgot-password",
		prepare: async (page) => {
			await submitForm(page, "Send link", { Email: "mara@acme.example" });
			await page.getByRole("heading", { name: "Check your email" }).waitFor();
		},
	},
	{ name: "tenant-new-password", path: "/t/acme/new-password?token=1" },
	{ name: "tenant-link-used", path: "/t/acme/new-password?error=INVALID_TOKEN" },
	{ name: "tenant-verify", path: "/t/acme/verify" },
	{ name: "tenant-verified", path: "/t/acme/verify/done" },
	{ name: "tenant-provider-error", path: "/t/acme/error?error=access_denied" },
	{ name: "tenant-untrusted", path: "/t/acme/sign-in?callbackURL=https://evil.example" },
	{ name: "tenant-email-link", path: "/t/acme/email-link" },
	{ name: "tenant-two-factor", path: "/t/acme/two-factor" },
	{ name: "tenant-invitation-invalid", path: "/t/acme/invitation?token=1" },
	{ name: "tenant-delete-account", path: "/t/acme/delete-account?token=1" },
	{ name: "tenant-deleted", path: "/t/acme/deleted" },
	{
		name: "service-start",
		path: "/",
		prepare: async (page) => {
			await submitForm(page, "Continue", { Email: "mara@nobody.example" });
			await page.getByRole("status").waitFor();
		},
	},
	{ name: "service-error", path: "/error?error=state_mismatch" },
	{ name: "tenant-not-found", path: "/t/acme/nowhere" },
	{ name: "tenant-account", path: "/t/acme/sign-in", prepare: signIn },
	{
		name: "tenant-account-delete",
		path: "/t/acme/account",
		isDialog: true,
		prepare: (page) => page.getByRole("button", { name: "Delete account" }).click(),
	},
	{ name: "admin-overview", path: "/t/acme/admin" },
	{ name: "admin-users", path: "/t/acme/admin/users" },
	{ name: "admin-audit", path: "/t/acme/admin/audit" },
	{ name: "admin-settings", path: "/t/acme/admin/settings" },
];

export const consoleSignIn: ShownPage = { name: "console-sign-in", path: "/console" };

export function consolePages({
	tenantId,
	userId,
}: {
	tenantId: string;
	userId: string;
}): ShownPage[] {
	const tenant = `/console/tenants/${tenantId}`;
	const dialog = (name: string, path: string, button: string): ShownPage => ({
		name,
		path,
		isDialog: true,
		prepare: (page) => page.getByRole("button", { name: button, exact: true }).click(),
	});
	return [
		{ name: "console-overview", path: "/console" },
		{ name: "console-tenants", path: "/console/tenants" },
		{
			name: "console-tenants-selected",
			path: "/console/tenants",
			prepare: (page) => page.getByRole("checkbox", { name: "Select Zephyr" }).check(),
		},
		{ name: "console-tenants-past-the-end", path: "/console/tenants?page=9" },
		{
			name: "console-palette",
			path: tenant,
			isDialog: true,
			prepare: async (page) => {
				await page.keyboard.press("Control+k");
				await page.getByRole("combobox").fill("an");
				await page.waitForTimeout(600);
			},
		},
		{
			name: "console-switcher",
			path: tenant,
			isDialog: true,
			prepare: async (page) => {
				const menu = page.getByRole("button", { name: "Menu" });
				if (await menu.isVisible()) await menu.click();
				await page.getByRole("button", { name: /^Switch tenant/ }).click();
				await page.waitForTimeout(600);
			},
		},
		{ name: "console-find-user", path: "/console/users?q=ada" },
		{ name: "console-tenants-none", path: "/console/tenants?q=nobody" },
		{
			name: "console-new-tenant",
			path: "/console/tenants/new",
			prepare: async (page) => {
				await page.getByLabel("Name").fill("Zephyr");
				await page.getByText("“zephyr” is taken.").first().waitFor();
			},
		},
		{ name: "console-tenant", path: tenant },
		{ name: "console-providers", path: `${tenant}/providers` },
		dialog("console-set-up", `${tenant}/providers`, "Set up Microsoft"),
		dialog("console-test", `${tenant}/providers`, "Test Google"),
		{ name: "console-users", path: `${tenant}/users` },
		{
			name: "console-users-menu",
			path: `${tenant}/users`,
			isDialog: true,
			prepare: (page) =>
				page
					.getByRole("button", { name: /^Actions for/ })
					.first()
					.click(),
		},
		dialog("console-create-user", `${tenant}/users`, "Create user"),
		dialog("console-invite", `${tenant}/users`, "Invite"),
		{ name: "console-invitations", path: `${tenant}/users/invitations` },
		{
			name: "console-import",
			path: `${tenant}/users/import`,
			prepare: async (page) => {
				const lines = ['{"externalId":"1","email":"zoe@acme.example","name":"Zoë"}', "not json"];
				await page.getByLabel("File").setInputFiles({
					name: "users.ndjson",
					mimeType: "application/x-ndjson",
					buffer: Buffer.from(lines.join("\n")),
				});
				await page.getByText("2 of 2 lines").waitFor();
			},
		},
		{ name: "console-sign-ins", path: `${tenant}/sign-ins` },
		{ name: "console-policy", path: `${tenant}/policy` },
		{ name: "console-applications", path: `${tenant}/applications` },
		{ name: "console-new-application", path: `${tenant}/applications/new` },
		{
			name: "console-application",
			path: `${tenant}/applications`,
			prepare: async (page) => {
				await page.getByRole("link", { name: "Fleet dashboard" }).click();
				await page.getByText("app.mjs", { exact: true }).waitFor();
			},
		},
		{ name: "console-domains", path: `${tenant}/domains` },
		{ name: "console-saml", path: `${tenant}/saml`, prepare: connectSaml },
		{
			name: "console-saml-change",
			path: `${tenant}/saml`,
			isDialog: true,
			prepare: async (page) => {
				await connectSaml(page);
				await page.getByRole("button", { name: "Change", exact: true }).click();
				await page.getByLabel("What you have").selectOption("Metadata (XML)");
				await page.getByText("Attributes", { exact: true }).click();
				await page.getByLabel("Role of each group").fill("App Admins = admin\nEditors");
				await page.getByText("Each line", { exact: false }).first().waitFor();
			},
		},
		{
			name: "console-saml-test",
			path: `${tenant}/saml`,
			isDialog: true,
			prepare: async (page) => {
				await connectSaml(page);
				await page.route("**/tenant/saml/test", (route) => route.fulfill({ json: samlTest }));
				await page.getByRole("button", { name: "Test", exact: true }).click();
				await page.getByText("The sign-in URL responds").waitFor();
			},
		},
		{ name: "console-webhooks", path: `${tenant}/webhooks` },
		dialog("console-create-webhook", `${tenant}/webhooks`, "Create webhook"),
		dialog("console-impersonate", `${tenant}/users/${userId}`, "Impersonate"),
		{ name: "console-user", path: `${tenant}/users/${userId}` },
		{ name: "console-sessions", path: `${tenant}/sessions` },
		{ name: "console-tenant-audit", path: `${tenant}/audit` },
		{ name: "console-settings", path: `${tenant}/settings` },
		dialog("console-delete", `${tenant}/settings`, "Delete"),
		{ name: "console-audit", path: "/console/audit" },
		{ name: "console-service", path: "/console/service" },
		{ name: "console-outbox", path: "/console/outbox" },
		{ name: "console-not-found", path: "/console/nowhere" },
	];
}
