// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { dashboard, portal, shop } from "../../support/fixtures/applications";
import { operatorWithout } from "../../support/fixtures/operators";
import { serviceInfo } from "../../support/fixtures/service";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import {
	allByRole,
	byLabel,
	byRole,
	findByLabel,
	findByRole,
	findTexts,
	isBusy,
	textOf,
} from "../../support/screen";
import { click, type } from "../../support/user";

const GET = "GET /tenant/application/get";
const UPDATE = "POST /tenant/application/update";
const HOME = "/tenants/tenant-acme/applications";

const openSettings = (handlers: Handlers = {}) =>
	openConsole(`${HOME}/client-shop/settings`, { [GET]: json(shop), ...handlers });

describePageStates("the page of an application of a tenant", {
	open: (handlers) => openConsole(`${HOME}/client-shop`, handlers),
	request: GET,
	filled: {
		answer: json(shop),
		shows: ["Shop", "client-shop", "http://localhost:3000/t/acme", "Web app"],
	},
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("application:get")) },
		shows: ["You may not see this page", "application:get"],
	},
});

describePageStates("the page of an application of all tenants", {
	open: (handlers) => openConsole("/applications/client-portal", handlers),
	request: "GET /operator/application/get",
	filled: {
		answer: json(portal),
		shows: ["Portal", "client-portal", "http://localhost:3000/t/{tenant}"],
	},
});

describeFormStates("the settings of an application", {
	open: openSettings,
	request: UPDATE,
	fill: async () => {
		await type("Name", "Web shop");
		await type("Redirect URIs", "https://shop.example/callback\nhttps://shop.example/other");
	},
	submit: "Save application",
	valid: {
		answer: json({ ...shop, name: "Web shop" }),
		sends: {
			tenantId: "tenant-acme",
			clientId: "client-shop",
			name: "Web shop",
			logoUrl: null,
			redirectUris: ["https://shop.example/callback", "https://shop.example/other"],
			postLogoutRedirectUris: [],
			allowedOrigins: [],
			scopes: ["openid", "profile", "email"],
			firstParty: false,
			requirePkce: true,
			offlineAccess: false,
			refreshDays: null,
			claimsInIdToken: true,
			claims: {},
		},
		shows: ["Application saved.", "Web shop"],
		handlers: { [GET]: json({ ...shop, name: "Web shop" }) },
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"a redirect URI without TLS": {
			change: () => type("Redirect URIs", "http://shop.example/callback"),
			shows: ["“http://shop.example/callback” must start with https://."],
		},
		"a logo without TLS": {
			change: () => type("Logo URL", "http://shop.example/logo.png"),
			shows: ["Use an https URL."],
		},
	},
	conflict: {
		"a redirect URI": {
			answer: refuse(400, "INVALID_REDIRECT_URI", "This redirect URI is not allowed"),
			shows: ["This redirect URI is not allowed"],
		},
	},
	keeps: { Name: "Web shop" },
});

describe("the page of an application, in use", () => {
	test("says at the scopes that at least one is needed", async () => {
		await openSettings({ [GET]: json({ ...shop, scopes: ["openid"] }) });
		await click(await findByLabel("openid: sign users in"));
		await findTexts("Choose at least one scope.");
		expect(byRole<HTMLButtonElement>("button", "Save application").disabled).toBe(true);
	});

	test("leaves the name and the email out of the ID token", async () => {
		const changed = { ...shop, claimsInIdToken: false };
		const server = await openSettings({ [UPDATE]: json(changed) });
		await click(await findByRole("switch", "Put the name and the email into the ID token"));
		await click("Save application");
		await findTexts("Application saved.");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { claimsInIdToken: false } }]);
	});

	test("ends refresh tokens after some days, or when the service does", async () => {
		const server = await openSettings({
			[GET]: json({ ...shop, refreshDays: 7 }),
			[UPDATE]: json(shop),
		});
		const label = "Days until the user has to sign in again";
		expect((await findByLabel(label)).value).toBe("7");
		await type(label, "0");
		expect(byLabel(label).checkValidity()).toBe(false);
		await type(label, "");
		await click("Save application");
		await findTexts("Application saved.");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { refreshDays: null } }]);
	});

	test("has one own claim per line, and says which line is not one", async () => {
		const claims = { department: "user.metadata.department" };
		const server = await openSettings({ [GET]: json({ ...shop, claims }), [UPDATE]: json(shop) });
		expect((await findByLabel("Own claims")).value).toBe("department = user.metadata.department");
		await type("Own claims", "plan");
		await findTexts("“plan” needs a name and a source");
		expect(byRole<HTMLButtonElement>("button", "Save application").disabled).toBe(true);
		await type("Own claims", "plan=tenant.metadata.plan\nhttps://a.example/?x=1 = tenant.slug");
		await click("Save application");
		await findTexts("Application saved.");
		expect(server.sent(UPDATE)).toMatchObject([
			{
				body: { claims: { plan: "tenant.metadata.plan", "https://a.example/?x=1": "tenant.slug" } },
			},
		]);
	});

	test("goes back to what is stored when the user discards the changes", async () => {
		await openSettings();
		await type("Name", "Web shop");
		await click("Discard changes");
		expect(byLabel("Name").value).toBe("Shop");
	});

	test("says why it does not know the issuer, and asks again when the user wants it", async () => {
		const info = "GET /service/info";
		const server = await openConsole(`${HOME}/client-shop`, {
			[GET]: json(shop),
			[info]: refuse(503, "STORAGE_UNAVAILABLE", "The database is not available"),
		});
		const alert = await findByRole("alert");
		expect(textOf(alert)).toContain("The database is not available");
		expect(isBusy()).toBe(false);
		server.answer({ [info]: json(serviceInfo) });
		await click(byRole("button", "Try again", alert));
		await findTexts("http://localhost:3000/t/acme/.well-known/openid-configuration");
	});

	test("says that a disabled application is refused", async () => {
		await openConsole("/applications/client-dashboard", {
			"GET /operator/application/get": json(dashboard),
		});
		await findTexts("Dashboard", "This application is disabled.");
		expect(byRole("link", "Settings")).toBeTruthy();
	});

	test("shows an application of all tenants in a tenant, and offers no settings for it", async () => {
		await openConsole(`${HOME}/client-portal/settings`, { [GET]: json(portal) });
		await findTexts("This application works for all tenants.");
		expect(await findByRole("heading", "Code")).toBeTruthy();
		expect(allByRole("navigation", "Application")).toEqual([]);
		expect(allByRole("button", "Save application")).toEqual([]);
	});
});
