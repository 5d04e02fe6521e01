// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { adasAccount, sessionEnded } from "../../support/fixtures/adas-account";
import { loginOptions } from "../../support/fixtures/login-options";
import { adasSession } from "../../support/fixtures/sessions";
import { openTenantPage } from "../../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { click, type } from "../../support/user";

const DISABLE = "POST /two-factor/disable";
const NEW_CODES = "POST /two-factor/generate-backup-codes";

const user = { ...adasSession.user, twoFactorEnabled: true };

const open = (handlers: Handlers = {}) =>
	openTenantPage("/account", {
		...adasAccount,
		"GET /get-session": json({ ...adasSession, user }),
		...handlers,
	});

/** Clicks a button of the card, and then the same one in the dialog that it opens. */
async function confirm(action: string): Promise<void> {
	await click(action);
	await click(byRole("button", action, await findByRole("dialog", action)));
}

describe("the second factor of an account", () => {
	test("can be set up", async () => {
		await openTenantPage("/account", adasAccount);
		const link = await findByRole("link", "Set up");
		expect(link.getAttribute("href")).toBe("/t/acme/second-factor");
	});

	test("is turned off with the password, after the user confirms", async () => {
		const server = await open({
			[DISABLE]: ({ body }) =>
				Object(body).password
					? json({ status: true })()
					: refuse(400, "INVALID_PASSWORD", "Invalid password")(),
		});
		await click("Turn off");
		const dialog = await findByRole("dialog", "Turn off");
		expect(server.sent(DISABLE)).toEqual([]);
		await click(byRole("button", "Turn off", dialog));
		await type("Password", "correct horse", dialog);
		server.answer(adasAccount);
		await click(byRole("button", "Turn off", dialog));
		await findTexts("Two-step verification is off.", "Set up");
		expect(server.sent(DISABLE).map(({ body }) => body)).toEqual([
			{},
			{ password: "correct horse" },
		]);
	});

	test("shows new recovery codes once", async () => {
		await open({ [NEW_CODES]: json({ status: true, backupCodes: ["abcde-fghij"] }) });
		await confirm("New recovery codes");
		await findTexts("abcde-fghij", "We do not show them again.");
		await click("Done");
		expect(document.body.textContent).not.toContain("abcde-fghij");
	});

	test("stays on if the session has ended", async () => {
		await open({ [DISABLE]: sessionEnded.answer });
		await confirm("Turn off");
		await findTexts(...sessionEnded.shows);
		expect(byRole("dialog", "Turn off")).toBeTruthy();
	});

	test("cannot be turned off where the tenant requires it", async () => {
		await open({
			"GET /tenant/login-options": json({ ...loginOptions, secondFactorRequired: true }),
			"GET /tenant/current": json({}),
		});
		await findTexts("Acme requires it.", "New recovery codes");
		expect(allByRole("button", "Turn off")).toEqual([]);
	});
});
