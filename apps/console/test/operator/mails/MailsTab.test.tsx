// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { builtInMail, mailPreview, ownMail } from "../../support/fixtures/mail-templates";
import { operatorWithout } from "../../support/fixtures/operators";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { byLabel, byRole, findByRole, findTexts } from "../../support/screen";
import { choose } from "../../support/user";

const LIST = "GET /tenant/mail-template/list";

const german = { ...builtInMail, language: "de" as const, subject: "E-Mail bestätigen" };
const invitation = { ...builtInMail, kind: "invitation" as const, subject: "Join us" };

const open = (handlers: Handlers, search = "") =>
	openConsole(`/tenants/${acme.id}/emails${search}`, {
		[LIST]: json([ownMail, german, invitation]),
		"POST /tenant/mail-template/preview": json(mailPreview),
		...handlers,
	});

describePageStates("the emails of a tenant", {
	open,
	request: LIST,
	filled: { answer: json([builtInMail]), shows: ["This is the built-in text.", "Save text"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("mail-template:list")) },
		shows: ["You may not see this page", "mail-template:list"],
	},
});

describe("the emails of a tenant, in use", () => {
	test("show another email and another language, which the URL keeps", async () => {
		await open({});
		await findTexts("English (changed)");
		await choose("Language", "German");
		expect(byLabel("Subject").value).toBe("E-Mail bestätigen");
		await choose("Language", "English (changed)");
		await choose("Email", "Invitation");
		expect(byLabel("Subject").value).toBe("Join us");
		expect(location.search).toBe("?mail=invitation&language=en");
	});

	test("open at the email of the URL", async () => {
		await open({}, "?mail=invitation&language=en");
		await findByRole("heading", "Invitation");
		expect(byLabel("Subject").value).toBe("Join us");
	});

	test("open at the first email if the URL names one that does not exist", async () => {
		await open({}, "?mail=nothing&language=xx");
		await findByRole("heading", "Verify the email");
		expect(byLabel("Subject").value).toBe("Is this you?");
	});

	test("mark the texts that the tenant has changed", async () => {
		await open({});
		await findTexts("Verify the email (changed)", "English (changed)");
		expect(byRole("option", "German")).toBeTruthy();
		expect(byRole("option", "Invitation")).toBeTruthy();
	});
});
