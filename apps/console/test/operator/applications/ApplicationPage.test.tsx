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
	reasonOf,
	textOf,
} from "../../support/screen";
import { choose, click, type } from "../../support/user";

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
			backchannelLogoutUri: null,
			backchannelLogoutSessionRequired: true,
			allowedOrigins: [],
			scopes: ["openid", "profile", "email"],
			firstParty: false,
			requirePkce: true,
			deviceFlow: false,
			dpop: false,
			offlineAccess: false,
			refreshDays: null,
			accessTokenMinutes: null,
			idTokenMinutes: null,
			claimsInIdToken: true,
			jwks: null,
			jwksUri: null,
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
		expect(reasonOf(byRole("button", "Save application"))).toBe(
			"Complete and correct the fields first.",
		);
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

	test("tells the app when a session has ended, and not which one", async () => {
		const server = await openSettings({ [UPDATE]: json(shop) });
		const label = "Back-channel logout URI";
		expect((await findByLabel(label)).value).toBe("");
		expect(allByRole("switch", "Say which session has ended")).toEqual([]);
		await type(label, "https://shop.example/logout#part");
		await findTexts("must not have a fragment (#).");
		expect(reasonOf(byRole("button", "Save application"))).toBe(
			"Complete and correct the fields first.",
		);
		await type(label, "https://shop.example/logout");
		await click(await findByRole("switch", "Say which session has ended"));
		await click("Save application");
		await findTexts("Application saved.");
		expect(server.sent(UPDATE)).toMatchObject([
			{
				body: {
					backchannelLogoutUri: "https://shop.example/logout",
					backchannelLogoutSessionRequired: false,
				},
			},
		]);
	});

	test("sends the app no more logout tokens", async () => {
		const told = { ...shop, backchannelLogoutUri: "https://shop.example/logout" };
		const server = await openSettings({ [GET]: json(told), [UPDATE]: json(shop) });
		await type("Back-channel logout URI", "");
		await click("Save application");
		await findTexts("Application saved.");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { backchannelLogoutUri: null } }]);
	});

	test("replaces the secret with keys, and with the URL of keys", async () => {
		const server = await openSettings({ [UPDATE]: json(shop) });
		const save = () => reasonOf(byRole("button", "Save application"));
		const method = "The app authenticates with";
		await findByLabel(method);
		await choose(method, "Public keys");
		await findTexts("Enter the keys first.");
		await type("Public keys", "secret");
		await findTexts("This is not JSON such as");
		expect(save()).toBe("Complete and correct the fields first.");
		const keys = [{ kty: "EC", crv: "P-256", x: "x", y: "y" }];
		await type("Public keys", JSON.stringify({ keys }));
		await click("Save application");
		await findTexts("Application saved.");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { jwks: { keys }, jwksUri: null } }]);
	});

	test("has the URL of keys, and offers no new secret then", async () => {
		const jwksUri = "https://shop.example/jwks";
		const server = await openSettings({
			[GET]: json({ ...shop, jwksUri }),
			[UPDATE]: json({ ...shop, jwksUri }),
		});
		const label = "URL of the public keys";
		expect((await findByLabel(label)).value).toBe(jwksUri);
		expect(allByRole("button", "Rotate secret")).toEqual([]);
		await type(label, "");
		await findTexts("Enter the URL of the keys first.");
		await type(label, "shop.example");
		await findTexts("is not a URL such as");
		await type(label, "https://shop.example/other");
		await click("Save application");
		await findTexts("Application saved.");
		expect(server.sent(UPDATE)).toMatchObject([
			{ body: { jwks: null, jwksUri: "https://shop.example/other" } },
		]);
	});

	test("has one own claim per line, and says which line is not one", async () => {
		const claims = { department: "user.metadata.department" };
		const server = await openSettings({ [GET]: json({ ...shop, claims }), [UPDATE]: json(shop) });
		expect((await findByLabel("Own claims")).value).toBe("department = user.metadata.department");
		await type("Own claims", "plan");
		await findTexts("“plan” needs a name and a source");
		expect(reasonOf(byRole("button", "Save application"))).toBe(
			"Complete and correct the fields first.",
		);
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
