import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { notEmpty, possiblyEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { chooseKey, keyField } from "./console-driver";
import { fillSignIn, password, waitForAccount } from "./end-user";
import { type PagesServer, usePages } from "./running-pages";
import { asManager } from "./running-service";

/** What a button, or an item of a menu, does. */
type Shown = Record<string, string>;

type CheckedPage = {
	path: string;
	/** What somebody must be allowed to do to see the page. */
	action: string;
	/** The page has loaded when it shows this. */
	ready: string | RegExp;
	buttons: Shown;
	/** The name of a menu on the page, and its items. */
	menu?: { button: string | RegExp; items: Shown };
};

type Shared = { userId: string; clientId: string };

const pagesOf = ({ userId, clientId }: Shared): CheckedPage[] => [
	{
		path: "/users",
		action: "user:list",
		ready: "bob@example.com",
		buttons: { "Create user": "user:create", Invite: "invitation:create" },
		menu: {
			button: "Actions for bob@example.com",
			items: {
				Open: "user:get",
				Edit: "user:update",
				"Send password reset": "user:send-password-reset",
				Disable: "user:disable",
			},
		},
	},
	{
		path: `/users/${userId}`,
		action: "user:get",
		ready: "Sign-in methods",
		buttons: {
			Edit: "user:update",
			"Send email": "user:send-password-reset",
			Impersonate: "user:impersonate",
			"Sign out": "user:revoke-sessions",
			Disable: "user:disable",
			Delete: "user:delete",
			"Revoke the session of bob@example.com on Node.js": "session:revoke",
		},
	},
	{
		path: "/users/invitations",
		action: "invitation:list",
		ready: "carol@example.com",
		buttons: { Invite: "invitation:create" },
		menu: {
			button: "Actions for carol@example.com",
			items: { "Send again": "invitation:resend", Revoke: "invitation:revoke" },
		},
	},
	{
		path: "/users/import",
		action: "user:import",
		ready: "one user per line",
		buttons: {},
	},
	{
		path: "/sessions",
		action: "session:list",
		ready: "bob@example.com",
		buttons: { "Revoke the session of bob@example.com on Node.js": "session:revoke" },
	},
	{ path: "/sign-ins", action: "sign-in:list", ready: "Signed in", buttons: {} },
	{
		path: "/policy",
		action: "policy:get",
		ready: "Who may sign up",
		buttons: { "Save policy": "policy:update" },
	},
	{
		path: "/providers",
		action: "oauth-config:effective",
		ready: /GitHub/,
		buttons: {
			"Replace credentials for GitHub": "oauth-config:register",
			"Delete the credentials for GitHub": "oauth-config:delete",
			"Test GitHub": "connection:test",
			"Set up Google": "oauth-config:register",
		},
	},
	{
		path: "/domains",
		action: "domain:list",
		ready: "shown.example",
		buttons: {
			"Add domain": "domain:add",
			"Check now for shown.example": "domain:verify",
			"Remove shown.example": "domain:remove",
		},
	},
	{
		path: "/webhooks",
		action: "webhook:list",
		ready: "https://hooks.example.com/",
		buttons: { "Create webhook": "webhook:create", Test: "webhook:test" },
		menu: {
			button: "Actions for https://hooks.example.com/",
			items: {
				Edit: "webhook:update",
				"Rotate secret": "webhook:rotate-secret",
				Disable: "webhook:update",
				Delete: "webhook:delete",
			},
		},
	},
	{
		path: `/applications/${clientId}/settings`,
		action: "application:get",
		ready: "Sample app",
		buttons: {
			"Save application": "application:update",
			"Rotate secret": "application:rotate-secret",
			Disable: "application:update",
			Delete: "application:delete",
		},
	},
	{
		path: "/branding",
		action: "tenant:update",
		ready: "Tagline",
		buttons: { "Save branding": "tenant:update" },
	},
	{ path: "/audit", action: "audit:list", ready: "User created", buttons: {} },
	{
		path: "/settings",
		action: "tenant:get",
		ready: "Name and slug",
		buttons: {
			"Save name and slug": "tenant:update",
			Export: "tenant:export",
			Suspend: "tenant:suspend",
			Delete: "tenant:delete",
		},
	},
];

const ROLES = {
	// What the operators' support may do, but not for all tenants.
	helpdesk: ["user:list", "user:get", "user:disable", "session:list", "session:revoke"],
	// It reads everything.
	reader: [
		"tenant:get",
		"user:list",
		"user:get",
		"invitation:list",
		"session:list",
		"sign-in:list",
		"policy:get",
		"oauth-config:list",
		"oauth-config:effective",
		"domain:list",
		"webhook:list",
		"webhook:list-deliveries",
		"audit:list",
	],
};

/** A tenant that has one of everything. */
async function makeTenant(server: PagesServer) {
	const { id: tenantId, slug } = await server.newTenant("Shown");
	const bob = await server.signUp({ id: tenantId, slug }, "bob@example.com", password);
	await server.manage("/invitation/create", {
		tenantId,
		email: "carol@example.com",
		role: "member",
	});
	const github = { providerId: "github", clientId: "id", clientSecret: "secret" };
	await server.manage("/oauth-config/register", { tenantId, ...github });
	await server.manage("/domain/add", { tenantId, host: "shown.example", purpose: "email" });
	const url = "https://hooks.example.com/";
	await server.manage("/webhook/create", { tenantId, url, eventTypes: ["*"] });
	const { clientId } = await server.manage<{ clientId: string }>("/application/create", {
		tenantId,
		name: "Sample app",
		type: "web",
		redirectUris: ["https://app.example.com/callback"],
	});
	for (const role of ["owner", "admin", ...Object.keys(ROLES)]) {
		const email = `${role}@example.com`;
		await server.manage("/user/create", { tenantId, name: role, email, password, role });
	}
	return { tenantId, slug, userId: bob.user.id, clientId };
}

/** Compares everything on the tenant's pages with what the server says that the caller may do. */
async function expectOnlyAllowed(page: Page, home: string, shared: Shared, actions: string[]) {
	const main = page.getByRole("main");
	for (const { path, action, ready, buttons, menu } of notEmpty(pagesOf(shared))) {
		await page.goto(`${home}${path}`);
		if (!actions.includes(action)) {
			await page.getByText("You may not see this page").waitFor();
			continue;
		}
		// An option of a filter is not visible.
		await main.getByText(ready).and(page.locator(":not(option)")).first().waitFor();
		for (const [name, needed] of possiblyEmpty(Object.entries(buttons))) {
			const button = main.getByRole("button", { name, exact: true });
			await expect
				.poll(async () => [path, name, (await button.count()) > 0])
				.toEqual([path, name, actions.includes(needed)]);
		}
		if (!menu) continue;
		const allowed = Object.entries(menu.items).filter(([, needed]) => actions.includes(needed));
		const button = main.getByRole("button", { name: menu.button, exact: true });
		await expect
			.poll(async () => [path, await button.count()])
			.toEqual([path, allowed.length > 0 ? 1 : 0]);
		if (allowed.length === 0) continue;
		await button.click();
		await expect
			.poll(async () => [path, await page.getByRole("menuitem").allInnerTexts()])
			.toEqual([path, allowed.map(([name]) => name)]);
	}
}

describe.skipIf(!services.browser)("everybody sees only what they may do", () => {
	const open = useChromium();
	const start = usePages({ TENANT_ROLES: JSON.stringify(ROLES) });
	let tenant: ReturnType<typeof makeTenant> | undefined;
	const sharedTenant = (server: PagesServer) => {
		tenant ??= makeTenant(server);
		return tenant;
	};

	test.each(["operator", "auditor", "support"])("in the console: %s", async (role) => {
		const server = await start();
		const { tenantId, ...shared } = await sharedTenant(server);
		const created = { name: role, scopes: [role] };
		const { key } = await server.call<{ key: string }>(
			"/api/auth/operator/key/create",
			asManager,
			created,
		);
		const { page, problems } = await open(server.baseUrl);
		await page.goto("/console");
		await chooseKey(page);
		await keyField(page).fill(key);
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("button", { name: "Sign out" }).first().waitFor();
		const { actions } = await server.call<{ actions: string[] }>("/api/auth/operator/me", {
			authorization: `Bearer ${key}`,
		});
		await expectOnlyAllowed(page, `/console/tenants/${tenantId}`, shared, actions);
		expect(problems).toEqual([]);
	});

	test.each(["owner", "admin", ...Object.keys(ROLES)])(
		"on the pages of a tenant's administrators: %s",
		async (role) => {
			const server = await start();
			const { slug, ...shared } = await sharedTenant(server);
			const { page, problems } = await open(server.baseUrl);
			await page.goto(`/t/${slug}/sign-in`);
			await fillSignIn(page, `${role}@example.com`);
			await waitForAccount(page);
			const actions = await page.evaluate(async () => {
				const response = await fetch("/api/auth/tenant/permissions");
				return ((await response.json()) as { actions: string[] }).actions;
			});
			expect(actions.length).toBeGreaterThan(0);
			await expectOnlyAllowed(page, `/t/${slug}/admin`, shared, actions);
			expect(problems).toEqual([]);
		},
	);
});
