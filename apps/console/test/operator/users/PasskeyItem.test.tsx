// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { operatorWithout } from "../../support/fixtures/operators";
import { ada, detailsOf, passkey } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../../support/screen";
import { until } from "../../support/time";
import { click } from "../../support/user";

const USER = "GET /tenant/user/get";
const REMOVE = "POST /tenant/user/remove-passkeys";
const BUTTON = "Remove the passkey Laptop";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/users/${ada.id}`, {
		[USER]: json({ ...detailsOf(ada), passkeys: [passkey] }),
		...handlers,
	});

describe("a passkey of a user", () => {
	test("is removed after a question, and is gone then", async () => {
		const server = await open({ [REMOVE]: json(ada) });
		await findTexts("Laptop, synchronized");
		await click(BUTTON);
		await findTexts("ada@acme.example cannot sign in with the passkey “Laptop” any more");
		expect(server.sent(REMOVE)).toEqual([]);
		server.answer({ [USER]: json(detailsOf(ada)) });
		await click("Remove passkey");
		await findTexts("Passkey removed.");
		expect(server.sent(REMOVE).map(({ body }) => body)).toEqual([
			{ tenantId: acme.id, userId: ada.id, passkeyId: passkey.id },
		]);
		await until(() => allByRole("button", BUTTON).length === 0);
		expect(allByRole("button", BUTTON)).toEqual([]);
	});

	test("stays if the service rejects it, and the dialog says why", async () => {
		await open({ [REMOVE]: refuse(404, "PASSKEY_NOT_FOUND", "Passkey not found") });
		await click(BUTTON);
		await click("Remove passkey");
		const dialog = byRole("dialog", "Remove this passkey?");
		expect(textOf(await findByRole("alert", undefined, dialog))).toBe("Passkey not found");
	});

	test("has no button without the right", async () => {
		await open({ "GET /operator/me": json(operatorWithout("user:remove-passkeys")) });
		await findTexts("Laptop, synchronized");
		expect(allByRole("button", BUTTON)).toEqual([]);
	});
});
