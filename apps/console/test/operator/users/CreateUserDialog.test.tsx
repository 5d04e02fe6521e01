// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { loginOptions } from "../../support/fixtures/login-options";
import { ada } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { allByRole, byLabel, byRole, findByRole, findTexts } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const CREATE = "POST /tenant/user/create";
const RESET = "POST /tenant/user/send-password-reset";
const DIALOG = "Create a user";

const HANDLERS: Handlers = {
	"GET /tenant/login-options": json(loginOptions),
	"GET /tenant/user/list": list([]),
	[CREATE]: json(ada),
	[RESET]: json({ success: true }),
};

async function open(handlers: Handlers = {}): Promise<FakeServer> {
	const server = await openConsole(`/tenants/${acme.id}/users`, { ...HANDLERS, ...handlers });
	await click("Create user");
	await findByRole("dialog", DIALOG);
	return server;
}

const dialog = () => byRole("dialog", DIALOG);
const send = () => click(byRole("button", "Create user", dialog()));

async function fill(): Promise<void> {
	await type("Name", " Ada ", dialog());
	await type("Email", "ada@acme.example", dialog());
}

describeFormStates("the dialog for a new user", {
	open,
	request: CREATE,
	fill,
	submit: "Create user",
	dialog: DIALOG,
	valid: {
		answer: json(ada),
		sends: {
			tenantId: acme.id,
			name: "Ada",
			email: "ada@acme.example",
			role: "member",
			emailVerified: false,
		},
		shows: ["User created."],
	},
	invalid: {
		"an empty name": { change: () => type("Name", "", dialog()), field: "Name" },
		"an email without a domain": {
			change: () => type("Email", "ada", dialog()),
			field: "Email",
		},
		"a password that is not set": {
			change: () => choose("Password", "Set one now", dialog()),
			field: "New password",
		},
	},
	conflict: {
		"an email that another user has": {
			answer: refuse(
				422,
				"USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
				"User already exists. Use another email.",
			),
			shows: ["User already exists. Use another email."],
		},
	},
	keeps: { Name: " Ada ", Email: "ada@acme.example" },
});

describe("the dialog for a new user, in use", () => {
	test("sends the email to choose a password to the new user", async () => {
		const server = await open();
		await fill();
		await send();
		await findTexts("User created.");
		expect(server.sent(RESET).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, userId: ada.id },
		]);
		expect(allByRole("dialog", DIALOG)).toEqual([]);
	});

	test("says that the user exists if only the email failed", async () => {
		await open({ [RESET]: refuse(500, "", "The mail server is down") });
		await fill();
		await send();
		await findTexts("User created, but no email sent: The mail server is down");
		expect(allByRole("dialog", DIALOG)).toEqual([]);
	});

	test("sends a password that is set now, and no email", async () => {
		const server = await open();
		await fill();
		await choose("Password", "Set one now", dialog());
		await type("New password", "correct horse", dialog());
		await send();
		await findTexts("User created.");
		expect(server.sent(CREATE)).toMatchObject([{ body: { password: "correct horse" } }]);
		expect(server.sent(RESET)).toEqual([]);
	});

	test("does not let the tenant's own people say that an email is verified", async () => {
		await openAdminPage("/users", HANDLERS);
		await click("Create user");
		await findByRole("dialog", DIALOG);
		expect(allByRole("checkbox", "The email is verified")).toEqual([]);
	});
});

describe("the password of a new user that an operator sets", () => {
	const openWithPassword = async (options: Handlers[string]) => {
		await open({ "GET /tenant/login-options": options });
		await fill();
		await choose("Password", "Set one now", dialog());
	};

	test("has a hint by the policy of the tenant", async () => {
		const password = { minLength: 14, maxLength: 128 };
		await openWithPassword(json({ ...loginOptions, password }));
		await findTexts("At least 14 characters.");
		await type("New password", "correct horse", dialog());
		await findTexts("Password strength: Too short");
		expect(byLabel("New password", dialog()).minLength).toBe(14);
	});

	test("can be set in a tenant that is suspended", async () => {
		await openWithPassword(refuse(403, "TENANT_SUSPENDED", "Suspended"));
		await type("New password", "ada@acme9", dialog());
		await findTexts("it has a name or an email in it");
		expect(byLabel("New password", dialog()).checkValidity()).toBe(true);
	});
});
