// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { adasAccount, sessionEnded } from "../../support/fixtures/adas-account";
import { adasSession } from "../../support/fixtures/sessions";
import { describeFormStates } from "../../support/form-states";
import { openTenantPage } from "../../support/open-tenant-page";
import {
	allByRole,
	byRole,
	findByLabel,
	findByRole,
	findTexts,
	reasonOf,
} from "../../support/screen";
import { click, type } from "../../support/user";

const open = (handlers: Handlers) => openTenantPage("/account", { ...adasAccount, ...handlers });

const withUser = (user: Partial<typeof adasSession.user>): Handlers => ({
	"GET /get-session": json({ ...adasSession, user: { ...adasSession.user, ...user } }),
});

describeFormStates("the form for the user's name", {
	open,
	request: "POST /update-user",
	fill: () => type("Name", " Ada Lovelace "),
	submit: "Save",
	valid: {
		answer: json({ status: true }),
		sends: { name: "Ada Lovelace" },
		shows: ["Name saved."],
	},
	invalid: {
		"an empty name": { change: () => type("Name", ""), field: "Name" },
		"a name of spaces": { change: () => type("Name", "   "), field: "Name" },
	},
	conflict: {
		"a name that it does not accept": {
			answer: refuse(400, "INVALID_NAME", "The name is not valid"),
			shows: ["The name is not valid"],
		},
	},
	keeps: { Name: " Ada Lovelace " },
	expired: sessionEnded,
});

const CHANGE_EMAIL = "POST /change-email";
const SEND = "POST /send-verification-email";

describeFormStates("the form for the user's email", {
	open,
	request: CHANGE_EMAIL,
	fill: () => type("Email", "ada@new.example"),
	submit: "Change email",
	valid: {
		answer: json({ status: true }),
		sends: { newEmail: "ada@new.example", callbackURL: "/t/acme/verify/changed" },
		shows: ["We sent a link to your current email."],
	},
	invalid: {
		"an empty email": { change: () => type("Email", ""), field: "Email" },
		"an email without a domain": { change: () => type("Email", "ada"), field: "Email" },
	},
	conflict: {
		"an email of another domain": {
			answer: refuse(403, "EMAIL_DOMAIN_NOT_ALLOWED", "Not allowed"),
			shows: ["Use the email of your organization."],
		},
	},
	keeps: { Email: "ada@new.example" },
	expired: sessionEnded,
});

describe("the user's email", () => {
	test("cannot be changed to itself", async () => {
		await open({});
		await findByLabel("Email");
		expect(reasonOf(byRole("button", "Change email"))).toBe("Nothing has changed.");
		expect(allByRole("button", "Verify email")).toEqual([]);
	});

	test("changes with one link if the current one is not verified", async () => {
		await open({
			...withUser({ emailVerified: false }),
			[CHANGE_EMAIL]: json({ status: true }),
		});
		await type("Email", "ada@new.example");
		await click("Change email");
		await findTexts("We sent a link to your new email.");
		expect(byRole("button", "Verify email")).toBeTruthy();
	});

	test("is verified with a link", async () => {
		const server = await open({
			...withUser({ emailVerified: false }),
			[SEND]: json({ status: true }),
		});
		await findTexts("Not verified");
		await click("Verify email");
		await findTexts("We sent you a link. Open it to verify your email.");
		expect(server.sent(SEND).map(({ body }) => body)).toEqual([
			{ email: "ada@acme.example", callbackURL: "/t/acme/verify/done" },
		]);
	});

	test("says so if the link could not be sent", async () => {
		await open({ ...withUser({ emailVerified: false }), [SEND]: refuse(429, "", "") });
		await click("Verify email");
		await findTexts("Too many attempts.");
		expect(byRole("button", "Verify email")).toBeTruthy();
	});
});

const DELETE = "POST /delete-user";
const CONFIRMATION = "Type your email “ada@acme.example” to confirm";

async function openDeletion(handlers: Handlers) {
	const server = await open(handlers);
	await click("Delete account");
	await findByRole("dialog", "Delete your account?");
	return server;
}

describeFormStates("the dialog that deletes the account", {
	open: openDeletion,
	request: DELETE,
	fill: () => type(CONFIRMATION, "ada@acme.example"),
	submit: "Send confirmation link",
	valid: {
		answer: json({ success: true }),
		sends: { callbackURL: "/t/acme/delete-account" },
		shows: ["We sent a link to ada@acme.example. Open it to delete your account."],
	},
	invalid: {
		"another email": {
			change: () => type(CONFIRMATION, "grace@acme.example"),
			shows: ["You cannot undo this."],
		},
	},
	conflict: {
		"the last owner": {
			answer: refuse(409, "LAST_OWNER", "Last owner"),
			shows: ["You are the last owner. Make somebody else an owner first."],
		},
	},
	keeps: { [CONFIRMATION]: "ada@acme.example" },
	expired: sessionEnded,
});

describe("the dialog that deletes the account, in use", () => {
	test("sends nothing if the user cancels", async () => {
		const server = await openDeletion({});
		await click("Cancel");
		expect(allByRole("dialog", "Delete your account?")).toEqual([]);
		expect(server.sent(DELETE)).toEqual([]);
	});
});
