// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import { describeCardStates } from "../../support/card-states";
import type { Handlers } from "../../support/fake-server";
import { adasAccount, sessionEnded } from "../../support/fixtures/adas-account";
import { loginOptions } from "../../support/fixtures/login-options";
import { openTenantPage } from "../../support/open-tenant-page";
import { passkeyOptions, supportPasskeys } from "../../support/passkeys";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { click } from "../../support/user";

const REQUEST = "GET /passkey/list-user-passkeys";
const OPTIONS = "GET /passkey/generate-register-options";
const ADD = "POST /passkey/verify-registration";
const REMOVE = "POST /passkey/delete-passkey";

const passkey = {
	id: "passkey-1",
	name: "Chrome on macOS",
	createdAt: "2026-11-10T09:00:00.000Z",
};

const open = (handlers: Handlers) =>
	openTenantPage("/account", {
		...adasAccount,
		"GET /tenant/login-options": json({ ...loginOptions, methods: ["password", "passkey"] }),
		[OPTIONS]: json(passkeyOptions),
		...handlers,
	});

describeCardStates("the passkeys of a user", {
	open,
	title: "Passkeys",
	request: REQUEST,
	filled: { answer: list([passkey]), shows: ["Chrome on macOS", "added Nov 10, 2026"] },
	empty: { answer: list([]), shows: ["You have no passkeys yet."] },
});

describe("the passkeys of a user, in use", () => {
	test("have a new one after the user adds it", async () => {
		supportPasskeys();
		const server = await open({ [REQUEST]: list([]), [ADD]: json(passkey) });
		await findTexts("You have no passkeys yet.");
		server.answer({ [REQUEST]: list([passkey]) });
		await click("Add a passkey");
		await findTexts("Passkey added.", "Chrome on macOS");
		expect(server.sent(ADD)).toMatchObject([{ body: { response: { id: "passkey-ada" } } }]);
	});

	test("stay the same if the user cancels", async () => {
		supportPasskeys({ canceled: true });
		const server = await open({ [REQUEST]: list([]) });
		await click("Add a passkey");
		await findTexts("No passkey was added.");
		expect(server.sent(ADD)).toEqual([]);
	});

	test("say that the user must sign in again before one is added", async () => {
		supportPasskeys();
		await open({ [REQUEST]: list([]), [OPTIONS]: refuse(403, "SESSION_NOT_FRESH", "Not fresh") });
		await click("Add a passkey");
		await findTexts("Sign out and sign in again, then repeat this step.");
		expect(allByRole("alert")).toHaveLength(1);
	});

	test("can be removed", async () => {
		const server = await open({ [REQUEST]: list([passkey]), [REMOVE]: json({ status: true }) });
		await findByRole("button", "Remove Chrome on macOS");
		server.answer({ [REQUEST]: list([]) });
		await click("Remove Chrome on macOS");
		await findTexts("You have no passkeys yet.");
		expect(server.sent(REMOVE).map(({ body }) => body)).toEqual([{ id: "passkey-1" }]);
	});

	test("stay if the session has ended", async () => {
		await open({ [REQUEST]: list([passkey]), [REMOVE]: sessionEnded.answer });
		await click("Remove Chrome on macOS");
		await findTexts(...sessionEnded.shows, "Chrome on macOS");
		expect(byRole("button", "Remove Chrome on macOS").getAttribute("aria-busy")).toBeNull();
	});

	test("cannot be added in a browser without passkeys", async () => {
		await open({ [REQUEST]: list([passkey]) });
		await findTexts("Chrome on macOS");
		expect(allByRole("button", "Add a passkey")).toEqual([]);
	});
});
