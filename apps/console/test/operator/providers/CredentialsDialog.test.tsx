// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { discord, github, githubConfig } from "../../support/fixtures/oauth-providers";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByRole, findTexts } from "../../support/screen";
import { click, type } from "../../support/user";

const EFFECTIVE = "GET /tenant/oauth-config/effective";
const LIST = "GET /tenant/oauth-config/list";
const REGISTER = "POST /tenant/oauth-config/register";
const UPDATE = "POST /tenant/oauth-config/update";

const openDialog =
	(button: string, title: string) =>
	async (handlers: Handlers = {}): Promise<FakeServer> => {
		const server = await openConsole(`/tenants/${acme.id}/providers`, {
			[EFFECTIVE]: json([discord, github]),
			[LIST]: json([githubConfig]),
			...handlers,
		});
		await findTexts("Client ID client-1");
		await click(button);
		await findByRole("dialog", title);
		return server;
	};

const openNew = openDialog("Set up Discord", "Set up Discord");
const openStored = openDialog(
	"Replace credentials for GitHub",
	"Replace the credentials for GitHub",
);

async function fill(): Promise<void> {
	await type("Client ID", "client-2");
	await type("Client secret", "secret-2");
}

describeFormStates("the dialog for the credentials of a new provider", {
	open: openNew,
	request: REGISTER,
	fill,
	submit: "Save credentials",
	valid: {
		answer: json({ ...githubConfig, providerId: "discord" }),
		sends: {
			tenantId: acme.id,
			providerId: "discord",
			clientId: ["client-2"],
			clientSecret: "secret-2",
			scopes: [],
			options: {},
			enabled: true,
		},
		shows: ["The credentials for Discord were saved."],
	},
	invalid: {
		"an empty client ID": { change: () => type("Client ID", ""), field: "Client ID" },
		"an empty client secret": { change: () => type("Client secret", ""), field: "Client secret" },
		"a redirect URI that is not a URL": {
			change: () => type("Redirect URI", "callback"),
			field: "Redirect URI",
		},
	},
	conflict: {
		"a setting that is not valid": {
			answer: refuse(400, "INVALID_PROVIDER_OPTIONS", "permissions is not valid"),
			shows: ["permissions is not valid"],
		},
	},
	keeps: { "Client ID": "client-2", "Client secret": "secret-2" },
});

describe("the dialog for credentials, in use", () => {
	test("shows what is stored, but not the secret, and keeps the secret", async () => {
		const server = await openStored({ [UPDATE]: json(githubConfig) });
		expect(byLabel("Client ID").value).toBe("client-1");
		expect(byLabel("Client secret").value).toBe("");
		await type("Additional scopes", "repo gist");
		await click("Save credentials");
		await findTexts("The credentials for GitHub were saved.");
		expect(server.sent(UPDATE).map(({ body }) => body)).toEqual([
			{
				tenantId: acme.id,
				providerId: "github",
				clientId: ["client-1"],
				scopes: ["repo", "gist"],
				options: {},
				enabled: true,
				redirectURI: null,
			},
		]);
	});

	test("replaces the whole client if there is a new secret", async () => {
		const server = await openStored({ [REGISTER]: json(githubConfig) });
		await type("Client secret", "secret-2");
		await click("Save credentials");
		await findTexts("The credentials for GitHub were saved.");
		expect(server.sent(REGISTER)).toMatchObject([
			{ body: { clientId: ["client-1"], clientSecret: "secret-2", scopes: ["repo"] } },
		]);
	});

	test("offers a test as the next step", async () => {
		const server = await openNew({ [REGISTER]: json(githubConfig) });
		await fill();
		server.answer({ [EFFECTIVE]: json([{ ...discord, source: "tenant", config: "own" }]) });
		await click("Save credentials");
		await findTexts("Saved. Find out whether Discord accepts it.");
		expect(document.activeElement).toBe(byRole("button", "Test now"));
	});

	test("explains what to do at the provider, with the callback URL", async () => {
		await openNew();
		await findTexts("How to set up Discord", discord.callbackURL);
		expect(byRole("button", "Copy Callback URL", byRole("dialog", "Set up Discord"))).toBeTruthy();
	});

	test("forgets what was typed when the user cancels", async () => {
		await openNew();
		await fill();
		await click("Cancel");
		expect(allByRole("dialog", "Set up Discord")).toEqual([]);
		await click("Set up Discord");
		await findByRole("dialog", "Set up Discord");
		expect(byLabel("Client secret").value).toBe("");
	});
});
