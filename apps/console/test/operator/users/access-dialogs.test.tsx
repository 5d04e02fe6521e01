// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { serviceInfo } from "../../support/fixtures/service";
import { detailsOf, olivia } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { click, type } from "../../support/user";

const IMPERSONATE = "POST /tenant/user/impersonate";
const LINK = "POST /tenant/user/sign-in-link";
const USER: Handlers = { "GET /tenant/user/get": json(detailsOf(olivia)) };

const openDialog =
	(button: string) =>
	async (handlers: Handlers = {}): Promise<FakeServer> => {
		const path = `/tenants/${acme.id}/users/${olivia.id}`;
		const server = await openConsole(path, { ...USER, ...handlers });
		await click(button);
		return server;
	};

const openImpersonation = openDialog("Impersonate");
const openLink = openDialog("Create link");
const fill = () => type("Reason", "Ticket 42");
const invalid = { "an empty reason": { change: () => type("Reason", ""), field: "Reason" } };

describeFormStates("the dialog to impersonate a user", {
	open: openImpersonation,
	request: IMPERSONATE,
	fill,
	submit: "Impersonate",
	dialog: "Impersonate the user",
	valid: {
		answer: json({}),
		sends: { tenantId: acme.id, userId: olivia.id, reason: "Ticket 42", setCookie: true },
		shows: ["This browser is signed in as olivia@acme.example for an hour."],
	},
	invalid,
	conflict: {
		"a user who is disabled": {
			answer: refuse(403, "USER_DISABLED", "This user is disabled"),
			shows: ["This user is disabled"],
		},
	},
	keeps: { Reason: "Ticket 42" },
});

describeFormStates("the dialog for a sign-in link", {
	open: openLink,
	request: LINK,
	fill,
	submit: "Create link",
	dialog: "Create a sign-in link",
	valid: {
		answer: json({ url: "http://localhost:3000/link", expiresAt: "2026-11-17T13:00:00.000Z" }),
		sends: {
			tenantId: acme.id,
			userId: olivia.id,
			reason: "Ticket 42",
			callbackURL: "/t/acme/account",
		},
		shows: ["This link is shown only once.", "http://localhost:3000/link", "It works once, until"],
	},
	invalid,
	conflict: {
		"a user who is not an owner any more": {
			answer: refuse(
				409,
				"SIGN_IN_LINK_NOT_ALLOWED",
				"A sign-in link is only for an owner of the tenant who is not disabled",
			),
			shows: ["A sign-in link is only for an owner of the tenant who is not disabled"],
		},
	},
	keeps: { Reason: "Ticket 42" },
});

describe("the dialogs that give access", () => {
	test("do not show a sign-in link again", async () => {
		const url = "http://localhost:3000/link?token=secret";
		await openLink({ [LINK]: json({ url, expiresAt: "2026-11-17T13:00:00.000Z" }) });
		await fill();
		await click(byRole("button", "Create link", byRole("dialog", "Create a sign-in link")));
		await findTexts(url);
		await click("Done");
		await click("Create link");
		await findByRole("dialog", "Create a sign-in link");
		expect(textOf(document.body)).not.toContain(url);
	});

	test("lead to the account page of the user who is impersonated", async () => {
		await openImpersonation({ [IMPERSONATE]: json({}) });
		await fill();
		await click(byRole("button", "Impersonate", byRole("dialog", "Impersonate the user")));
		const link = await findByRole("link", "Open the account page");
		expect(link.getAttribute("href")).toBe("/t/acme/account");
		expect(link.getAttribute("target")).toBe("_blank");
	});

	test("explain to an operator that a tenant with its own host needs the API", async () => {
		await openImpersonation({
			"GET /service/info": json({ ...serviceInfo, tenantDomain: "tenants.example" }),
		});
		await findTexts("This tenant has a host of its own");
		const dialog = byRole("dialog", "Impersonate the user");
		expect(allByRole("button", "Impersonate", dialog)).toEqual([]);
	});

	test("warn the tenant's own people that impersonating ends their session", async () => {
		const owner = permissionsOf("owner");
		await openAdminPage(`/users/${olivia.id}`, {
			...USER,
			"GET /tenant/permissions": json({
				...owner,
				actions: [...owner.actions, "user:impersonate"],
			}),
		});
		await click("Impersonate");
		await findTexts("This ends your own session in this browser.");
		expect(byRole("dialog", "Impersonate the user")).toBeTruthy();
	});
});
