// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { dashboard, portal } from "../../support/fixtures/applications";
import { operatorWithout } from "../../support/fixtures/operators";
import { openConsole } from "../../support/open-console";
import { allByRole, byRole, findByRole, findTexts, reasonOf, textOf } from "../../support/screen";
import { until } from "../../support/time";
import { click, type } from "../../support/user";

const GET = "GET /operator/application/get";
const UPDATE = "POST /operator/application/update";
const ROTATE = "POST /operator/application/rotate-secret";
const DELETE = "POST /operator/application/delete";
const REFUSED = refuse(409, "CONFLICT", "Somebody else has changed it");
const ENDED = refuse(401, "TENANT_MANAGEMENT_NOT_ALLOWED", "You are not allowed to do this");

async function open(handlers: Handlers = {}) {
	const server = await openConsole("/applications/client-portal/settings", {
		[GET]: json(portal),
		...handlers,
	});
	await findByRole("heading", "Secret, disable, delete");
	return server;
}

/** Opens a dialog of the page, and returns it. */
async function openDialog(button: string, title: string): Promise<HTMLElement> {
	await click(button);
	return findByRole("dialog", title);
}

const openRotation = () => openDialog("Rotate secret", "Rotate the secret?");
const openDisabling = () => openDialog("Disable", "Disable this application?");

async function openDeletion(): Promise<HTMLElement> {
	const dialog = await openDialog("Delete", "Delete this application?");
	await type("Type the name “Portal” to confirm", "Portal");
	return dialog;
}

describe("the secret of an application", () => {
	const rotate = async () => click(byRole("button", "Rotate secret", await openRotation()));

	test("is new only after the user confirms, and is shown once", async () => {
		const server = await open({ [ROTATE]: json({ ...portal, clientSecret: "new-secret" }) });
		const dialog = await openRotation();
		expect(textOf(dialog)).toContain("Portal cannot sign users in until it has the new secret.");
		expect(server.sent(ROTATE)).toEqual([]);
		await click(byRole("button", "Rotate secret", dialog));
		await findTexts("This client secret is shown only once. Copy it now.", "new-secret");
		expect(server.sent(ROTATE)).toMatchObject([
			{ body: { clientId: "client-portal", overlapHours: 0 } },
		]);
		await click("Done");
		expect(textOf(document.body)).not.toContain("new-secret");
		expect(textOf(await openRotation())).not.toContain("new-secret");
	});

	test.each([
		["the service rejects it", REFUSED, "Somebody else has changed it"],
		["the session has ended", ENDED, "Your session has ended. Sign in again, and repeat this."],
	])("stays if %s, and the dialog says why", async (_, answer, message) => {
		await open({ [ROTATE]: answer });
		await rotate();
		await findTexts(message);
		expect(textOf(byRole("dialog", "Rotate the secret?"))).toContain(message);
	});

	test("does not exist for an application that cannot keep one", async () => {
		await open({ [GET]: json({ ...dashboard, clientId: "client-portal" }) });
		expect(allByRole("button", "Rotate secret")).toEqual([]);
	});
});

describe("an application", () => {
	test("is disabled after the user confirms", async () => {
		const disabled = json({ ...portal, disabled: true });
		const server = await open({ [UPDATE]: disabled });
		const dialog = await openDisabling();
		expect(server.sent(UPDATE)).toEqual([]);
		server.answer({ [GET]: disabled });
		await click(byRole("button", "Disable application", dialog));
		await findTexts("Application disabled.", "Enable the application");
		expect(server.sent(UPDATE)).toMatchObject([
			{ body: { clientId: "client-portal", disabled: true } },
		]);
	});

	test("is enabled again at once", async () => {
		const server = await open({
			[GET]: json({ ...portal, disabled: true }),
			[UPDATE]: json(portal),
		});
		server.answer({ [GET]: json(portal) });
		await click("Enable");
		await findTexts("Application enabled.", "Disable the application");
		expect(server.sent(UPDATE)).toMatchObject([{ body: { disabled: false } }]);
	});

	test("stays disabled if the service rejects it, and the page says why", async () => {
		await open({ [GET]: json({ ...portal, disabled: true }), [UPDATE]: REFUSED });
		await click("Enable");
		await findTexts("Somebody else has changed it");
		expect(byRole("button", "Enable")).toBeTruthy();
	});

	test("is deleted after the user typed its name, and the list opens", async () => {
		const server = await open({
			[DELETE]: json({ success: true }),
			"GET /operator/application/list": list([]),
		});
		const dialog = await openDialog("Delete", "Delete this application?");
		const button = byRole("button", "Delete application", dialog);
		expect(reasonOf(button)).toBe("Type it first.");
		await type("Type the name “Portal” to confirm", "Portal");
		await click(button);
		await findTexts("Portal was deleted.", "No applications yet");
		expect(server.sent(DELETE)).toMatchObject([{ body: { clientId: "client-portal" } }]);
		expect(location.pathname).toBe("/console/applications");
	});

	test("stays if the service does not delete it, and the dialog says why", async () => {
		await open({ [DELETE]: ENDED });
		await click(byRole("button", "Delete application", await openDeletion()));
		await until(() => allByRole("alert").length > 0);
		expect(textOf(byRole("alert"))).toBe("Your session has ended. Sign in again, and repeat this.");
		expect(location.pathname).toBe("/console/applications/client-portal/settings");
	});

	test("has no buttons for what the operator may not do", async () => {
		await open({
			"GET /operator/me": json(operatorWithout("application:rotate-secret", "application:delete")),
		});
		expect(byRole("button", "Disable")).toBeTruthy();
		expect(allByRole("button", "Rotate secret")).toEqual([]);
		expect(allByRole("button", "Delete")).toEqual([]);
	});
});
