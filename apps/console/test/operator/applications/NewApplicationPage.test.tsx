// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { portal, shop } from "../../support/fixtures/applications";
import { operatorWithout } from "../../support/fixtures/operators";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import {
	allByRole,
	byLabel,
	findByLabel,
	findByRole,
	findTexts,
	textOf,
} from "../../support/screen";
import { click, type } from "../../support/user";

const CREATE = "POST /tenant/application/create";
const HOME = "/tenants/tenant-acme/applications";

const open = (handlers: Handlers = {}) =>
	openConsole(`${HOME}/new`, { "GET /tenant/application/get": json(shop), ...handlers });

async function fill(): Promise<void> {
	await type("Name", "Shop");
	await type("Redirect URIs", "https://shop.example/callback");
}

describeFormStates("the form for a new application", {
	open,
	request: CREATE,
	fill,
	submit: "Create application",
	valid: {
		answer: json({ ...shop, clientSecret: "the-secret" }),
		sends: {
			tenantId: "tenant-acme",
			type: "web",
			name: "Shop",
			logoUrl: null,
			redirectUris: ["https://shop.example/callback"],
			postLogoutRedirectUris: [],
			backchannelLogoutUri: null,
			backchannelLogoutSessionRequired: true,
			allowedOrigins: [],
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
		shows: ["Application created", "client-shop", "the-secret", "is shown only once."],
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"no redirect URI": { change: () => type("Redirect URIs", ""), field: "Redirect URIs" },
		"a redirect URI that is not a URL": {
			change: () => type("Redirect URIs", "shop"),
			shows: ["“shop” is not a URL."],
		},
	},
	conflict: {
		"one application too many": {
			answer: refuse(409, "TOO_MANY_APPLICATIONS", "The tenant has too many applications"),
			shows: ["The tenant has too many applications"],
		},
	},
	keeps: { Name: "Shop", "Redirect URIs": "https://shop.example/callback" },
});

describe("the form for a new application, in use", () => {
	test("opens the application after the user has seen the secret, which is gone then", async () => {
		await open({ [CREATE]: json({ ...shop, clientSecret: "the-secret" }) });
		await fill();
		await click("Create application");
		await findTexts("the-secret");
		await click("Done");
		await findByRole("heading", "Values");
		expect(location.pathname).toBe(`/console${HOME}/client-shop`);
		expect(textOf(document.body)).not.toContain("the-secret");
	});

	test("opens an application without a secret at once", async () => {
		const spa = { ...shop, type: "spa" } as const;
		const server = await open({
			[CREATE]: json({ ...spa, clientSecret: null }),
			"GET /tenant/application/get": json(spa),
		});
		await click(await findByLabel(/^Single-page app/));
		await fill();
		expect(byLabel("Allowed origins").value).toBe("https://shop.example");
		await click("Create application");
		await findTexts("Application created.", "client-shop");
		expect(server.sent(CREATE)).toMatchObject([
			{ body: { type: "spa", allowedOrigins: ["https://shop.example"] } },
		]);
		expect(location.pathname).toBe(`/console${HOME}/client-shop`);
	});

	test("says next to the button what is missing", async () => {
		await open({});
		const button = await findByRole("button", "Create application");
		const reason = () =>
			document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;
		expect(reason()).toBe("Enter a name and a redirect URI first.");
		await type("Name", "Shop");
		expect(reason()).toBe("Enter a redirect URI first.");
		await type("Redirect URIs", "not a URL");
		expect(reason()).toBe("Complete and correct the fields first.");
		await type("Redirect URIs", "https://shop.example/callback");
		expect(button.getAttribute("aria-describedby")).toBeNull();
	});

	test("asks a program without users for no URLs", async () => {
		const server = await open({
			[CREATE]: json({ ...shop, type: "machine", clientSecret: "the-secret" }),
		});
		await click(await findByLabel(/^Program without users/));
		await type("Name", "Nightly job");
		expect(allByRole("textbox")).toEqual([byLabel("Name"), byLabel("Own claims")]);
		await findTexts("Paths start with tenant.metadata.");
		await click("Create application");
		await findTexts("the-secret");
		expect(server.sent(CREATE)).toMatchObject([{ body: { type: "machine", redirectUris: [] } }]);
	});

	test("creates an application of all tenants at the service", async () => {
		const server = await openConsole("/applications/new", {
			"POST /operator/application/create": json({ ...portal, clientSecret: "the-secret" }),
		});
		await type("Name", "Portal");
		await type("Redirect URIs", "https://{tenant}.example.com/callback");
		await click("Create application");
		await findTexts("client-portal", "the-secret");
		expect(server.sent("POST /operator/application/create")).toMatchObject([
			{ body: { redirectUris: ["https://{tenant}.example.com/callback"] } },
		]);
	});

	test("is not there for an operator who may not create one", async () => {
		await open({ "GET /operator/me": json(operatorWithout("application:create")) });
		await findTexts("You may not see this page", "application:create");
		expect(allByRole("button", "Create application")).toEqual([]);
	});
});
