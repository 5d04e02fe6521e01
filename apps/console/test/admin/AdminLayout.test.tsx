// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, offline } from "../support/answers";
import type { Handlers } from "../support/fake-server";
import { ownerWithout, permissionsOf } from "../support/fixtures/admins";
import { acme } from "../support/fixtures/tenants";
import { openAdminPage } from "../support/open-admin-page";
import { describePageStates } from "../support/page-states";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../support/screen";
import { until } from "../support/time";
import { click } from "../support/user";

const REQUEST = "GET /tenant/get";

const USERS: Handlers = { "GET /tenant/user/list": list([]) };

const open = (handlers: Handlers = {}) => openAdminPage("/users", { ...USERS, ...handlers });

const linksOf = async () =>
	allByRole("link", undefined, await findByRole("navigation", "Administration")).map(textOf);

describePageStates("the frame of the pages for a tenant's administrators", {
	open,
	request: REQUEST,
	filled: { answer: json(acme), shows: ["Acme", "Webhooks", "ada@acme.example"] },
});

describe("the frame of the pages for a tenant's administrators, in use", () => {
	test("has a link to each page that an owner may see", async () => {
		await open();
		expect(await linksOf()).toEqual([
			"Overview",
			"Users",
			"Sessions",
			"Sign-ins",
			"Branding",
			"Policy",
			"Providers",
			"Applications",
			"Domains",
			"SAML",
			"Directory",
			"Webhooks",
			"Emails",
			"Audit log",
			"Settings",
		]);
	});

	test("has no link to a page that the role may not see", async () => {
		await open({
			"GET /tenant/permissions": json(ownerWithout("webhook:list", "audit:list")),
		});
		const links = await linksOf();
		expect(links).toContain("Users");
		expect(links).not.toContain("Webhooks");
		expect(links).not.toContain("Audit log");
	});

	test("knows the tenant of a role that may not read its settings", async () => {
		const server = await open({ "GET /tenant/permissions": json(ownerWithout("tenant:get")) });
		expect(await linksOf()).not.toContain("Settings");
		expect(textOf(document.body)).toContain("Acme");
		expect(server.sent(REQUEST)).toEqual([]);
	});

	test("moves to the new address after the slug has changed", async () => {
		await open({ [REQUEST]: json({ ...acme, slug: "acme-corp" }) });
		await until(() => location.pathname === "/t/acme-corp/admin/settings");
		expect(location.pathname).toBe("/t/acme-corp/admin/settings");
	});

	test("signs the administrator out", async () => {
		const server = await open({ "POST /sign-out": json({ success: true }) });
		await click("Sign out");
		await until(() => location.pathname === "/t/acme/sign-in");
		expect(location.pathname).toBe("/t/acme/sign-in");
		expect(server.sent("POST /sign-out")).toHaveLength(1);
	});

	test("says so if the administrator could not be signed out", async () => {
		await open({ "POST /sign-out": offline() });
		await click("Sign out");
		await findTexts("Could not reach the server.");
		expect(location.pathname).toBe("/t/acme/admin/users");
	});

	test("leads to the administrator's own account", async () => {
		await open();
		const link = await findByRole("link", "ada@acme.example");
		expect(link.getAttribute("href")).toBe("/t/acme/account");
	});

	test("says that a page does not exist, and leads to the first one", async () => {
		await openAdminPage("/nothing", {
			"GET /tenant/permissions": json(permissionsOf("admin")),
		});
		await findTexts("This page does not exist");
		expect(byRole("link", "Go to the overview").getAttribute("href")).toBe("/t/acme/admin");
	});
});
