// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { FakeServer, Handlers } from "../../support/fake-server";
import { pendingInvitation } from "../../support/fixtures/tenant-invitations";
import { acme } from "../../support/fixtures/tenants";
import { describeFormStates } from "../../support/form-states";
import { openConsole } from "../../support/open-console";
import { allByText, byRole, findByRole, findTexts } from "../../support/screen";
import { choose, click, type } from "../../support/user";

const REQUEST = "POST /tenant/invitation/create";
const DIALOG = "Invite somebody";
const URL = "http://localhost:3000/t/acme/invitation?token=secret";

async function open(handlers: Handlers = {}): Promise<FakeServer> {
	const server = await openConsole(`/tenants/${acme.id}/users`, {
		"GET /tenant/user/list": list([]),
		...handlers,
	});
	await click("Invite");
	await findByRole("dialog", DIALOG);
	return server;
}

describeFormStates("the dialog for an invitation", {
	open,
	request: REQUEST,
	fill: () => type("Email", "grace@acme.example"),
	submit: "Send invitation",
	valid: {
		answer: json(pendingInvitation),
		sends: {
			tenantId: acme.id,
			email: "grace@acme.example",
			role: "member",
			expiresIn: 7 * 24 * 60 * 60,
			callbackURL: "/t/acme/invitation",
		},
		shows: ["Invitation sent to grace@acme.example."],
	},
	invalid: {
		"an empty email": { change: () => type("Email", ""), field: "Email" },
		"an email without a domain": { change: () => type("Email", "grace"), field: "Email" },
	},
	conflict: {
		"a user who exists already": {
			answer: refuse(409, "USER_ALREADY_EXISTS", "User already exists."),
			shows: ["User already exists."],
		},
	},
	keeps: { Email: "grace@acme.example" },
});

describe("the dialog for an invitation, in use", () => {
	test("sends the role and the time that the user chose", async () => {
		const server = await open({ [REQUEST]: json(pendingInvitation) });
		const dialog = byRole("dialog", DIALOG);
		await type("Email", "grace@acme.example");
		await choose("Role", "Admin", dialog);
		await choose("Valid for", "1 day", dialog);
		await click("Send invitation");
		await findTexts("Invitation sent to");
		expect(server.sent(REQUEST)).toMatchObject([{ body: { role: "admin", expiresIn: 86_400 } }]);
	});

	test("shows the link once if the service sends no email", async () => {
		await open({ [REQUEST]: json({ ...pendingInvitation, url: URL }) });
		await type("Email", "grace@acme.example");
		await click("Send invitation");
		await findTexts("Send this link to grace@acme.example yourself.", "shown only once", URL);
		await click("Done");
		expect(allByText(URL)).toEqual([]);
		await click("Invite");
		await findByRole("dialog", DIALOG);
		expect(allByText(URL)).toEqual([]);
	});
});
